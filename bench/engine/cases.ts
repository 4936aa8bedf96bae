import { lazyObserver } from "../../src/api/lab/frame/observed.ts";
import { accelerateSha256 } from "../../src/engine/primitives/sha256.ts";
import type { Simulation } from "../../src/engine/simulation/simulation.ts";
/** What is measured, the same in Node and in a browser's worker. */
import { hashRate, median, quantile, rateOf, timeOf } from "./clock.ts";
import {
  assertBusy,
  busyBlocks,
  createWorld,
  quietBlock,
  TXS_PER_BLOCK,
  tombstone,
} from "./world.ts";

export interface Plan {
  readonly validators: readonly number[];
  /** Shorter windows and a lower chain: for a first look. */
  readonly quick: boolean;
}

/** What the surroundings lend to a measurement. */
export interface Host {
  /** Bytes in use after a garbage collection; undefined where the engine does not expose it. */
  usedBytes(): Promise<number | undefined>;
  progress(text: string): void;
}

export interface Speed {
  readonly validators: number;
  readonly transactions: number;
  readonly blocksPerSecond: number;
  /** Of 64 bytes, measured around the blocks. */
  readonly hashesPerSecond: number;
  readonly hashEquivalentsPerBlock: number;
  /** Between the quartiles of the samples' hash-equivalents, as a part of the median. */
  readonly spread: number;
}

export interface Growth {
  readonly validators: number;
  readonly low: number;
  readonly high: number;
  /** What a quiet block costs at the high height, over what it costs at the low one. */
  readonly costRatio: number;
  /** Memory that each quiet block between half the high height and the high height left in use. */
  readonly residentBytesPerBlock: number | undefined;
}

/** What a frame costs high up in a chain with a tombstoned validator whose node runs. */
export interface FrameCost {
  readonly validators: number;
  readonly low: number;
  readonly high: number;
  /** Over what a frame of a healthy chain costs at the same height. */
  readonly tombstonedRatio: number;
  /** Over what a frame of a healthy chain costs at the low height. */
  readonly heightRatio: number;
}

export interface Result {
  readonly hashesPerSecond: number;
  readonly speeds: readonly Speed[];
  readonly growth: Growth;
  readonly frames: FrameCost;
}

interface Pace {
  readonly warmUpMs: number;
  readonly hashMs: number;
  readonly blocksMs: number;
  readonly samples: number;
  readonly height: number;
}

/** Many short windows: on a busy host the median then falls on undisturbed ones. */
const THOROUGH: Pace = { warmUpMs: 500, hashMs: 10, blocksMs: 40, samples: 31, height: 100_000 };
const QUICK: Pace = { warmUpMs: 200, hashMs: 5, blocksMs: 20, samples: 15, height: 10_000 };

const LOW_HEIGHT = 1000;
const GROWTH_VALIDATORS = 100;
/** Few blocks each, so that the low chain stays low; many windows, for the median. */
const GROWTH_WINDOWS = 101;
const GROWTH_BLOCKS = 20;
/** Frames in one window, each after another block. */
const FRAMES = 10;

export async function measure({ validators, quick }: Plan, host: Host): Promise<Result> {
  const pace = quick ? QUICK : THOROUGH;
  await accelerateSha256();
  hashRate(pace.warmUpMs);
  const speeds = validators.flatMap((count) => [
    quietSpeed(count, pace, host),
    busySpeed(count, pace, host),
  ]);
  const growth = await measureGrowth(pace, host);
  const frames = measureFrames(pace, host);
  const hashesPerSecond = median(speeds.map((speed) => speed.hashesPerSecond));
  return { hashesPerSecond, speeds, growth, frames };
}

function quietSpeed(validators: number, pace: Pace, host: Host): Speed {
  host.progress(`${validators} validators, quiet blocks`);
  const sim = createWorld(validators);
  return { validators, transactions: 0, ...speedOf(() => quietBlock(sim), pace) };
}

function busySpeed(validators: number, pace: Pace, host: Host): Speed {
  host.progress(`${validators} validators, blocks with ${TXS_PER_BLOCK} transactions`);
  const sim = createWorld(validators);
  const speed = speedOf(busyBlocks(sim), pace);
  assertBusy(sim);
  return { validators, transactions: TXS_PER_BLOCK, ...speed };
}

