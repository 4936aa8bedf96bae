/**
 * The architecture guard: which part of the source may import which, and which packages.
 *
 * One table, deny by default: a file in no row, an import that no row allows and a file that cannot
 * be read are all violations. `tsc -b` knows the outer layers too; only this guard knows the layers
 * inside the engine, keeps modules apart and sees packages, workers and sources of non-determinism.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { FactsCache } from "./facts-cache.ts";
import { readFacts, type SourceFacts } from "./source-facts.ts";

export interface Violation {
  /** Path from the repository root, with forward slashes. */
  file: string;
  line: number;
  why: string;
}

type ReadFacts = (file: string, source: string) => SourceFacts;

interface Row {
  /** Folders this layer may import besides itself. */
  reaches: readonly string[];
  /** npm packages it may import; "node:*" stands for everything built into Node. */
  packages: readonly string[];
}

const PROTOBUF = "@bufbuild/protobuf";
const engine = (...inner: string[]): string[] => inner.map((name) => `src/engine/${name}`);

/** A `*` makes every folder at that place a layer of its own. */
const TABLE: Record<string, Row> = {
  "src/gen": { reaches: [], packages: [PROTOBUF] },
  "src/base": { reaches: [], packages: ["@noble/ed25519", "@noble/hashes", "libsodium-sumo"] },

  "src/engine/store": { reaches: ["src/base"], packages: [] },
  "src/engine/framework": {
    reaches: ["src/gen", "src/base", ...engine("store")],
    packages: [PROTOBUF],
  },
  "src/engine/modules/*": {
    reaches: ["src/gen", "src/base", ...engine("framework", "store")],
    packages: [PROTOBUF],
  },
  "src/engine/app": {
    reaches: ["src/gen", "src/base", ...engine("modules", "framework", "store")],
    packages: [PROTOBUF],
  },
  "src/engine/consensus": { reaches: ["src/base", ...engine("store")], packages: [] },
  "src/engine/network": {
    reaches: [
      "src/gen",
      "src/base",
      ...engine("consensus", "app", "modules", "framework", "store"),
    ],
    packages: [PROTOBUF],
  },
  "src/engine/simulation": { reaches: ["src/gen", "src/base", "src/engine"], packages: [PROTOBUF] },

  "src/view": {
    reaches: ["src/engine", "src/gen", "src/base"],
    packages: [PROTOBUF, "@noble/curves", "@noble/hashes", "@scure/bip32", "@scure/bip39"],
  },
  // Before the folder that it lies in, whose files may not import it.
  "src/scenario/search": {
    reaches: ["src/scenario", "src/view", "src/engine", "src/base"],
    packages: ["fast-check", "valibot"],
  },
  "src/scenario": {
    reaches: ["src/view", "src/engine", "src/gen", "src/base"],
    packages: [PROTOBUF, "valibot", "yaml"],
  },

  "src/session": {
    reaches: ["src/scenario", "src/view", "src/engine", "src/gen", "src/base"],
    packages: ["msgpackr", "valibot"],
  },

  "src/server": {
    reaches: ["src/session", "src/view", "src/engine", "src/gen", "src/base"],
    packages: [PROTOBUF, "@connectrpc/connect"],
  },

  "src/client": { reaches: ["src/gen"], packages: [] },
  "src/cli": {
    reaches: ["src/gen", "src/base"],
    packages: [PROTOBUF, "@scure/base", "@stricli/core"],
  },
  "src/ui": {
    reaches: ["src/cli", "src/client", "src/gen", "src/base"],
    packages: [
      PROTOBUF,
      "@codemirror/autocomplete",
      "@codemirror/commands",
      "@codemirror/lang-yaml",
      "@codemirror/language",
      "@codemirror/lint",
      "@codemirror/state",
      "@codemirror/view",
      "@lezer/highlight",
      "@noble/hashes",
      "@xterm/addon-fit",
      "@xterm/xterm",
      "react",
      "react-dom",
      "recharts",
      "svgcanvas",
      "zustand",
    ],
  },

  "src/workers": {
    reaches: [
      "src/client",
      "src/server",
      "src/session",
      "src/scenario",
      "src/engine",
      "src/gen",
      "src/base",
    ],
    packages: ["idb-keyval"],
  },
  "src/node": {
    reaches: [
      "src/cli",
      "src/client",
      "src/server",
      "src/session",
      "src/scenario",
      "src/view",
      "src/engine",
      "src/gen",
      "src/base",
    ],
    packages: [
      PROTOBUF,
      "@connectrpc/connect",
      "@connectrpc/connect-node",
      "bullmq",
      "classic-level",
      "ioredis",
      "node:*",
      "ws",
    ],
  },

  bench: {
    reaches: [
      "src/base",
      "src/view",
      "src/engine",
      "src/gen",
      "src/node",
      "src/scenario",
      "src/session",
      "tools",
    ],
    packages: [PROTOBUF, "@grpc/grpc-js", "@playwright/test", "node:*", "vite"],
  },
  // User actions: through the page only, at a server that a test may stop. Of the sources only the
  // table of requests that all servers answer alike.
  e2e: {
    reaches: ["src/server", "tools"],
    packages: ["@playwright/test", "node:*"],
  },
};

