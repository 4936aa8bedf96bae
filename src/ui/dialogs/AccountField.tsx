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
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => (
        <select {...control} value={value} onChange={(e) => onChange(e.target.value)}>
          {everyone && <option value="all">every validator</option>}
          {(only ?? named.split("\n")).map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      )}
    </Field>
  );
}
