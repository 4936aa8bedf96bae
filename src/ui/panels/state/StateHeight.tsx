import { useState } from "react";
import { useFrameState } from "../../store/page.ts";
import { count } from "../../widgets/format.ts";
import css from "./StateHeight.module.css";

interface StateHeightProps {
  height: number;
  newest: number;
  /** True if the complete page shows this height, so that it is selected on the timeline. */
  travelled: boolean;
  /** Height to compare with; 0: none. */
  before: number;
  onHeight: (height: number) => void;
  onCompare: (before: number) => void;
}

/**
 * Selects the block of the shown state, and one to compare with. Both stay fixed while the chain
 * continues.
 */
export function StateHeight(props: StateHeightProps) {
  const { height, newest, travelled, before, onHeight, onCompare } = props;
  const first = useFrameState(({ frame }) => frame?.chain?.initialHeight ?? 1);
  return (
    <section className={`card ${css.bar}`} aria-label="Height of the state">
      <div className={css.group}>
        <h2 className={css.title}>State after block</h2>
        <button
          type="button"
          aria-label="The block before"
          disabled={travelled || height <= first}
          onClick={() => onHeight(height - 1)}
        >
          ‹
        </button>
        <HeightField
          key={height}
          label="State after block"
          value={height}
          min={first}
          max={newest}
          disabled={travelled}
          onEnter={onHeight}
        />
        <button
          type="button"
          aria-label="The block after"
          disabled={travelled || height >= newest}
          onClick={() => onHeight(height + 1)}
        >
          ›
        </button>
        {height < newest && !travelled && (
          <button type="button" onClick={() => onHeight(newest)}>
            Newest: {count(newest)}
          </button>
        )}
        {travelled && <span className="soft small">as the whole page</span>}
      </div>
      <div className={css.group}>
        <span className="soft">compared with block</span>
        <HeightField
          key={`${height}/${before}`}
          label="Compared with block"
          value={before || (height > first ? height - 1 : newest)}
          min={first}
          max={newest}
          disabled={false}
          onEnter={onCompare}
          button="Show what changed"
        />
      </div>
    </section>
  );
}

interface HeightFieldProps {
  label: string;
  value: number;
  min: number;
  max: number;
  disabled: boolean;
  onEnter: (height: number) => void;
  /** Without it the field takes effect on blur or Enter. */
  button?: string;
}

function HeightField(props: HeightFieldProps) {
  const { label, value, min, max, disabled, onEnter, button } = props;
  const [text, setText] = useState(String(value));
  const wanted = Number(text);
  const fits = Number.isInteger(wanted) && wanted >= min && wanted <= max;
  const enter = (): void => {
    if (fits && (button || wanted !== value)) onEnter(wanted);
  };
  return (
    <form
      className={css.group}
      onSubmit={(event) => {
        event.preventDefault();
        enter();
      }}
    >
      <input
        className={css.height}
        inputMode="numeric"
        aria-label={label}
        aria-invalid={!fits}
        title={fits ? undefined : `Blocks ${count(min)} to ${count(max)} are there.`}
        value={text}
        disabled={disabled}
        onChange={({ target }) => setText(target.value)}
        onBlur={button ? undefined : enter}
      />
      {button && (
        <button type="submit" disabled={!fits}>
          {button}
        </button>
      )}
      {!fits && (
        <span role="alert" className={css.problem}>
          Blocks {count(min)} to {count(max)} are there.
        </span>
      )}
    </form>
  );
}
