/** Tracks positions in a list of steps across edits. */
import type { ListedStep } from "../../store/types.ts";

/** An edit of the list, in the engine's format. */
export interface Edit {
  readonly edit: string;
  readonly at: number;
  readonly to?: number;
  readonly step?: string;
}

/** A step of the list: its position, and its content if known. */
export interface Mark {
  readonly at: number;
  readonly json: string;
}

/** Returns the new position of a step after an edit; undefined if it was removed. */
export function positionAfter({ edit, at: edited, to = 0 }: Edit, at: number): number | undefined {
  switch (edit) {
    case "insert":
      return edited <= at ? at + 1 : at;
    case "duplicate":
      return edited < at ? at + 1 : at;
    case "remove":
      return edited === at ? undefined : edited < at ? at - 1 : at;
    case "move":
      if (edited === at) return to;
      return at - (edited < at ? 1 : 0) + (to <= at - (edited < at ? 1 : 0) ? 1 : 0);
    default:
      return at;
  }
}

/**
 * The mark of the same step in a list: at its position, or at the closest one; undefined if it is
 * gone.
 */
export function found(mark: Mark, steps: readonly Pick<ListedStep, "json">[]): Mark | undefined {
  const distance = (at: number): number => Math.abs(at - mark.at);
  const closest = steps
    .flatMap(({ json }, at) => (json === mark.json ? [at] : []))
    .reduce<number | undefined>(
      (best, at) => (best === undefined || distance(at) < distance(best) ? at : best),
      undefined,
    );
  return closest === undefined ? undefined : { at: closest, json: mark.json };
}