/** Times hashing before and after each window of blocks, so that other load on the host slows both. */
function speedOf(makeBlock: () => void, pace: Pace): Omit<Speed, "validators" | "transactions"> {
  rateOf(makeBlock, pace.warmUpMs);
  let before = hashRate(pace.hashMs);
  const samples = Array.from({ length: pace.samples }, () => {
    const blocks = rateOf(makeBlock, pace.blocksMs);
    const after = hashRate(pace.hashMs);
    const hashes = (before + after) / 2;
    before = after;
    return { blocks, hashes, ratio: hashes / blocks };
  });
  const ratios = samples.map((sample) => sample.ratio);
  const ratio = median(ratios);
  return {
    blocksPerSecond: median(samples.map((sample) => sample.blocks)),
    hashesPerSecond: median(samples.map((sample) => sample.hashes)),
    hashEquivalentsPerBlock: ratio,
    spread: (quantile(ratios, 0.75) - quantile(ratios, 0.25)) / ratio,
  };
}

/** One chain is taken high up, another stays low; then windows of both alternate. */
async function measureGrowth({ height: high }: Pace, host: Host): Promise<Growth> {
  const validators = GROWTH_VALIDATORS;
  host.progress(`${validators} validators, ${high} quiet blocks`);
  const lowChain = createWorld(validators);
  const highChain = createWorld(validators);
  raise(lowChain, LOW_HEIGHT);
  raise(highChain, high / 2);
  const before = await host.usedBytes();
  raise(highChain, high);
  const after = await host.usedBytes();

  const cost = (chain: Simulation): number => timeOf(() => quietBlock(chain), GROWTH_BLOCKS);
  const lowCosts: number[] = [];
  const highCosts: number[] = [];
  for (let i = 0; i < GROWTH_WINDOWS; i++) {
    // The second one runs with warm caches: alternate.
    if (i % 2 === 0) highCosts.push(cost(highChain));
    lowCosts.push(cost(lowChain));
    if (i % 2 === 1) highCosts.push(cost(highChain));
  }
  return {
    validators,
    low: LOW_HEIGHT,
    high,
    costRatio: median(highCosts) / median(lowCosts),
    residentBytesPerBlock:
      before === undefined || after === undefined ? undefined : (after - before) / (high / 2),
  };
}

/** Windows of all three chains alternate; each chain takes its turn at being the first. */
function measureFrames({ height: high, samples }: Pace, host: Host): FrameCost {
  const validators = GROWTH_VALIDATORS;
  host.progress(`${validators} validators, frames at height ${high}`);
  const tombstoned = createWorld(validators);
  tombstone(tombstoned);
  const lowHealthy = framesOf(createWorld(validators), LOW_HEIGHT);
  const highHealthy = framesOf(createWorld(validators), high);
  const highTombstoned = framesOf(tombstoned, high);
  const chains = [lowHealthy, highHealthy, highTombstoned];
  for (let i = 0; i < samples; i++) {
    for (let j = 0; j < chains.length; j++) chains[(i + j) % chains.length]?.sample();
  }
  const cost = median(highTombstoned.costs);
  return {
    validators,
    low: LOW_HEIGHT,
    high,
    tombstonedRatio: cost / median(highHealthy.costs),
    heightRatio: cost / median(lowHealthy.costs),
  };
}

/** Takes a chain up to a height; each sample is the cost of the newest frames of some blocks more. */
function framesOf(chain: Simulation, height: number): { costs: number[]; sample(): void } {
  raise(chain, height);
  const observed = lazyObserver(chain);
  const build = (): void => {
    const blocksAfter = chain.height - 1;
    observed().frames.build({ samples: true, blocksAfter, activityAfter: Number.MAX_SAFE_INTEGER });
  };
  const costs: number[] = [];
  build();
  return {
    costs,
    sample() {
      let cost = 0;
      for (let i = 0; i < FRAMES; i++) {
        quietBlock(chain);
        cost += timeOf(build, 1);
      }
      costs.push(cost);
    },
  };
}

function raise(chain: Simulation, height: number): void {
  while (chain.height < height) quietBlock(chain);
}
