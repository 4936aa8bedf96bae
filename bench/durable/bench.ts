import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { hashQuickly } from "../../src/node/quick-hashes.ts";
import { killNodes } from "../../tools/kill-nodes.ts";
import { type KillResult, killWhileActing } from "../../tools/kill-while-acting.ts";
import { type Bench, type Report, UsageError } from "../bench.ts";
import { BRANCHES, branchMemory } from "./branches.ts";
import { bytesPerTransaction, savingCost } from "./folder.ts";
import { killHeadless } from "./kills.ts";
import { startTimes } from "./node.ts";
import { memoryAt, type ProcessMemory, reopenTime, type Served, servePage } from "./page.ts";
import { type Row, reportOf } from "./report.ts";

/** Sizes of a usual run, of a quick look, and of one that takes hours. */
const SIZES = {
  usual: {
    blocks: 1_000_000,
    heights: [200_000, 2_000_000],
    transactions: 500_000,
    savingSeconds: 60,
    kills: 20,
  },
  quick: {
    blocks: 50_000,
    heights: [20_000, 200_000],
    transactions: 20_000,
    savingSeconds: 10,
    kills: 3,
  },
  long: {
    blocks: 10_000_000,
    heights: [2_000_000, 20_000_000],
    transactions: 10_000_000,
    savingSeconds: 180,
    kills: 200,
  },
} as const;
type Size = Omit<(typeof SIZES)[keyof typeof SIZES], "kills"> & { readonly kills: number };

const MEGABYTE = 1024 * 1024;
/** Maximum memory of a page at any length of the chain. */
const PAGE_MEGABYTES = 300;
/** 4 GB for 10 million transactions. */
const BYTES_PER_TRANSACTION = 430;

/** Working directory, size and page of a measurement. */
interface Place {
  readonly scratch: string;
  readonly size: Size;
  /** Returns the address of the served page; built on first use. */
  origin(): Promise<string>;
}

const MEASURES: Readonly<Record<string, (place: Place) => Promise<readonly Row[]>>> = {
  async reopen({ scratch, size, origin }) {
    const { blocks } = size;
    const time = await reopenTime(await origin(), join(scratch, "reopen"), blocks);
    const limit = blocks > 1_000_000 ? 3000 : 1500;
    const what = `open a world of ${blocks.toLocaleString("en")} blocks, 100 validators, to the first live block`;
    return [{ what, value: time, unit: "ms", limit }];
  },
  async saving({ scratch, size }) {
    const share = await savingCost(join(scratch, "saving"), size.savingSeconds);
    return [{ what: "saving, of the block rate", value: 100 * share, unit: "%", limit: 5 }];
  },
  async disk({ scratch, size }) {
    const { transactions } = size;
    const value = await bytesPerTransaction(join(scratch, "disk"), transactions);
    const what = `on disk for each of ${transactions.toLocaleString("en")} transactions`;
    return [{ what, value, unit: "B", limit: BYTES_PER_TRANSACTION }];
  },
  async memory({ scratch, size, origin }) {
    const { heights } = size;
    const memory = await memoryAt(await origin(), join(scratch, "memory"), heights);
    const { empty, at, watched } = memory;
    const rows = at.flatMap((busy, i) =>
      memoryRows(`at ${heights[i]?.toLocaleString("en")} blocks at full speed`, busy, empty),
    );
    const [low, high] = at;
    const ratio = high && low ? high.resident / low.resident : 0;
    rows.push(...memoryRows(WATCHED, watched, empty));
    return [...rows, { what: `the second ÷ the first`, value: ratio, unit: "", limit: 1.2 }];
  },
  async branches({ scratch, size, origin }) {
    const blocks = Math.floor(size.blocks / 10);
    const { empty, at, watched } = await branchMemory(await origin(), scratch, blocks);
    const rows = at.flatMap((memory, branches) =>
      branches > 1 && branches < BRANCHES
        ? []
        : memoryRows(
            `after ${branches} branches of ${blocks.toLocaleString("en")} blocks`,
            memory,
            empty,
          ),
    );
    return [...rows, ...memoryRows(WATCHED, watched, empty)];
  },
  async kills({ scratch, size, origin }) {
    const profile = join(scratch, "profile");
    const page = await killWhileActing(await origin(), profile, size.kills, Math.random, progress);
    const headless = await killHeadless(join(scratch, "folder"), size.kills, progress);
    return [killRow("a browser", page), killRow("a headless session", headless)];
  },
  async node({ scratch, size }) {
    const { kills, starts, ...result } = await killNodes(
      join(scratch, "home"),
      size.kills,
      Math.random,
      progress,
    );
    const answer = Math.max(...starts.slice(1));
    return [
      killRow("chainlab start, beside transactions and faults", { kills, ...result }),
      {
        what: "the longest of its starts, from the command to the last door",
        value: answer,
        unit: "ms",
      },
      ...(await startTimes(join(scratch, "starts"), size.blocks)),
    ];
  },
};