/** Additional imports for tests, beyond their layer's row. */
const TEST_FILE = /(^|[./])(test|testing)\.tsx?$/;
const TEST_PACKAGES = [
  "@confio/ics23",
  "@cosmjs/amino",
  "@cosmjs/proto-signing",
  "@cosmjs/stargate",
  "@cosmjs/tendermint-rpc",
  "cosmjs-types",
  "@grpc/grpc-js",
  "@scure/base",
  "vitest",
  "fast-check",
  "node:*",
  "yaml",
];

/** The one place where the page starts its worker: no tool follows such an edge, so it is named here. */
const WORKER_FILE = "src/ui/store/worker.ts";
const WORKER_REACH = "src/workers";
/** The command line runs files side by side, and serves gRPC, on threads of its own bundle. */
const THREADS_FILE = "src/node/threads.ts";
/** The page's worker runs the cases of a search beside it, by its own script. */
const CASES_FILE = "src/workers/case-workers.ts";
const STARTS_WORKERS: readonly string[] = [WORKER_FILE, THREADS_FILE, CASES_FILE];

/** Sources of nondeterminism, by which two runs of the same journal would differ. */
const DETERMINISTIC: readonly string[] = ["src/engine", "src/base"];
const BANNED_IN_ENGINE: Record<string, string> = {
  "Date.now": "the wall clock is not an input; time is an argument",
  "new Date()": "the wall clock is not an input; time is an argument",
  "Date()": "the wall clock is not an input; time is an argument",
  "Math.random": "randomness comes from the seeded generator",
  "Date as a value": "its clock could be reached unseen",
  "Math as a value": "its random numbers could be reached unseen",
  ".localeCompare": "the order would depend on the host's locale",
  ".toLocaleString": "the text would depend on the host's locale",
  Intl: "the text would depend on the host's locale",
  console: "the engine does not print",
  process: "the engine knows nothing of Node",
  window: "the engine knows nothing of browsers",
  globalThis: "the engine reaches nothing outside its arguments",
};

/** Functions whose results depend on what the addresses of the world in hand begin with. */
const ADDRESS_FUNCTIONS: readonly string[] = [
  ...["accAddress", "valAddress", "consAddress", "moduleAccount", "addressPrefix"],
  ...["fromAccAddress", "fromValAddress", "fromConsAddress"],
];

/**
 * Checks every source file below `root`, and which of the table's rights no import needs: a right that
 * is left over would let in what nothing asks for. Throws when there is no file: nothing checked is not
 * a success.
 */
export function checkArchitecture(
  root: string,
  read: ReadFacts = readFacts,
): {
  files: number;
  violations: Violation[];
  unusedRights: string[];
} {
  const files = ["src", "bench", "e2e"]
    .flatMap((folder) => filesBelow(root, folder))
    .filter((file) => /\.[mc]?[jt]sx?$/.test(file))
    .sort();
  if (files.length === 0) throw new Error(`no source files below ${root}`);
  const used = new Set<string>();
  const violations = files.flatMap((file) =>
    checkFile(file, read(file, readFileSync(join(root, file), "utf8")), used),
  );
  const rights = Object.entries(TABLE).flatMap(([layer, { reaches, packages }]) =>
    [...reaches, ...packages].map((target) => right(layer, target)),
  );
  return {
    files: files.length,
    violations,
    unusedRights: rights.filter((each) => !used.has(each)),
  };
}

const right = (layer: string, target: string): string => `${layer} → ${target}`;

