import { memo, useState } from "react";
import { count } from "../../widgets/format.ts";
import { ListTools } from "../../widgets/ListTools.tsx";
import { byName, found, matches } from "../../widgets/search.ts";
import type { Arrange, Line } from "./validator-lines.ts";

/** Returns the searchable text of a validator's row, beside its name. */
const wordsOf = ({ name, validator, node }: Line): string =>
  [
    name,
    validator?.bond,
    validator?.jailed ? "jailed" : "",
    validator?.tombstoned ? "tombstoned" : "",
    node?.process,
    node?.binary,
    ...(node?.faults ?? []).map(({ kind }) => kind),
    validator?.operatorAddress,
    validator?.consensusAddress,
    validator?.accountAddress,
  ].join(" ");

const powerOf = ({ validator }: Line): number => validator?.power ?? 0;
const missedOf = ({ validator }: Line): number => validator?.missedBlocks ?? 0;
/** Greater for worse states. */
const troubleOf = ({ validator, node }: Line): number =>
  (validator?.tombstoned ? 8 : 0) +
  (validator?.jailed ? 4 : 0) +
  (node?.process !== "running" ? 2 : 0) +
  ((node?.faults.length ?? 0) > 0 ? 1 : 0);

const ORDERS = [
  ["in their order", () => 0],
  ["by power", (a, b) => powerOf(b) - powerOf(a)],
  ["by name", (a, b) => byName(a.name, b.name)],
  ["in trouble first", (a, b) => troubleOf(b) - troubleOf(a)],
  ["most missed first", (a, b) => missedOf(b) - missedOf(a)],
] as const satisfies readonly (readonly [string, (a: Line, b: Line) => number])[];

/** The rows with every word of a search, in the selected order. */
const arranged = (query: string, order: number): Arrange => {
  const compare = ORDERS[order]?.[1] ?? ORDERS[0][1];
  return (lines) => lines.filter((line) => matches(wordsOf(line), query)).sort(compare);
};

interface ValidatorToolsProps {
  /** Number of rows shown, and in total. */
  shown: number;
  all: number;
  /** Returns the visible rows. */
  lines: () => readonly Line[];
  /** Called with a function that arranges the rows. */
  onArrange: (arrange: () => Arrange) => void;
}

/**
 * Searches and sorts the validators; rendered again when their number changes, not with each block.
 */
export default memo(function ValidatorTools({ shown, all, lines, onArrange }: ValidatorToolsProps) {
  const [query, setQuery] = useState("");
  const [order, setOrder] = useState(0);
  const show = (query: string, order: number): void => {
    setQuery(query);
    setOrder(order);
    onArrange(() => arranged(query, order));
  };
  return (
    <ListTools
      of="validators"
      query={query}
      onQuery={(query) => show(query, order)}
      found={found(shown, all)}
      copied={() => lines().map(copiedLine).join("\n")}
    >
      <select
        aria-label="Order"
        value={order}
        onChange={(event) => show(query, Number(event.target.value))}
      >
        {ORDERS.map(([title], i) => (
          <option key={title} value={i}>
            {title}
          </option>
        ))}
      </select>
    </ListTools>
  );
});

const copiedLine = ({ name, validator, node }: Line): string =>
  [
    name,
    validator ? count(validator.power) : "",
    validator?.bond,
    validator?.tombstoned ? "tombstoned" : validator?.jailed ? "jailed" : "",
    node?.process,
    node?.binary,
    validator?.operatorAddress,
  ].join("\t");
