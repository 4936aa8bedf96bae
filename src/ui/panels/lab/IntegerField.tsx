import css from "./lab.module.css";

interface IntegerFieldProps {
  label: string;
  value: number;
  least: number;
  most?: number;
  /** Placeholder shown for 0. */
  none?: string;
  set: (value: number) => void;
}

const MOST = 4_294_967_295;

/** A field for integers; other input is ignored. */
export function IntegerField({ label, value, least, most = MOST, none, set }: IntegerFieldProps) {
  return (
    <label className={css.whole}>
      {label}
      <input
        type="number"
        min={least}
        max={most}
        step={1}
        placeholder={none}
        value={none !== undefined && value === 0 ? "" : value}
        onChange={({ target }) => {
          const input = target.value === "" ? least : Number(target.value);
          if (Number.isSafeInteger(input) && input >= least && input <= most) set(input);
        }}
      />
    </label>
  );
}
