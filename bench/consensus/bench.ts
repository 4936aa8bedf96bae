import { parseArgs } from "node:util";
import type { Simulation } from "../../src/engine/simulation/simulation.ts";
import { hashQuickly } from "../../src/node/quick-hashes.ts";
import { type Bench, type Report, UsageError } from "../bench.ts";
import { median, timeOf } from "../engine/clock.ts";
import { createWorld, quietBlock } from "../engine/world.ts";

const FEW = 100;
const MANY = 1000;
const TARGET_RATIO = 4;
const WARM_UP = 300;
/** Blocks or rounds of one window, so that it lasts some milliseconds whatever they cost. */
const WINDOW = { quiet: 40, halted: 200, full: 1 } as const;
const SAMPLES = { thorough: 61, quick: 21 } as const;
/** With a signature for each validator and block, windows are long enough without repeating them. */
const FULL_SAMPLES = 9;

type Kind = keyof typeof WINDOW;

interface Measured {
  readonly kind: Kind;
  readonly validators: number;
  readonly microseconds: number;
}

/** Cost of rounds: quiet, without a possible block, and with every vote signed. */
export const consensusBench: Bench = {
  summary: "rounds of 100 and 1,000 validators: quiet, halted, and with commits: full",
  options: "--quick             fewer samples",

  async run(args: readonly string[]): Promise<Report> {
    const samples = SAMPLES[readQuick(args) ? "quick" : "thorough"];
    await hashQuickly();
    return reportOf([
      ...pair("quiet", samples, (validators) => createWorld(validators)),
      ...pair("halted", samples, haltedWorld),
      ...pair("full", FULL_SAMPLES, (validators) => createWorld(validators, "full")),
    ]);
  },
};

function readQuick(args: readonly string[]): boolean {
  try {
    return (
      parseArgs({ args: [...args], options: { quick: { type: "boolean" } } }).values.quick ?? false
    );
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** A chain with every second node stopped: rounds pass and no block is made. */
function haltedWorld(validators: number): Simulation {
  const sim = createWorld(validators);
  quietBlock(sim);
  for (const [i, { name }] of sim.spec.validators.entries()) {
    if (i % 2 === 0) sim.apply({ type: "node", node: name, action: { kind: "stop" } });
  }
  if (sim.advance().decided !== undefined) throw new Error("a block came with half the power");
  return sim;
}

/** Alternates few and many, so that other load on the host slows both. */
function pair(kind: Kind, samples: number, create: (validators: number) => Simulation): Measured[] {
  console.error(`${kind} …`);
  const window = WINDOW[kind];
  const worlds = [FEW, MANY].map((validators) => {
    const sim = create(validators);
    const round = kind === "halted" ? () => void sim.advance() : () => quietBlock(sim);
    timeOf(round, kind === "full" ? 1 : WARM_UP);
    return { validators, round, milliseconds: [] as number[] };
  });
  for (let i = 0; i < samples; i++) {
    for (const { round, milliseconds } of worlds) milliseconds.push(timeOf(round, window) / window);
  }
  return worlds.map(({ validators, milliseconds }) => ({
    kind,
    validators,
    microseconds: median(milliseconds) * 1000,
  }));
}

const WHAT: Readonly<Record<Kind, string>> = {
  quiet: "quiet block, compact commits",
  halted: "round of a halted chain",
  full: "quiet block, commits: full",
};

function reportOf(measured: readonly Measured[]): Report {
  const ratioOf = (kind: Kind): number => {
    const [few, many] = measured.filter((one) => one.kind === kind);
    return (many?.microseconds ?? 0) / (few?.microseconds ?? 1);
  };
  const rows = measured.map(({ kind, validators, microseconds }) => {
    const perSecond = Math.round(1e6 / microseconds).toLocaleString("en");
    return `${WHAT[kind].padEnd(36)}${String(validators).padStart(6)}${microseconds.toFixed(1).padStart(14)}${perSecond.padStart(14)}`;
  });
  const ratio = ratioOf("quiet");
  return {
    json: {
      bench: "consensus",
      targets: { quietRatio: TARGET_RATIO },
      quietRatio: ratio,
      fullRatio: ratioOf("full"),
      measured,
    },
    table: [
      `${"".padEnd(36)}${"val.".padStart(6)}${"µs each".padStart(14)}${"per second".padStart(14)}`,
      ...rows,
      `a quiet block with ${MANY} validators ÷ with ${FEW}: ${ratio.toFixed(2)} (target ≤ ${TARGET_RATIO})`,
    ].join("\n"),
  };
}