function filesBelow(root: string, folder: string): string[] {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map(
    (file) => `${folder}/${file.replaceAll("\\", "/")}`,
  );
}

function checkFile(file: string, facts: SourceFacts, used: Set<string>): Violation[] {
  const found: Violation[] = [];
  const report = (line: number, why: string): void => void found.push({ file, line, why });

  const layer = layerOf(file);
  const isTest = TEST_FILE.test(file);
  if (!layer) report(1, "belongs to no layer of the table in tools/architecture.ts");

  for (const { line, why } of facts.unreadable) report(line, why);
  if (layer) {
    for (const { line, specifier, how } of facts.imports) {
      // The address of something that is not source: a picture, a scenario file.
      if (how === "address" && !isWithin(targetOf(file, specifier), "src")) continue;
      const verdict = verdictOn(file, layer, isTest, specifier);
      if (verdict.refused) report(line, verdict.refused);
      if (verdict.target) used.add(right(layer.pattern, verdict.target));
    }
  }
  if (isWithin(file, "src") && !isTest && !STARTS_WORKERS.includes(file)) {
    for (const { line } of facts.workers) {
      report(line, `a Worker may be created in ${WORKER_FILE} only`);
    }
  }
  if (isWithin(file, "src") && !isTest) {
    for (const { line, name } of facts.atLoad) {
      if (!ADDRESS_FUNCTIONS.includes(name)) continue;
      report(line, `${name} when a file is loaded: no world's prefix is known then`);
    }
  }
  if (DETERMINISTIC.some((folder) => isWithin(file, folder)) && !isTest) {
    for (const { line, name } of facts.uses) {
      const why = BANNED_IN_ENGINE[name];
      if (why) report(line, `${name} in the engine: ${why}`);
    }
  }
  return found.sort((a, b) => a.line - b.line);
}

interface Verdict {
  /** Why the import is not allowed. */
  refused?: string;
  /** The folder or package of the layer's row that allows it; none is needed within a layer. */
  target?: string | undefined;
}

/** Decides if `file` may import `specifier`. */
function verdictOn(file: string, layer: Layer, isTest: boolean, specifier: string): Verdict {
  const { reaches, packages } = layer.row;
  if (specifier.startsWith(".")) {
    const imported = targetOf(file, specifier);
    const importedLayer = layerOf(imported);
    if (importedLayer?.name === layer.name) return {};
    const target = reaches.find((folder) => isWithin(imported, folder));
    if (target) return { target };
    if (file === WORKER_FILE && isWithin(imported, WORKER_REACH)) return {};
    return { refused: `${layer.name} may not import ${importedLayer?.name ?? imported}` };
  }
  if (specifier.startsWith("/") || specifier.includes(":/")) {
    return { refused: `${specifier}: import files by relative path` };
  }
  const name = packageOf(specifier);
  if (packages.includes(name)) return { target: name };
  if (isTest && TEST_PACKAGES.includes(name)) return {};
  return { refused: `${layer.name} may not import the package ${name}` };
}

function targetOf(file: string, specifier: string): string {
  return posix.join(posix.dirname(file), specifier);
}

interface Layer {
  name: string;
  /** Its key in the table. */
  pattern: string;
  row: Row;
}

function layerOf(path: string): Layer | undefined {
  for (const [pattern, row] of Object.entries(TABLE)) {
    const match = new RegExp(`^(${pattern.replace("*", "[^/]+")})/`).exec(path);
    if (match?.[1]) return { name: match[1], pattern, row };
  }
  return undefined;
}

function packageOf(specifier: string): string {
  if (specifier.startsWith("node:") || builtinModules.includes(specifier)) return "node:*";
  const parts = specifier.split("/");
  return parts.slice(0, specifier.startsWith("@") ? 2 : 1).join("/");
}

function isWithin(path: string, folder: string): boolean {
  return path.startsWith(`${folder}/`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = fileURLToPath(new URL("..", import.meta.url));
  const cache = FactsCache.open();
  const { files, violations, unusedRights } = checkArchitecture(root, cache.read);
  cache.save();
  for (const { file, line, why } of violations) console.error(`${file}:${line}  ${why}`);
  for (const unused of unusedRights) {
    console.error(`tools/architecture.ts: nothing needs the right ${unused}`);
  }
  const found = violations.length + unusedRights.length;
  console.log(`architecture: ${files} files, ${found} violations`);
  process.exitCode = found > 0 ? 1 : 0;
}
