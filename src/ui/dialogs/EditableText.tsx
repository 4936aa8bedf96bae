import { type FormEvent, useId, useRef, useState } from "react";
import css from "./Worlds.module.css";

interface EditableTextProps {
  label: string;
  text: string;
  /** Maximum characters. */
  most: number;
  /** Called with the new text, or with undefined if it is unchanged. */
  onEnd: (text: string | undefined, byKey: boolean) => void;
}

/** A text in a field: Enter or leaving it accepts the new one, Escape restores the old. */
export function EditableText({ label, text: old, most, onEnd }: EditableTextProps) {
  const id = useId();
  const [text, setText] = useState(old);
  const over = useRef(false);
  const end = (next: string, byKey: boolean): void => {
    if (over.current) return;
    over.current = true;
    onEnd(next.trim() === old ? undefined : next.trim(), byKey);
  };
  const send = (event: FormEvent): void => {
    event.preventDefault();
    end(text, true);
  };
  return (
    <form className={css.rename} onSubmit={send}>
      <label htmlFor={id} className="hidden">
        {label}
      </label>
      <input
        id={id}
        // biome-ignore lint/a11y/noAutofocus: it takes the place of the button that was just pressed
        autoFocus
        dir="auto"
        maxLength={most}
        value={text}
        onChange={({ target }) => setText(target.value)}
        onFocus={({ target }) => target.select()}
        onBlur={() => end(text, false)}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          event.preventDefault();
          end(old, true);
        }}
      />
    </form>
  );
}
