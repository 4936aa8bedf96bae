/** Missed blocks, as a grid of validators and blocks. */
import type { Participation } from "../store/types.ts";

/** Participation of a validator at a height. */
export const CELL = { outside: 0, signed: 1, missed: 2 } as const;

/** Labels of cell values. */
export const CELL_TEXTS = ["not in the set", "signed", "missed"] as const;

export interface MissedRow {
  readonly name: string;
  /** Number of blocks whose set contained it, and of those that it did not sign. */
  readonly inSet: number;
  readonly missed: readonly number[];
}

export interface MissedBlocks {
  /** By height. */
  readonly heights: readonly number[];
  readonly rows: readonly MissedRow[];
  /** Row by row, a CELL for each height. */
  readonly cells: Uint8Array;
}

export type Order = "missed" | "set";

/**
 * The validators that were in a set at any of the heights; in the order of their first vote, or
 * with the most missed blocks first.
 */
export function missedBlocks(
  { blocks, sets, validators }: Participation,
  order: Order,
): MissedBlocks {
  const width = blocks.length;
  const all = new Uint8Array(validators.length * width);
  const inSet = validators.map(() => 0);
  const missed: number[][] = validators.map(() => []);
  for (const [column, { height, set, absent }] of blocks.entries()) {
    for (const place of sets[set]?.members ?? []) {
      all[place * width + column] = CELL.signed;
      inSet[place] = (inSet[place] ?? 0) + 1;
    }
    for (const place of absent) {
      all[place * width + column] = CELL.missed;
      missed[place]?.push(height);
    }
  }
  const places = validators.map((_, place) => place).filter((place) => (inSet[place] ?? 0) > 0);
  const missedOf = (place: number): number => missed[place]?.length ?? 0;
  if (order === "missed") places.sort((a, b) => missedOf(b) - missedOf(a) || a - b);
  const cells = new Uint8Array(places.length * width);
  for (const [row, place] of places.entries()) {
    cells.set(all.subarray(place * width, (place + 1) * width), row * width);
  }
  const rows = places.map((place) => {
    const name = validators[place] ?? "";
    return { name, inSet: inSet[place] ?? 0, missed: missed[place] ?? [] };
  });
  return { heights: blocks.map(({ height }) => height), rows, cells };
}

/** `3–5, 9`: heights, with consecutive ones joined. */
export function rangesText(heights: readonly number[]): string {
  const parts: string[] = [];
  for (let i = 0; i < heights.length; ) {
    let end = i;
    while (heights[end + 1] === (heights[end] ?? 0) + 1) end += 1;
    parts.push(end === i ? `${heights[i]}` : `${heights[i]}–${heights[end]}`);
    i = end + 1;
  }
  return parts.join(", ");
}

/** Runs of equal cells in a row: their start and end columns. */
export function* runsIn(
  { cells, heights }: MissedBlocks,
  row: number,
): Generator<{ readonly kind: number; readonly from: number; readonly to: number }> {
  const width = heights.length;
  for (let from = 0; from < width; ) {
    const kind = cells[row * width + from] ?? CELL.outside;
    let to = from + 1;
    while (to < width && cells[row * width + to] === kind) to += 1;
    yield { kind, from, to };
    from = to;
  }
}
