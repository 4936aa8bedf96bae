/** Lines of the drawer as displayed, and as a table for other programs. */
import type { ActivityKind } from "../../store/frame-store.ts";
import type { Activity } from "../../store/types.ts";
import { grouped } from "../../widgets/format.ts";

export const KIND_LABELS: Readonly<Record<ActivityKind, string>> = {
  step: "steps",
  event: "events",
  log: "lines",
};

export interface ShownLine {
  readonly line: Activity;
  readonly text: string;
}

/**
 * Lines with names in place of addresses. Events and logs are quoted; decisions are Chainlab's own
 * sentences.
 */
export const shownLines = (
  kind: ActivityKind,
  lines: readonly Activity[],
  named: (text: string) => string,
): ShownLine[] =>
  lines.map((line) => ({
    line,
    text: kind === "step" ? grouped(named(line.text)) : named(line.text),
  }));

export const linesTable = (shown: readonly ShownLine[]): (string | number)[][] => [
  ["height", "where", "module", "outcome", "text"],
  ...shown.map(({ line: { height, where, module, outcome }, text }) => [
    ...[height, where, module, outcome, text],
  ]),
];
