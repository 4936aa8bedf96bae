/** `chainlab start` and `chainlab init`: a chain in this process, served until it is stopped. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Worker } from "node:worker_threads";
import { prefixesOf, USUAL_PREFIX } from "../base/address-prefix.ts";
import { toHexUpper } from "../base/bytes.ts";
import { errorText } from "../base/error-text.ts";
import { prefixText } from "../base/prefix-text.ts";
import { formatRfc3339 } from "../base/time.ts";
import type { GenesisSettings, StartSettings } from "../cli/context.ts";
import { UsageError } from "../cli/usage-error.ts";
import type { WorldSpec } from "../engine/simulation/genesis/world-spec.ts";
import { Simulation } from "../engine/simulation/simulation.ts";
import { FIRST_ORIGIN } from "../session/first-world.ts";
import type { Origin } from "../session/running-world.ts";
import type { Searching } from "../session/searching/searching.ts";
import type { Namespace } from "../view/namespaces.ts";
import {
  dataOf,
  genesisDifference,
  genesisFileOf,
  hasGenesis,
  isUsed,
  layOut,
  quarantineGenesis,
  writeClientConfig,
  writeGenesis,
} from "./home.ts";
import { FolderError, FolderInUse } from "./level-storage.ts";
import { RunningChain } from "./server/chain.ts";
import { openRest } from "./server/doors.ts";
import { openGrpc } from "./server/grpc/server.ts";
import { type Bind, type ChainServer, readBind } from "./server/listen.ts";
import { report } from "./server/log.ts";
import { openRpc } from "./server/rpc.ts";
import { followNode, runBinary, skipUpgrades as skip } from "./this-node.ts";
import { GRPC_THREAD, startThread } from "./threads.ts";

/** Maximum blocks printed per slice; of more, only the newest. */
const LINES_AT_ONCE = 20;

/** The built program that runs a chain. */
interface Built {
  /** Name of the build: no other can use its keyframes. */
  readonly build: string;
  /** Its first file. */
  readonly program: URL;
  /** The folder of the built page. */
  readonly page: string;
}

/** Maximum wait for the first block, in ms. */
const FIRST_BLOCK_MS = 1_000;

const ENDINGS = ["SIGINT", "SIGTERM"] as const;

/** Lays out a home and creates its chain there, unless it has one; resolves to the chain's id. */
export async function init(home: string, build: string, genesis: GenesisSettings): Promise<string> {
  layOut(home);
  const chain = await openChain(home, build, genesis);
  const { spec } = chain.session.sim;
  await storeGenesisFile(home, spec);
  await chain.close();
  return spec.chainId;
}

/** Runs a chain and serves it until the process is stopped. */
export async function start(
  settings: StartSettings,
  built: Built,
  print: (line: string) => void,
): Promise<void> {
  const folder = settings.home ?? mkdtempSync(join(tmpdir(), "chainlab-"));
  try {
    await startIn(settings, folder, built, print);
  } finally {
    if (settings.home === undefined) rmSync(folder, { recursive: true, force: true });
  }
}

