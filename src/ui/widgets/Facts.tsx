import type { ReactNode } from "react";
import css from "./Facts.module.css";
import { dateTime, short } from "./format.ts";

/** A list of names and values. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className={css.facts}>{children}</dl>;
}

export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={css.fact}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** A readable time; complete as RFC 3339 on hover. */
export function Moment({ time }: { time: string }) {
  return (
    <time dateTime={time} title={time}>
      {dateTime(time)}
    </time>
  );
}

/** A long id: shortened on screen, complete on hover and when copied. */
export function LongId({ id, name }: { id: string; name: string }) {
  return (
    <button
      type="button"
      className={css.id}
      title={`${id}\nClick to copy`}
      aria-label={`Copy ${name}`}
      onClick={() => navigator.clipboard?.writeText(id)}
    >
      {short(id)}
    </button>
  );
}

const HASH = /[0-9a-f]{40,}/i;

/** A text with shortened hashes, each of which can be copied completely. */
export function WithHashes({ text }: { text: string }) {
  const [hash] = HASH.exec(text) ?? [];
  if (hash === undefined) return <>{text}</>;
  const at = text.indexOf(hash);
  return (
    <>
      {text.slice(0, at)}
      <LongId id={hash} name="the hash" />
      <WithHashes text={text.slice(at + hash.length)} />
    </>
  );
}
