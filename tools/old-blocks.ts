/** Questions about old blocks, whose answers no kill may change. */

/** Questions after each start, and blocks of a full page, at whose borders some of them are. */
const QUESTIONS = 12;
const PAGE = 4096;

export class OldBlocks {
  readonly #random: () => number;
  readonly #known = new Map<number, string>();
  /** Height when the process was started: what it has acknowledged since is on disk, and so is all up to there. */
  #started = 0;

  /** @param random from 0 to below 1 */
  constructor(random: () => number) {
    this.#random = random;
  }

  /**
   * Asks about some blocks that were on disk when the last process was killed, in any order.
   * @param height of the chain now
   * @param ask all that is asked of one height, as text; rejects if there is no answer
   * @returns a sentence for each height of which the answer is not the one before, or none
   */
  async changed(
    height: number,
    ask: (height: number) => Promise<string>,
  ): Promise<readonly string[]> {
    const changed: string[] = [];
    for (const one of this.#drawn()) {
      const answer = await ask(one).catch((error: unknown) => `none: ${String(error)}`);
      const known = this.#known.get(one) ?? answer;
      if (answer.startsWith("none: ") || answer !== known) {
        changed.push(`block ${one}: ${answer} instead of ${known}`);
      } else this.#known.set(one, answer);
    }
    this.#started = height;
    return changed;
  }

  /** Heights, of which half were asked before. */
  #drawn(): readonly number[] {
    const top = this.#started;
    if (top === 0) return [];
    const requested = [...this.#known.keys()];
    return Array.from({ length: QUESTIONS }, (_, i) => {
      const before = requested[Math.floor(this.#random() * requested.length)];
      if (i % 2 === 0 && before !== undefined) return before;
      const border = PAGE * Math.floor(this.#random() * (top / PAGE + 1)) + (i % 3) - 1;
      const inAPage = 1 + Math.floor(this.#random() * top);
      return i % 4 === 1 && border >= 1 && border <= top ? border : inAPage;
    });
  }
}
