import { startTransition, useState } from "react";
import { useFrameState } from "../store/page.ts";
import { Field } from "../widgets/Field.tsx";

interface AccountFieldProps {
  label: string;
  value: string;
  onChange: (name: string) => void;
  /** True to offer all validators together. */
  everyone?: boolean;
  /** Restricts the offered accounts. */
  only?: readonly string[] | undefined;
  hint?: string;
  error?: string;
}

/**
 * Above this number only the selected account is rendered until the user searches: a thousand take
 * long.
 */
const MANY = 100;

/** Selects one account by its name, those of validators first; modules sign nothing. */
export function AccountField({
  label,
  value,
  onChange,
  everyone = false,
  only,
  hint,
  error = "",
}: AccountFieldProps) {
  // As one text, so that a frame without new names causes no change.
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
