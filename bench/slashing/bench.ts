import { hashQuickly } from "../../src/node/quick-hashes.ts";
import { type Bench, type Report, readSamples, sampleOptions } from "../bench.ts";
import { hashRate, median, timeOf } from "../engine/clock.ts";
import { DELEGATIONS, type Leaving, SlashingWorld, VALIDATORS } from "./world.ts";

const FEW = 500;
const MANY = 5000;
const SAMPLES = 15;
const WARM_UP = 3;
const HASH_MS = 30;

interface Measured extends Leaving {
  readonly milliseconds: number;
  readonly hashEquivalents: number;
}

/** Time of a double-sign slash with many redelegations, relative to hashing speed. */
export const slashingBench: Bench = {
  summary: "one block that punishes a double sign, with thousands of stakes on their way out",
  options: sampleOptions("blocks measured", SAMPLES),

  async run(args: readonly string[]): Promise<Report> {
    const samples = readSamples(args, SAMPLES);
    await hashQuickly();
    const kinds: readonly Leaving[] = [
      { offender: FEW, others: MANY },
      { offender: MANY, others: MANY },
      { offender: MANY, others: 0 },
    ];
    return reportOf(kinds.map((leaving) => measure(leaving, samples)));
  },
};

/** Times hashing before and after each block, so that other load on the host slows both. */
function measure(leaving: Leaving, samples: number): Measured {
  console.error(`${leaving.offender} + ${leaving.offender} leave the offender …`);
  const world = new SlashingWorld(leaving);
  checkPunished(world, leaving);
  timeOf(() => world.punish(), WARM_UP);
  let before = hashRate(HASH_MS);
  const blocks = Array.from({ length: samples }, () => {
    const milliseconds = timeOf(() => world.punish(), 1);
    const after = hashRate(HASH_MS);
    const hashEquivalents = (milliseconds / 1000) * ((before + after) / 2);
    before = after;
    return { milliseconds, hashEquivalents };
  });
  return {
    ...leaving,
    milliseconds: median(blocks.map((block) => block.milliseconds)),
    hashEquivalents: median(blocks.map((block) => block.hashEquivalents)),
  };
}

/** Checks that the block did slash: one burn per entry, and one for the rest. */
function checkPunished(world: SlashingWorld, { offender }: Leaving): void {
  const burns = world.punish().events.filter(({ type }) => type === "burn").length;
  if (burns !== 2 * offender + 1) throw new Error(`${burns} burns for 2 × ${offender} entries`);
}

function reportOf([few, many, alone]: readonly Measured[]): Report {
  if (few === undefined || many === undefined || alone === undefined) throw new Error("no result");
  const costRatio = many.hashEquivalents / few.hashEquivalents;
  const othersRatio = many.hashEquivalents / alone.hashEquivalents;
  const row = ({ offender, others, milliseconds, hashEquivalents }: Measured): string =>
    [
      `${count(offender)} unbonding + ${count(offender)} redelegations, and ${count(others)} + ${count(others)} of others:`,
      `${milliseconds.toFixed(0)} ms, ${count(hashEquivalents)} hash-equivalents,`,
      `${count(hashEquivalents / (2 * offender))} an entry`,
    ].join(" ");
  return {
    json: {
      bench: "slashing",
      validators: VALIDATORS,
      delegations: DELEGATIONS,
      kinds: [few, many, alone],
      costRatio,
      othersRatio,
    },
    table: [
      `${count(VALIDATORS)} validators, ${count(DELEGATIONS)} delegations to the one that signed twice`,
      ...[few, many, alone].map(row),
      `ten times the entries cost ${costRatio.toFixed(1)} times as much (linear: at most 10)`,
      `others' entries make it ${othersRatio.toFixed(2)} times as much (looked at: 2, not looked at: 1)`,
    ].join("\n"),
  };
}

const count = (value: number): string => Math.round(value).toLocaleString("en");
