import type { Divergence } from "../../store/types.ts";
import { grouped, short } from "../../widgets/format.ts";
import { useNames } from "../../widgets/use-names.ts";
import { changedFields, fieldsOf } from "./entry-text.ts";

interface KeyValueProps {
  one: Divergence["differences"][number];
  side: "before" | "after";
}

/** The value of a key on one side; if both sides have a message, only the fields that differ. */
export function KeyValue({ one, side }: KeyValueProps) {
  const named = useNames();
  const { beforeText, afterText, created, removed } = one;
  const isBefore = side === "before";
  if (isBefore ? created : removed) return <span className="faint">no such key</span>;
  const [hex, text, other] = isBefore
    ? [one.before, beforeText, afterText]
    : [one.after, afterText, beforeText];
  if (hex === "") return <span className="faint">empty</span>;
  const fields = text !== "" && other !== "" ? changedFields(other, text) : fieldsOf(text);
  if (fields.length === 0) return <code title={hex}>{short(hex)}</code>;
  return (
    <ul title={hex}>
      {fields.map(({ name, value }) => (
        <li key={name}>
          {name && <span className="soft">{name} </span>}
          {grouped(named(value))}
        </li>
      ))}
    </ul>
  );
}