async function openChain(
  home: string,
  build: string,
  {
    speed,
    binary,
    skipUpgrades,
    minGasPrices,
    world,
    namespace,
    ...settings
  }: GenesisSettings &
    Pick<StartSettings, "speed" | "binary" | "skipUpgrades" | "minGasPrices" | "world"> & {
      readonly namespace?: Namespace;
    },
): Promise<RunningChain> {
  const { file, prefix, commits } = settings;
  const origin =
    file === undefined && prefix === undefined && commits === undefined
      ? undefined
      : (await import("./origin-file.ts")).originOf(settings);
  const genesis = genesisFileOf(home);
  const isOld = isUsed(home);
  const again = async (): Promise<Origin | undefined> => {
    if (!isOld) return undefined;
    const isSame = origin === undefined && hasGenesis(home);
    const what = isSame ? `it begins anew from ${genesis}` : "another one begins";
    report(`${dataOf(home)}: the chain of this home is not there any more: ${what}`);
    if (!isSame) return origin;
    const from = (await import("./origin-file.ts")).originOf({ file: genesis, isGenesis: true });
    const { chainId, prefix: own = USUAL_PREFIX } = (from ?? FIRST_ORIGIN).scenario.spec;
    report(`${genesis}: it is the genesis of chain ${chainId}, of address prefix ${own}`);
    return from;
  };
  const chain = await RunningChain.open(dataOf(home), build, {
    ...(origin && { origin }),
    ...(namespace && { namespace }),
    again,
    ...(world !== undefined && { world }),
    ...(speed !== undefined && { speed }),
    ...(minGasPrices !== undefined && { minGasPrices }),
    prepare: async (opened) => {
      if (binary !== undefined) await runBinary(opened, binary);
      if (skipUpgrades !== undefined) await skip(opened, skipUpgrades);
    },
  }).catch((error: unknown) => {
    const isFolders = error instanceof FolderError && !(error instanceof FolderInUse);
    throw isFolders ? new UsageError(error.message) : error;
  });
  for (const damage of chain.damages) report(damage);
  const { spec } = chain.session.sim;
  const { prefix: own = USUAL_PREFIX } = spec;
  if (prefix !== undefined && prefixText(prefixesOf(prefix)) !== own) {
    await chain.close();
    throw new Error(`--prefix: addresses of the chain in ${home} begin with ${own}, not ${prefix}`);
  }
  if (commits !== undefined && commits !== spec.commits) {
    await chain.close();
    throw new Error(`--commits: the chain in ${home} has ${spec.commits} commits, not ${commits}`);
  }
  return chain;
}

/**
 * Writes the genesis of a home's chain, and returns it; a file with another content is named and
 * set aside.
 * @param written the content of the file if nobody has edited it; that genesis unless given
 */
async function storeGenesisFile(home: string, spec: WorldSpec, text?: string): Promise<string> {
  const genesis = await genesisOf(spec);
  const difference = hasGenesis(home) ? genesisDifference(home, text ?? genesis) : undefined;
  const quarantined = difference === undefined ? undefined : quarantineGenesis(home);
  if (genesisDifference(home, genesis) !== undefined) writeGenesis(home, genesis);
  if (quarantined !== undefined) {
    report(
      `${genesisFileOf(home)}: it ${difference}: it is ${quarantined} now, and the genesis of ${spec.chainId}, the chain of this home, is written in its place`,
    );
  }
  return genesis;
}

/** The genesis that a chain began with: its running world may have other binaries by now. */
async function genesisOf(spec: WorldSpec): Promise<string> {
  // The first block does not wait for what answers queries.
  const [{ WorldQueries }, { lazyObserver }] = await Promise.all([
    import("../view/lab/world-queries.ts"),
    import("../view/lab/frame/observed.ts"),
  ]);
  const sim = Simulation.create(spec);
  return new WorldQueries(sim, lazyObserver(sim)).lab("getGenesis", {}).file;
}

function bindOf(settings: StartSettings, flag: "rest" | "rpc" | "grpc"): Bind {
  try {
    return readBind(settings[flag]);
  } catch (error) {
    throw new UsageError(`--${flag}: ${errorText(error)}`);
  }
}

