/** `npm run bench -- NAME [--json]`: runs a benchmark; stdout holds its report and nothing else. */
import { type Bench, UsageError } from "./bench.ts";
import { consensusBench } from "./consensus/bench.ts";
import { doorsBench } from "./doors/bench.ts";
import { durableBench } from "./durable/bench.ts";
import { engineBench } from "./engine/bench.ts";
import { pageBench } from "./page/bench.ts";
import { queueBench } from "./queue/bench.ts";
import { searchBench } from "./search/bench.ts";
import { seekBench } from "./seek/bench.ts";
import { slashingBench } from "./slashing/bench.ts";
import { startBench } from "./start/bench.ts";
import { stateBench } from "./state/bench.ts";
import { upgradeBench } from "./upgrade/bench.ts";

const BENCHES: Readonly<Record<string, Bench>> = {
  engine: engineBench,
  start: startBench,
  consensus: consensusBench,
  slashing: slashingBench,
  upgrade: upgradeBench,
  durable: durableBench,
  page: pageBench,
  doors: doorsBench,
  state: stateBench,
  seek: seekBench,
  search: searchBench,
  queue: queueBench,
};

try {
  await main(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof UsageError ? error.message : error);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}

async function main(args: readonly string[]): Promise<void> {
  if (args.includes("--help") || args.includes("-h")) {
    console.log(help());
    return;
  }
  const [name, ...rest] = args;
  const bench = BENCHES[name ?? ""];
  if (bench === undefined) {
    const requested = name === undefined ? "Name a benchmark." : `There is no benchmark ${name}.`;
    throw new UsageError(`${requested} Known: ${Object.keys(BENCHES).join(", ")}`);
  }
  const report = await bench.run(rest.filter((arg) => arg !== "--json"));
  console.log(rest.includes("--json") ? JSON.stringify(report.json) : report.table);
}

function help(): string {
  const benches = Object.entries(BENCHES).map(
    ([name, { summary, options }]) => `${name}: ${summary}\n${options.replace(/^/gm, "  ")}`,
  );
  return [
    "npm run bench -- NAME [options]",
    "",
    ...benches,
    "",
    "every benchmark:",
    "  --json              one JSON object on stdout instead of a table",
    "",
    "Targets are printed beside the results and never decide the exit code.",
  ].join("\n");
}
