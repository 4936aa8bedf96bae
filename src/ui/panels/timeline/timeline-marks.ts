/** The labels above the cells: the marks of each height, as far as they fit. */
import { type MarkLabel, markLabels } from "../../store/marks.ts";
import { count, shortName } from "../../widgets/format.ts";
import {
  CELL,
  isIn,
  LONGEST,
  laneAt,
  type Span,
  type TimelinePicture,
  xOf,
} from "./timeline-layout.ts";

/** All marks of one height, the most important first. */
export interface Mark {
  readonly at: number;
  readonly words: readonly string[];
  /** Token of the colour. */
  readonly ink: string;
  /** Priority of placement. */
  readonly rank: number;
}

/** A placed text. */
export interface Label {
  readonly at: number;
  readonly text: string;
  readonly left: number;
  readonly right: number;
  /** 0 is the row beside the cells, 1 the one above it. */
  readonly row: number;
  readonly ink: string;
}

export const LABELLED: Partial<Record<MarkLabel, { readonly ink: string; readonly rank: number }>> =
  {
    upgraded: { ink: "ok", rank: 2 },
    halt: { ink: "warn", rank: 2 },
    slash: { ink: "bad", rank: 2 },
    evidence: { ink: "bad", rank: 2 },
    plan: { ink: "warn", rank: 2 },
    proposal: { ink: "soft", rank: 1 },
  };

/** Returns the labels above the visible cells, one per height. */
export function marksIn(picture: TimelinePicture): Mark[] {
  const { span, height, plan, proposed, ended, decided, stuck, lanes, cells, playhead } = picture;
  const found = new Map<number, { at: number; words: string[]; ink: string; rank: number }>();
  const add = (at: number, word: string, ink: string, rank: number): void => {
    if (!isIn(span, at)) return;
    const mark = found.get(at);
    if (mark) mark.words.push(word);
    else found.set(at, { at, words: [word], ink, rank });
  };
  if (playhead !== undefined) add(playhead, count(playhead), "accent", 4);
  if (plan?.name && plan.height > height) {
    add(
      plan.height,
      `${shortName(plan.name, LONGEST)} due · ${plan.height === decided ? stuck : plan.height}`,
      "warn",
      3,
    );
  }
  // For a past height before the plan was scheduled.
  if (decided > picture.newest && plan?.height !== decided) {
    add(decided, `${decided} ${stuck}`, "warn", 3);
  }
  for (const { name, height: due } of proposed) {
    if (due > height) add(due, `${shortName(name, LONGEST)} proposed · ${due}`, "soft", 2);
  }
  for (const { common, mergedAt } of lanes) {
    add(common + 1, "two chains", common + 1 > height ? "faint" : "bad", 3);
    if (mergedAt > 0) add(mergedAt, "they met", mergedAt > height ? "faint" : "bad", 3);
  }
  for (const { name, height: due, block } of ended) {
    add(block, "cancelled", "warn", 2);
    if (due > height && due !== plan?.height)
      add(due, `${shortName(name, LONGEST)} cancelled`, "soft", 2);
  }
  for (const { height: at, marks } of cells.values()) {
    for (const label of markLabels(marks)) {
      const how = LABELLED[label];
      if (how) add(at, label, at > height ? "faint" : how.ink, how.rank);
    }
  }
  return [...found.values()].sort((a, b) => b.rank - a.rank || b.at - a.at);
}

/**
 * Gap between two texts of a row, between a text and another one's line, and at both ends of a row.
 */
const APART = 4;
const EDGE = 4;

/**
 * Places each label: centred over its cell, else to its left or right, else a row higher, as long
 * as it covers no other label; then shortened to its first word and the number of the others, or to
 * their number. A label without space has no text.
 * @param measure width of a text
 */
export function placeMarks(
  marks: readonly Mark[],
  span: Span,
  width: number,
  measure: (text: string) => number,
): Label[] {
  const labels: Label[] = [];
  const taken: [number, number][][] = [[], []];
  const middles = marks.map(({ at }) => xOf(span, at) + CELL / 2);
  const isFree = (row: number, left: number, right: number): boolean =>
    left >= EDGE &&
    right <= width - EDGE &&
    (taken[row] ?? []).every(([from, to]) => right + APART <= from || left >= to + APART);
  const covered = (left: number, right: number): number =>
    middles.filter((middle) => middle > left - 2 && middle < right + 2).length;

  /** @param may maximum number of marks it may cover, including its own */
  const find = ({ at, ink }: Mark, text: string, may: number): Label | undefined => {
    const [cell, wide] = [xOf(span, at), measure(text)];
    const middle = cell + CELL / 2;
    for (const row of [0, 1]) {
      // The line from the upper row down to the cell passes through the lower one.
      if (row > 0 && !isFree(0, middle, middle)) break;
      for (const left of [middle - wide / 2, cell + CELL - wide, cell]) {
        const right = left + wide;
        if (isFree(row, left, right) && (row > 0 || covered(left, right) <= may))
          return { at, text, left, right, row, ink };
      }
    }
    return undefined;
  };

  const write = (mark: Mark, texts: readonly string[], may: number): boolean => {
    const [label] = texts.flatMap((text) => find(mark, text, may) ?? []);
    if (!label) return false;
    labels.push(label);
    taken[label.row]?.push([label.left, label.right]);
    const middle = xOf(span, mark.at) + CELL / 2;
    if (label.row > 0) taken[0]?.push([middle, middle]);
    return true;
  };
  const briefly = ({ words: [first, ...others] }: Mark): string[] => [
    ...(others.length > 0 ? [`${first} +${others.length}`] : []),
    `+${others.length + 1}`,
  ];
  const long = marks.filter((mark) => !write(mark, [mark.words.join(" · ")], 1));
  const left = long.filter((mark) => !write(mark, briefly(mark), 1));
  for (const mark of left) write(mark, briefly(mark), marks.length);
  return labels;
}

const SENTENCES: Readonly<Record<MarkLabel, string>> = {
  upgraded: "an upgrade was applied",
  halt: "a node halted",
  slash: "stake was slashed",
  evidence: "carries evidence",
  plan: "an upgrade was planned",
  proposal: "a proposal was made, or its voting ended",
  tx: "has transactions",
  rounds: "took more than one round",
};

/** A short description of one height: its name, then its state or events. */
export function describe(picture: TimelinePicture, at: number): string[] {
  const { height, newest, plan, proposed, ended, decided, stuck, binaries, cells } = picture;
  const cell = cells.get(at);
  const lane = laneAt(picture, at);
  const due = plan?.name !== "" && plan?.height === at && at > height;
  return [
    `Block ${count(at)}`,
    ...(cell ? [`made by ${binaries[cell.binary] ?? ""}`] : []),
    ...(at > newest
      ? [at <= decided ? stuck : "not made yet"]
      : at > height
        ? ["after the block that is shown"]
        : []),
    ...(due ? [`${plan?.name} is due`] : []),
    ...proposed
      .filter((each) => each.height === at && at > height)
      .map(({ name }) => `${name} would be due: the vote on it runs`),
    ...(lane ? [at === lane.mergedAt ? "the two chains met" : "two chains"] : []),
    ...ended.flatMap(({ name, height: to, block }) => [
      ...(block === at ? [`the plan of ${name} was cancelled`] : []),
      ...(to === at ? [`${name} was due here, cancelled in block ${count(block)}`] : []),
    ]),
    ...markLabels(cell?.marks ?? 0).map((label) => SENTENCES[label]),
  ];
}