const WATCHED = "after that, two minutes at a block a second";

/** Returns the memory of the page's process by each count, and the difference to an empty tab. */
function memoryRows(when: string, page: ProcessMemory, empty: ProcessMemory): readonly Row[] {
  const row = (what: string, of: (memory: ProcessMemory) => number | undefined): Row[] => {
    const value = of(page);
    const without = of(empty);
    if (value === undefined || without === undefined) return [];
    const [shown, less] = [value / MEGABYTE, without / MEGABYTE];
    const note = `an empty tab ${less.toFixed(0)} MB, the difference ${(shown - less).toFixed(0)} MB`;
    return [
      {
        what: `page's process ${when}, ${what}`,
        value: shown,
        unit: "MB",
        limit: PAGE_MEGABYTES,
        note,
      },
    ];
  };
  return [
    ...row("resident", ({ resident }) => resident),
    ...row("proportional", ({ shares }) => shares?.proportional),
    ...row("private", ({ shares }) => shares?.own),
  ];
}

const killRow = (what: string, { kills, acknowledged, lost }: KillResult): Row => ({
  what: `lost of ${acknowledged} acknowledged actions at ${kills} kills of ${what}`,
  value: lost.length,
  unit: "",
  limit: 0,
});

const progress = (line: string): void => console.error(line);

/** Checks that saved worlds lose nothing, and measures the cost of saving and of reopening. */
export const durableBench: Bench = {
  summary: "saved worlds: opening, cost, size and memory, and kills while acting",
  options: [
    `--only NAME,…       some of ${Object.keys(MEASURES).join(", ")}`,
    "--kills N           that many kills instead",
    "--quick             small worlds and few kills: a look, not a result",
    "--long              10 million blocks and transactions, 200 kills: hours",
  ].join("\n"),

  async run(args: readonly string[]): Promise<Report> {
    const { names, size } = read(args);
    await hashQuickly();
    const scratch = await mkdtemp(join(tmpdir(), "chainlab-durable-"));
    let served: Promise<Served> | undefined;
    const origin = async (): Promise<string> => {
      served ??= servePage(scratch);
      return (await served).origin;
    };
    try {
      const rows: Row[] = [];
      for (const name of names) {
        progress(`${name} …`);
        rows.push(...((await MEASURES[name]?.({ scratch, size, origin })) ?? []));
      }
      return reportOf("durable", rows);
    } finally {
      await (await served)?.close();
      await rm(scratch, { recursive: true, force: true });
    }
  },
};

function read(args: readonly string[]): { names: readonly string[]; size: Size } {
  const { only, kills, quick, long } = parsed(args);
  const names = only?.split(",") ?? Object.keys(MEASURES);
  const unknown = names.find((name) => !Object.hasOwn(MEASURES, name));
  if (unknown !== undefined) {
    throw new UsageError(`--only ${unknown}: expected ${Object.keys(MEASURES).join(", ")}`);
  }
  if (kills !== undefined && !/^[1-9]\d{0,5}$/.test(kills)) {
    throw new UsageError(`--kills ${kills}: expected a number of kills`);
  }
  const size = SIZES[long ? "long" : quick ? "quick" : "usual"];
  return { names, size: kills === undefined ? size : { ...size, kills: Number(kills) } };
}

function parsed(args: readonly string[]) {
  try {
    const options = {
      only: { type: "string" },
      kills: { type: "string" },
      quick: { type: "boolean" },
      long: { type: "boolean" },
    } as const;
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
