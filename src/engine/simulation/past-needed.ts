import { CommandError } from "../framework/errors.ts";
import type { PastNeed } from "./world-past.ts";

/** What was brought of the past, by its keys. */
export type Brought = ReadonlyMap<string, object>;

/** Thrown within `Simulation.ask`, nothing changed, where a part of the past is needed first. */
export class PastNeeded extends CommandError {
  readonly need: PastNeed;

  constructor(need: PastNeed) {
    super(`it needs ${need.key}, which is not in memory`);
    this.need = need;
  }
}

/** A world stands still for good: it needed a past that did not come back while it changed. */
export class PastLost extends CommandError {
  constructor() {
    super(
      "the world stands still, since old blocks cannot be read: open it again to go on from before",
    );
  }
}
