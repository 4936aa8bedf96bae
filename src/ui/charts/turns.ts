/**
 * Gives those who draw their turns, one at a time, so that charts that appear or change together never hold the page for
 * as long as all of them together take.
 */

/** To draw costs tens of milliseconds: twice a second is plenty for the eye. */
const EVERY_MS = 500;
/** Until all have drawn once, something else has its turn in between. */
const FIRST_MS = 30;
/** A page that draws for as long as it can does nothing else: it rests so many times as long as it drew last. */
const REST = 3;
/** Maximum delay from a key or a press to its result on screen; charts do not draw before. */
const ANSWERED_MS = 200;

/** Begins to draw, and calls `ended` once that is on screen, or will never be. Returns whether there is anything to draw. */
export type Draw = (ended: () => void) => boolean;

interface Waiting {
  readonly draw: Draw;
  drawn: boolean;
}

export class Turns {
  #waiting: Waiting[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Whose turn it is. */
  #drawing: Waiting | undefined;
  #answered = 0;

  /**
   * Has `draw` called soon, after those that came before, and then again and again; returns how to end that.
   * @param goesOn whether it goes on with what is on screen in part, and so comes before what is not there at all
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

  /** A person has pressed something: that is answered first. */
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
    const begun = performance.now();
    if (next.drawn && begun < this.#answered) {
      this.#schedule(this.#answered - begun);
      return;
    }
    this.#waiting = [...this.#waiting.slice(1), next];
    next.drawn = true;
    this.#drawing = next;
    const isDrawn = next.draw(() => this.#end(next, REST * (performance.now() - begun)));
    if (!isDrawn) this.#end(next, 0);
  }

  #end(one: Waiting, rest: number): void {
    if (this.#drawing !== one) return;
    this.#drawing = undefined;
    this.#schedule(rest);
  }
}
