/**
 * Schedules drawing one chart at a time, so that charts that appear or change together never block
 * the page for their total time.
 */

/** Drawing costs tens of milliseconds: twice a second is enough. */
const EVERY_MS = 500;
/** Interval until all have drawn once, so that other work can run in between, in ms. */
const FIRST_MS = 30;
/** A page that only draws does nothing else: the pause is this many times the last drawing time. */
const REST = 3;
/** Maximum delay from a key or a press to its result on screen; charts do not draw before. */
const ANSWERED_MS = 200;

/**
 * Starts to draw, and calls `ended` once that is on screen, or will never be. Returns true if there
 * is anything to draw.
 */
export type Draw = (ended: () => void) => boolean;

interface Waiting {
  readonly draw: Draw;
  drawn: boolean;
}

export class Turns {
  #waiting: Waiting[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The chart that is drawing. */
  #drawing: Waiting | undefined;
  #answered = 0;

  /**
   * Calls `draw` soon, after earlier ones, and then repeatedly; returns a function that stops it.
   * @param isStoryRunning true if it continues a partly drawn chart, which precedes new ones
   */
  join(draw: Draw, goesOn = false): () => void {
    const one = { draw, drawn: false };
    const after = goesOn ? -1 : this.#waiting.findLastIndex(({ drawn }) => !drawn);
    this.#waiting.splice(after + 1, 0, one);
    if (this.#drawing === undefined) this.#schedule(0);
    return () => {
      this.#waiting = this.#waiting.filter((other) => other !== one);
      if (this.#waiting.length === 0) clearTimeout(this.#timer);
    };
  }

  /** Called at each press, whose result is shown first. */
  pressed(): void {
    this.#answered = performance.now() + ANSWERED_MS;
  }

  #schedule(rest: number): void {
    clearTimeout(this.#timer);
    const isFirst = this.#waiting[0]?.drawn === false;
    const pause = isFirst ? FIRST_MS : Math.max(EVERY_MS / this.#waiting.length, rest);
    this.#timer = setTimeout(() => this.#next(), pause);
  }

  #next(): void {
    const [next] = this.#waiting;
    if (next === undefined) return;
    const startMs = performance.now();
    if (next.drawn && startMs < this.#answered) {
      this.#schedule(this.#answered - startMs);
      return;
    }
    this.#waiting = [...this.#waiting.slice(1), next];
    next.drawn = true;
    this.#drawing = next;
    const isDrawn = next.draw(() => this.#end(next, REST * (performance.now() - startMs)));
    if (!isDrawn) this.#end(next, 0);
  }

  #end(one: Waiting, rest: number): void {
    if (this.#drawing !== one) return;
    this.#drawing = undefined;
    this.#schedule(rest);
  }
}
