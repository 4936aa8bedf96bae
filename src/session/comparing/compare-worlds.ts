/**
 * Compares two worlds, each through its own session: the same code in the page, a node and the
 * command line.
 */

import { shortened } from "../../base/shortened.ts";
import { STATUS, StatusError } from "../../engine/framework/errors.ts";
import type { Simulation } from "../../engine/simulation/simulation.ts";
import type {
  ComparedField,
  ComparedWorld,
  FirstDifference,
  FoundDifference,
  WorldComparison,
} from "../../gen/lab/v1/compare_plain.ts";
import { genesisValues } from "../../scenario/format-world.ts";
import { type BlockContent, BlockReader } from "../../view/lab/compare/block-content.ts";
import { blockDifferences, differ } from "../../view/lab/compare/block-differences.ts";
import { lastCommonHeight } from "../../view/lab/compare/common.ts";
import { comparedValidators, compareHeights } from "../../view/lab/compare/compare-heights.ts";
import { type ComparedHeight, comparedHeight } from "../../view/lab/compare/compared-height.ts";
import { openBlocks } from "../../view/lab/reading.ts";
import { type Caller, checkThere } from "../caller.ts";
import { openHistory } from "../open-history.ts";
import type { RunningWorld } from "../running-world.ts";
import type { OpenedWorld } from "./opened-world.ts";

/** Maximum heights searched by one answer, and heights read at once. */
const SEARCHED = 20_000;
const READ_AT_ONCE = 64;
/** Maximum parts of the genesis named in a sentence. */
const NAMED = 3;

/** One of the two worlds and its height; 0 is the newest. */
export interface Side {
  readonly opened: OpenedWorld;
  readonly height: number;
}

/**
 * Compares two worlds.
 * @param limit maximum number of keys and events; 0: the default
 * @param asker polled: does the caller still wait for the answer
 */
export async function compareWorlds(
  a: Side,
  b: Side,
  limit: number,
  caller: Caller,
): Promise<WorldComparison> {
  const check = () => checkThere(caller);
  const one = a.opened.session === b.opened.session;
  const genesis = one ? [] : genesisDifferences(simOf(a), simOf(b));
  const first = one ? undefined : await firstDifference(a.opened, b.opened, genesis, check);
  return comparedAt(a, caller, (ofA) =>
    comparedAt(b, caller, async (ofB) => {
      check();
      return {
        a: worldOf(a, ofA),
        b: worldOf(b, ofB),
        genesis: [...genesis],
        ...(first && { first }),
        ...compareHeights(ofA, ofB, limit || undefined),
      };
    }),
  );
}

const simOf = ({ opened }: Pick<Side, "opened">): Simulation => opened.session.sim;

/** Reads a side at its height; the answer is built while the world is at that height. */
const comparedAt = <T>(
  side: Side,
  { gone }: Caller,
  then: (at: ComparedHeight) => Promise<T>,
): Promise<T> => {
  const { session } = side.opened;
  const look = async (world: RunningWorld): Promise<T> =>
    then(await openHistory(session, world).read(() => comparedHeight(world.sim, world.frames)));
  return atHeight(side, look, gone);
};

/**
 * Calls a function with the world of a side as it was at its height.
 * @param gone returns true once the replay should stop
 */
export async function atHeight<T>(
  { opened: { session }, height }: Side,
  look: (world: RunningWorld) => Promise<T>,
  gone?: Caller["gone"],
): Promise<T> {
  checkHeight(session.sim, height);
  const at = height === 0 ? session.sim.height : height;
  return session.queryAt === undefined
    ? look(session.player.live)
    : session.queryAt(at, look, gone);
}

/** Throws a StatusError for a height that a chain does not have. */
export function checkHeight(sim: Simulation, height: number): void {
  const { initialHeight, height: newest } = sim;
  // A world without blocks is below its first height.
  if (height === 0 || height === newest || (height >= initialHeight && height < newest)) return;
  const text = `there is no height ${height}: ${sim.extent(height)}`;
  throw new StatusError(STATUS.invalidArgument, text);
}

