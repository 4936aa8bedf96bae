import { timeOf } from "./clock.ts";
import { type LoadName, loadOf, type Work } from "./loads.ts";
import { type Ratios, ratiosOf } from "./ratios.ts";

/**
 * One build of a comparison, in its own process or worker. It is told what to do by messages, so that the
 * windows of two builds take turns.
 */
export class Side {
  readonly #clock: () => number;
  #work: Work | undefined;

  /** @param clock milliseconds; of this process's own time on processors, if that is told here */
  constructor(clock: () => number) {
    this.#clock = clock;
  }

  /** Makes a load's world, in place of the one before, and runs it so long that its code is compiled. */
  open(name: LoadName, warmUpMs: number): void {
    this.#work = undefined;
    this.#work = loadOf(name).prepare();
    if (warmUpMs > 0) this.window(warmUpMs);
  }

  /** Returns the time of one round, measured over at least `ms` milliseconds. */
  window(ms: number): number {
    const { once } = this.#opened();
    const end = performance.now() + ms;
    const startMs = this.#clock();
    let rounds = 0;
    do {
      once();
      rounds++;
    } while (performance.now() < end);
    return (this.#clock() - startMs) / rounds;
  }

  rounds(times: number): void {
    timeOf(this.#opened().once, times);
  }

  /** Throws unless the last round did what it was meant to: a refused transaction is cheap. */
  close(): void {
    this.#opened().check();
    this.#work = undefined;
  }

  ratios(height: number, samples: number): Ratios {
    return ratiosOf(height, samples);
  }

  #opened(): Work {
    if (this.#work === undefined) throw new Error("no load is open");
    return this.#work;
  }
}

type Methods = "open" | "window" | "rounds" | "close" | "ratios";

/** A call as it goes to a side, and what comes back. */
export interface SideCall {
  readonly method: Methods;
  readonly args: readonly unknown[];
}
export type SideAnswer = { readonly result: unknown } | { readonly failed: string };

export function answer(side: Side, { method, args }: SideCall): SideAnswer {
  try {
    return { result: (side[method] as (...args: readonly unknown[]) => unknown)(...args) };
  } catch (error) {
    return { failed: String((error as Error).stack) };
  }
}

/** A side as who compares sees it. */
export type RemoteSide = {
  readonly [M in Methods]: (...args: Parameters<Side[M]>) => Promise<ReturnType<Side[M]>>;
};

export function remoteSide(call: (requested: SideCall) => Promise<SideAnswer>): RemoteSide {
  const method =
    <M extends Methods>(name: M) =>
    async (...args: Parameters<Side[M]>): Promise<ReturnType<Side[M]>> => {
      return resultOf(await call({ method: name, args })) as ReturnType<Side[M]>;
    };
  return {
    open: method("open"),
    window: method("window"),
    rounds: method("rounds"),
    close: method("close"),
    ratios: method("ratios"),
  };
}

export function resultOf(answered: SideAnswer): unknown {
  if ("failed" in answered) throw new Error(answered.failed);
  return answered.result;
}
