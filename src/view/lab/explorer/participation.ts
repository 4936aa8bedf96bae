import { consAddress } from "../../../base/bech32.ts";
import { toHex } from "../../../base/bytes.ts";
import type { Simulation } from "../../../engine/simulation/simulation.ts";
import type { Participation, SignedBlock } from "../../../gen/lab/v1/lab_plain.ts";
import type { Observer } from "../frame/observer.ts";

const USUAL = 100;
/** Maximum blocks in one answer, which keeps its cost constant. */
const MOST = 500;

/** The blocks covered by an answer. */
export function signedBlocks(
  { height, initialHeight }: Simulation,
  upTo: number,
  count: number,
): { readonly from: number; readonly to: number } {
  const to = upTo === 0 ? height : Math.min(upTo, height);
  return { from: Math.max(to - Math.min(count || USUAL, MOST) + 1, initialHeight), to };
}

/**
 * Lists the signers of some blocks with their power, and the time between the blocks.
 *
 * @param upTo height of the last of them; 0 or one that is not committed is the newest
 */
export function participationOf(
  sim: Simulation,
  observer: Observer,
  upTo: number,
  count: number,
): Participation {
  const { height: newest, initialHeight: first } = sim;
  const { from, to: last } = signedBlocks(sim, upTo, count);
  const places = new ValidatorIndexes(observer);
  const sets: { list: object; members: readonly number[] }[] = [];
  const blocks: SignedBlock[] = [];
  let before = sim.timeAt(from - 1);
  for (let height = from; height <= last; height++) {
    const commit = sim.signersOf(height);
    const time = sim.timeAt(height);
    if (commit === undefined || time === undefined) continue;
    const { list, absent, round } = commit;
    if (sets.at(-1)?.list !== list) {
      sets.push({ list, members: list.addresses.map((address) => places.of(address)) });
    }
    const members = sets.at(-1)?.members ?? [];
    blocks.push({
      height,
      intervalSeconds: Number(time - (before ?? time)) / 1e9,
      round,
      totalPower: list.totalPower,
      signedPower: absent.reduce((rest, i) => rest - (list.powers[i] ?? 0), list.totalPower),
      absent: absent.map((i) => members[i] ?? 0),
      set: sets.length - 1,
    });
    before = time;
  }
  return {
    ...{ first, newest, blocks, validators: places.names },
    sets: sets.map(({ members }) => ({ members })),
  };
}

/** Indexes of validators in the order of their first vote. */
class ValidatorIndexes {
  readonly names: string[] = [];
  readonly #of = new Map<string, number>();

  constructor({ validators }: Observer) {
    for (const { name, address } of validators.list) this.#add(address, name);
  }

  #add(address: Uint8Array, name: string): number {
    const place = this.names.push(name) - 1;
    this.#of.set(toHex(address), place);
    return place;
  }

  /** A validator that voted before the observation started comes last, under its address. */
  of(address: Uint8Array): number {
    return this.#of.get(toHex(address)) ?? this.#add(address, consAddress(address));
  }
}
