/** Costs that must not grow with the height: measured in one build, as ratios of one run. */

import type { Simulation } from "../../src/engine/simulation/simulation.ts";
import { lazyObserver } from "../../src/view/lab/frame/observed.ts";
import { median, timeOf } from "./clock.ts";
import { createWorld, quietBlock, tombstone } from "./world.ts";

export interface Ratios {
  readonly validators: number;
  readonly low: number;
  readonly high: number;
  /** Cost of a quiet block at the high height, relative to the low one. */
  readonly blockRatio: number;
  /** Cost of a frame with a tombstoned validator, relative to a healthy chain at that height. */
  readonly tombstonedRatio: number;
  /** The same over that of a healthy chain at the low height. */
  readonly heightRatio: number;
}

const VALIDATORS = 100;
const LOW_HEIGHT = 1000;
/** Few blocks each, so that the low chain stays low; many windows, for the median. */
const WINDOWS = 101;
const BLOCKS = 20;
/** Frames in one window, each after another block. */
const FRAMES = 10;

export const ratiosOf = (high: number, samples: number): Ratios => ({
  validators: VALIDATORS,
  low: LOW_HEIGHT,
  high,
  blockRatio: blockRatio(high),
  ...frameRatios(high, samples),
});

/** One chain is taken high up, another stays low; then windows of both alternate. */
function blockRatio(high: number): number {
  const lowChain = createWorld(VALIDATORS);
  const highChain = createWorld(VALIDATORS);
  raise(lowChain, LOW_HEIGHT);
  raise(highChain, high);
  const cost = (chain: Simulation): number => timeOf(() => quietBlock(chain), BLOCKS);
  const lowCosts: number[] = [];
  const highCosts: number[] = [];
  for (let i = 0; i < WINDOWS; i++) {
    // The second one runs with warm caches: alternate.
    if (i % 2 === 0) highCosts.push(cost(highChain));
    lowCosts.push(cost(lowChain));
    if (i % 2 === 1) highCosts.push(cost(highChain));
  }
  return median(highCosts) / median(lowCosts);
}

/** Windows of all three chains alternate; each chain takes its turn at being the first. */
function frameRatios(high: number, samples: number) {
  const tombstoned = createWorld(VALIDATORS);
  tombstone(tombstoned);
  const lowHealthy = framesOf(createWorld(VALIDATORS), LOW_HEIGHT);
  const highHealthy = framesOf(createWorld(VALIDATORS), high);
  const highTombstoned = framesOf(tombstoned, high);
  const chains = [lowHealthy, highHealthy, highTombstoned];
  for (let i = 0; i < samples; i++) {
    for (let j = 0; j < chains.length; j++) chains[(i + j) % chains.length]?.sample();
  }
  const cost = median(highTombstoned.costs);
  return {
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