function worldOf({ opened }: Side, { height, frame, commands }: ComparedHeight): ComparedWorld {
  const { session, world, name, note, parent, failure } = opened;
  const { sim } = session;
  return {
    ...{ world, name, note, failure, height, commands },
    ...(parent && { parent }),
    chainId: sim.spec.chainId,
    profile: sim.spec.profile,
    validators: comparedValidators(frame),
    initialHeight: sim.initialHeight,
    newestHeight: sim.height,
    state: frame.chainStatus?.state ?? "",
    impossible: frame.tampered.length > 0,
  };
}

/** Lists the differences between the genesis states of two worlds. */
function genesisDifferences(a: Simulation, b: Simulation): readonly ComparedField[] {
  if (a.spec === b.spec) return [];
  const [ofA, ofB] = [genesisValues(a.spec), genesisValues(b.spec)];
  return [...new Set([...ofA.keys(), ...ofB.keys()])]
    .map((name) => ({ name, a: ofA.get(name) ?? "", b: ofB.get(name) ?? "" }))
    .filter((field) => field.a !== field.b);
}

/** Finds the first difference between two worlds; undefined if there is none. */
export async function firstDifference(
  a: OpenedWorld,
  b: OpenedWorld,
  genesis: readonly ComparedField[],
  check = () => {},
): Promise<FirstDifference | undefined> {
  const [simA, simB] = [a.session.sim, b.session.sim];
  const first = Math.max(simA.initialHeight, simB.initialHeight);
  const last = Math.min(simA.height, simB.height);
  const isSame = async (height: number): Promise<boolean> => {
    check();
    const [one, other] = await Promise.all([hashesAt(a, height), hashesAt(b, height)]);
    return one !== undefined && one === other;
  };
  const hints = [a.parent?.height ?? 0, b.parent?.height ?? 0];
  const sameStart = simA.initialHeight === simB.initialHeight;
  const common = sameStart ? await lastCommonHeight({ first, last }, isSame, hints) : first - 1;
  if (common === last && last >= first) {
    if (simA.height === simB.height) {
      return genesis.length === 0 ? undefined : ofGenesis(genesis, common, common);
    }
    return {
      height: last,
      kind: "length",
      sentence: `Up to block ${last} they are the same. ${simA.height > last ? "B" : "A"} ends there, ${simA.height > last ? "A" : "B"} goes on to ${Math.max(simA.height, simB.height)}.`,
      commonHeight: last,
    };
  }
  if (common < first && genesis.length > 0) return ofGenesis(genesis, first, common);
  const height = common + 1;
  const [inA, inB] = await Promise.all([blocksAt(a, [height]), blocksAt(b, [height])]);
  const [one, other] = [inA[0], inB[0]];
  if (one === undefined || other === undefined) {
    if (one === other) return undefined;
    const longer = one === undefined ? "B" : "A";
    const sentence = `Only ${longer} has blocks.`;
    return { height: first, kind: "length", sentence, commonHeight: common };
  }
  const [[beforeA], [beforeB]] = await Promise.all([blocksAt(a, [common]), blocksAt(b, [common])]);
  const kind = one.hash === other.hash ? "state" : "block";
  return {
    height,
    kind,
    sentence: sentenceOf(one, other, [beforeA, beforeB]),
    commonHeight: common,
  };
}

function ofGenesis(
  genesis: readonly ComparedField[],
  height: number,
  commonHeight: number,
): FirstDifference {
  const named = genesis
    .slice(0, NAMED)
    .map(({ name, a, b }) => `${name} is ${shown(a, b)} in A and ${shown(b, a)} in B`);
  const more = genesis.length > NAMED ? `, and ${genesis.length - NAMED} more` : "";
  return {
    height,
    kind: "genesis",
    sentence: `They begin otherwise: ${named.join("; ")}${more}.`,
    commonHeight,
  };
}