async function startIn(
  settings: StartSettings,
  home: string,
  { build, program, page }: Built,
  print: (line: string) => void,
): Promise<void> {
  const { namespace, cors, quiet, token } = settings;
  const at = {
    rest: bindOf(settings, "rest"),
    rpc: bindOf(settings, "rpc"),
    grpc: bindOf(settings, "grpc"),
  };
  layOut(home);
  const ended = signalled();
  // The first gRPC thread starts while the chain is opened.
  let ready: Worker | undefined = startThread(program, GRPC_THREAD);
  const startFront = (): Worker => {
    const thread = ready ?? startThread(program, GRPC_THREAD);
    ready = undefined;
    return thread;
  };
  const chain = await openChain(home, build, settings).catch(async (error) => {
    await ready?.terminate();
    throw error;
  });
  let searching: Promise<Searching> | undefined;
  chain.session.searching = () => {
    searching ??= import("./searching.ts").then(({ searchingOf }) => searchingOf(program));
    return searching;
  };
  const servers: ChainServer[] = [];
  try {
    const served = { chain, namespace, cors, page, ...(token && { token }) };
    const rpc = await openRpc(served, at.rpc);
    servers.push(rpc);
    const grpc = await openGrpc(served, at.grpc, startFront);
    servers.push(grpc);
    // Last, since its page shows the other addresses.
    const others = { grpc: grpc.address, rpc: rpc.address };
    const rest = await openRest({ ...served, endpoints: others }, at.rest);
    servers.push(rest);
    const addresses = { ...others, rest: rest.address };
    const printChain = (): void => {
      const { chainId } = chain.session.sim.spec;
      writeClientConfig(home, { chainId, ...addresses });
      print(`chain ${chainId}, ${settings.home === undefined ? "not kept" : `kept in ${home}`}`);
    };
    printChain();
    let { spec } = chain.session.sim;
    let genesis: string | undefined;
    let text = Promise.resolve();
    // One after the other. The chain continues even if its home cannot be written.
    const write = (isOther = false): Promise<void> => {
      text = text.then(async () => {
        try {
          if (isOther) printChain();
          genesis ??= await storeGenesisFile(home, spec);
          if (chain.session.sim.spec === spec) return;
          spec = chain.session.sim.spec;
          genesis = await storeGenesisFile(home, spec, genesis);
        } catch (error) {
          report(errorText(error));
        }
      });
      return text;
    };
    chain.onWorld(() => void write(true));
    print(`REST http://${rest.address}`);
    print(`gRPC ${grpc.address}`);
    print(`RPC  http://${rpc.address}`);
    if (settings.home !== undefined) followNode(chain, home, print);
    if (!quiet) {
      const printBlocks = blockLines(chain, print);
      chain.onBlocks(printBlocks);
      // Some may have been made while the servers opened.
      printBlocks();
    }
    // Work that the first block does not need follows it, or starts after a short wait if the chain
    // is paused.
    if (chain.session.sim.height === chain.openedAt)
      await Promise.race([ended, chain.nextBlock(AbortSignal.timeout(FIRST_BLOCK_MS))]);
    await write();
    await Promise.all(servers.map((server) => server.load()));
    await ended;
  } finally {
    await Promise.all(servers.map((server) => server.close()));
    await ready?.terminate();
    await (await searching)?.close();
    await chain.close();
  }
}

/** Resolves when the process is told to stop. */
const signalled = (): Promise<void> =>
  new Promise((resolve) => {
    for (const signal of ENDINGS) process.once(signal, () => resolve());
  });

/**
 * Prints a line for each new block; if there are too many to read, only the newest, and a count.
 */
function blockLines(chain: RunningChain, print: (line: string) => void): () => void {
  let printed = chain.openedAt;
  return () => {
    const { sim } = chain.session;
    if (printed === sim.height) return;
    const first = printed < sim.height ? printed + 1 : sim.height;
    printed = sim.height;
    // A reader that has stopped reading is not awaited, and gets no more lines.
    if (process.stdout.writableNeedDrain) return;
    const passed = printed - first >= LINES_AT_ONCE ? printed - first : 0;
    for (let height = first + passed; height <= printed; height++) {
      const block = sim.block(height);
      if (block === undefined) continue;
      const many = passed > 0 ? `, after ${passed} more` : "";
      print(
        `height ${height}  ${formatRfc3339(block.time)}  txs ${block.txs.length}  app hash ${toHexUpper(block.appHash).slice(0, 16)}…${many}`,
      );
    }
  };
}
