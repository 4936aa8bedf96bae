import { utf8 } from "../../src/base/bytes.ts";
import { diffStates } from "../../src/engine/store/diff.ts";
import { type CommittedState, emptyState, MultiStore } from "../../src/engine/store/multi-store.ts";
import { prove, proveStore } from "../../src/engine/store/proof.ts";
import { hashQuickly } from "../../src/node/quick-hashes.ts";
import { type Bench, type Report, readSamples, sampleOptions } from "../bench.ts";
import { median } from "../engine/clock.ts";

const KEYS = 10_000;
const FEW = 10;
const SAMPLES = 25;
const STORES = ["auth", "bank", "evidence", "gov", "slashing", "staking", "upgrade"] as const;
const STORE = "staking";

/** Time of a proof, and of the differences of two heights, in a store of ten thousand keys. */
export const stateBench: Bench = {
  summary: `proofs and differences of a store of ${KEYS} keys`,
  options: sampleOptions("times", SAMPLES),

  async run(args: readonly string[]): Promise<Report> {
    const samples = readSamples(args, SAMPLES);
    await hashQuickly();
    const first = written(emptyState(STORES), 1, KEYS);
    const few = written(first, 2, FEW);
    const all = written(first, 2, KEYS);
    const times = (act: (i: number) => unknown): readonly [median: number, most: number] => {
      const taken = Array.from({ length: samples }, (_, i) => {
        const startMs = performance.now();
        act(i);
        return performance.now() - startMs;
      });
      return [median(taken), Math.max(...taken)];
    };
    const proof = times((i) => {
      prove(first.store(STORE).root, keyOf((i * 397) % KEYS));
      proveStore(first, STORE);
    });
    const absence = times((i) => {
      prove(first.store(STORE).root, utf8(`key ${(i * 397) % KEYS} is not there`));
      proveStore(first, STORE);
    });
    const fewDiffer = times(() => checked(diffStates(first, few), FEW));
    const allDiffer = times(() => checked(diffStates(first, all), KEYS));
    const row = (what: string, [usual, most]: readonly [number, number], target: string): string =>
      `${what}: ${usual.toFixed(2)} ms, at most ${most.toFixed(2)} ms (aim: ${target})`;
    return {
      json: { bench: "state", keys: KEYS, samples, proof, absence, fewDiffer, allDiffer },
      table: [
        row(`proof of one of ${KEYS} keys up to the app hash`, proof, "5 ms"),
        row(`proof that a key is not among ${KEYS}, up to the app hash`, absence, "5 ms"),
        row(`${FEW} of ${KEYS} keys differ`, fewDiffer, "100 ms"),
        row(`all ${KEYS} keys differ`, allDiffer, "100 ms"),
      ].join("\n"),
    };
  },
};

const keyOf = (i: number): Uint8Array => utf8(`key ${String(i).padStart(6, "0")}`);

/** A state in which so many keys have a value of this version, spread over all. */
function written(base: CommittedState, version: number, count: number): CommittedState {
  const multi = new MultiStore(base, version);
  for (let i = 0; i < count; i++) {
    const key = keyOf(Math.floor((i * KEYS) / count));
    multi.store(STORE).set(key, utf8(`value ${i} of ${version}`));
  }
  return multi.commit();
}

function checked(diffs: ReturnType<typeof diffStates>, expected: number): void {
  const found = diffs.reduce((sum, { changes }) => sum + changes.length, 0);
  if (found !== expected) throw new Error(`${found} keys differ of ${expected}`);
}