const MOST_SHOWN = 60;
/** Characters shown before the position at which long values differ. */
const BEFORE = 20;

/** A value as shown beside another one: of long values, the part around the first difference. */
function shown(value: string, other: string): string {
  if (value === "") return "absent";
  let same = 0;
  while (same < value.length && value[same] === other[same]) same += 1;
  const from = Math.max(value.length, other.length) > MOST_SHOWN ? Math.max(0, same - BEFORE) : 0;
  return `${from > 0 ? "…" : ""}${shortened(value.slice(from), MOST_SHOWN)}`;
}

/**
 * Why two blocks, or the states after them, differ. @param before the previous blocks, if there are
 * any
 */
function sentenceOf(
  a: BlockContent,
  b: BlockContent,
  before: readonly (BlockContent | undefined)[],
): string {
  const [sentence] = blockDifferences(a, b);
  if (sentence !== undefined) return sentence;
  // A header contains the commit of the previous block.
  const [beforeA, beforeB] = before;
  const [absent] = beforeA && beforeB ? blockDifferences(beforeA, beforeB) : [];
  if (absent !== undefined) return `The block before it: ${absent}`;
  if (a.hash === b.hash) return "The block is the same, the state after it is not.";
  return a.time === b.time
    ? "The headers differ, and nothing in the blocks."
    : `Its time is ${a.time} in A and ${b.time} in B.`;
}

/** Hash of block and state at a height; undefined if there is no such block. */
async function hashesAt(opened: OpenedWorld, height: number): Promise<string | undefined> {
  const [block] = await blocksAt(opened, [height]);
  return block && `${block.hash} ${block.appHash}`;
}

/** Blocks of a world; undefined where one is missing. */
const blocksAt = (
  { session }: OpenedWorld,
  heights: readonly number[],
): Promise<readonly (BlockContent | undefined)[]> =>
  session.query(function* ({ sim }) {
    for (const height of heights) yield* openBlocks(height);
    const reader = new BlockReader(sim);
    return heights.map((height) => reader.read(height));
  });

/**
 * Finds the next height at which two worlds differ in more than hashes and times. It searches in
 * batches, and not all of a long history at once.
 * @param rest awaited between batches; rejects once the answer is no longer needed
 */
export async function findDifference(
  a: OpenedWorld,
  b: OpenedWorld,
  { from, backwards }: { readonly from: number; readonly backwards: boolean },
  rest: () => Promise<void>,
): Promise<FoundDifference> {
  const [simA, simB] = [a.session.sim, b.session.sim];
  const first = Math.max(simA.initialHeight, simB.initialHeight);
  const last = Math.min(simA.height, simB.height);
  const step = backwards ? -1 : 1;
  const begin = backwards ? Math.min(from - 1, last) : Math.max(from + 1, first);
  const ahead = backwards ? begin - first + 1 : last - begin + 1;
  // A world does not differ from itself.
  const count = a.session === b.session ? 0 : Math.max(0, ahead);
  const most = Math.min(count, SEARCHED);
  for (let done = 0; done < most; done += READ_AT_ONCE) {
    const length = Math.min(READ_AT_ONCE, most - done);
    const heights = Array.from({ length }, (_, i) => begin + step * (done + i));
    const [ofA, ofB] = await Promise.all([blocksAt(a, heights), blocksAt(b, heights)]);
    for (const [i, height] of heights.entries()) {
      const [one, other] = [ofA[i], ofB[i]];
      if (one === undefined || other === undefined || !differ(one, other)) continue;
      const sentence = blockDifferences(one, other).join(" ");
      return { height, sentence, searched: height, over: false };
    }
    await rest();
  }
  const searched = most === 0 ? from : begin + step * (most - 1);
  return { height: 0, sentence: "", searched, over: most === count };
}
