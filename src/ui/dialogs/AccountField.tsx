import { useFrameState } from "../store/page.ts";
import { Field } from "../widgets/Field.tsx";

interface AccountFieldProps {
  label: string;
  value: string;
  onChange: (name: string) => void;
  /** Every validator may be chosen, too. */
  everyone?: boolean;
  /** Only the operators' accounts. */
  operators?: boolean;
  error?: string;
}

/** One account by its name: those of validators first. */
export function AccountField({
  label,
  value,
  onChange,
  everyone = false,
  operators = false,
  error = "",
}: AccountFieldProps) {
  // One text, so that a frame without new names changes nothing.
  const named = useFrameState(({ frame }) => {
    const validators = frame?.validators.map(({ name }) => name) ?? [];
    const others = frame?.accounts.map(({ name }) => name) ?? [];
    return [...new Set([...validators, ...(operators ? [] : others)])].join("\n");
  });
  return (
    <Field label={label} error={error}>
      {(control) => (
        <select {...control} value={value} onChange={(e) => onChange(e.target.value)}>
          {everyone && <option value="all">every validator</option>}
          {named.split("\n").map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      )}
    </Field>
  );
}
