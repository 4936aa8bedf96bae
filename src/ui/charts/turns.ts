/**
 * Gives those who draw their turns, one in each task, so that charts that appear or change together never hold the
 * page for as long as all of them together take.
 */

/** To draw costs tens of milliseconds: twice a second is plenty for the eye. */
const EVERY_MS = 500;
/** Until all have drawn once, something else has its turn in between. */
const FIRST_MS = 30;

interface Waiting {
  readonly draw: () => void;
  drawn: boolean;
}

export class Turns {
  #waiting: Waiting[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Has `draw` called soon, after those that came before, and then again and again; returns how to end that. */
  join(draw: () => void): () => void {
    const one = { draw, drawn: false };
    const after = this.#waiting.findLastIndex(({ drawn }) => !drawn);
    this.#waiting.splice(after + 1, 0, one);
    clearTimeout(this.#timer);
    this.#schedule();
    return () => {
      this.#waiting = this.#waiting.filter((other) => other !== one);
      if (this.#waiting.length === 0) clearTimeout(this.#timer);
    };
  }

  #schedule(): void {
    const pause = this.#waiting[0]?.drawn ? EVERY_MS / this.#waiting.length : FIRST_MS;
    this.#timer = setTimeout(() => {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      this.#waiting.push(next);
      next.drawn = true;
      next.draw();
      this.#schedule();
    }, pause);
  }
}
