import { startTransition, useState } from "react";
import { useFrameState } from "../store/page.ts";
import { Field } from "../widgets/Field.tsx";

interface AccountFieldProps {
  label: string;
  value: string;
  onChange: (name: string) => void;
  /** Every validator may be chosen, too. */
  everyone?: boolean;
  /** The only ones that may be chosen. */
  only?: readonly string[] | undefined;
  hint?: string;
  error?: string;
}

/** Of more accounts only the one chosen is there until another is looked for: a thousand take long to draw. */
const MANY = 100;

/** One account by its name, those of validators first; modules sign nothing. */
export function AccountField({
  label,
  value,
  onChange,
  everyone = false,
  only,
  hint,
  error = "",
}: AccountFieldProps) {
  // One text, so that a frame without new names changes nothing.
  const named = useFrameState(({ frame }) => {
    const validators = frame?.validators.map(({ name }) => name) ?? [];
    const others = frame?.accounts.filter(({ module }) => !module).map(({ name }) => name) ?? [];
    return [...new Set([...validators, ...others])].join("\n");
  });
  const [open, setOpen] = useState(false);
  const names = only ?? named.split("\n");
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => (
        <select
          {...control}
          value={value}
          onChange={(e) => onChange(e.target.value)}
          onPointerDown={() => setOpen(true)}
          onFocus={() => startTransition(() => setOpen(true))}
        >
          {everyone && <option value="all">every validator</option>}
          {(open || names.length <= MANY ? names : [value]).map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      )}
    </Field>
  );
}
