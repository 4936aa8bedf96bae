/** The command lines of a node: `chainlab init`, `chainlab start`. */
import {
  buildCommand,
  buildRouteMap,
  type CommandContext,
  type StricliProcess,
} from "@stricli/core";
import { errorText } from "../base/error-text.ts";
import type { GenesisSettings, NodeCommands, RunContext } from "./context.ts";
import { checkedGasPrices, OUTPUT, readHeight, readSpeed } from "./flags.ts";
import { printedJson } from "./output.ts";
import { FAILED, PASSED, UNUSABLE } from "./run.ts";
import { UsageError } from "./usage-error.ts";
import { toYaml } from "./yaml.ts";

interface Context extends CommandContext {
  readonly process: StricliProcess;
  readonly lab: RunContext;
}

const text = (brief: string, placeholder: string) =>
  ({ kind: "parsed", brief, parse: String, placeholder }) as const;
const optional = (brief: string, placeholder: string) =>
  ({ ...text(brief, placeholder), optional: true }) as const;
const yes = (brief: string) =>
  ({ kind: "boolean", brief, default: false, withNegated: false }) as const;

const HOME = {
  home: optional("Home of the node. Default: a folder in your data directory", "DIR"),
};
const GENESIS_FLAGS = {
  scenario: optional("Begin the chain from this scenario file, whose steps are run", "FILE"),
  genesis: optional("Begin the chain from this exported genesis file", "FILE"),
  prefix: optional(
    "Bech32 prefix of addresses, or three: of accounts, operators and consensus keys, separated by commas. Default: that of the file, or chain",
    "PREFIX",
  ),
  commits: {
    kind: "enum",
    brief:
      "full: commits contain real signatures, so every hash equals CometBFT's. Default: that of the file, or compact",
    values: ["compact", "full"],
    optional: true,
  },
} as const;

interface GenesisFlags {
  readonly scenario?: string;
  readonly genesis?: string;
  readonly prefix?: string;
  readonly commits?: "compact" | "full";
}

/** Runs an action on nodes; problems go to stderr. Returns the exit status. */
async function withNodes(
  { nodes, stderr }: RunContext,
  work: (nodes: NodeCommands) => Promise<number>,
): Promise<number> {
  try {
    if (nodes === undefined) throw new Error("no node can run here");
    return await work(nodes);
  } catch (error) {
    stderr.write(`${errorText(error)}\n`);
    return error instanceof UsageError ? UNUSABLE : FAILED;
  }
}

/** Genesis of a chain: the default, or one of two kinds of files. */
function genesisSettings({ scenario, genesis, prefix, commits }: GenesisFlags): GenesisSettings {
  if (scenario !== undefined && genesis !== undefined) {
    throw new UsageError("expected --scenario or --genesis, found both");
  }
  const file = scenario ?? genesis;
  return {
    ...(file !== undefined && { file }),
    ...(genesis !== undefined && { isGenesis: true }),
    ...(prefix !== undefined && { prefix }),
    ...(commits !== undefined && { commits }),
  };
}

export const initCommand = buildCommand<GenesisFlags & { readonly home?: string }, [], Context>({
  docs: {
    brief: "Lays out the home of a node, without starting it",
    fullDescription:
      "Creates a home with its configuration and the genesis of a chain in data/, for chainlab start or Cosmovisor. An existing chain stays unchanged. Example: chainlab init --home ~/lab",
  },
  parameters: { flags: { ...HOME, ...GENESIS_FLAGS } },
  async func(flags) {
    this.process.exitCode = await withNodes(this.lab, async (nodes) => {
      const home = flags.home ?? nodes.usualHome();
      const chainId = await nodes.init(home, genesisSettings(flags));
      this.lab.stdout.write(`${JSON.stringify({ home, chain_id: chainId })}\n`);
      return PASSED;
    });
  },
});

interface StartFlags extends GenesisFlags {
  readonly world?: string;
  readonly home?: string;
  readonly ephemeral: boolean;
  readonly rest: string;
  readonly rpc: string;
  readonly grpc: string;
  readonly speed?: number | "paused";
  readonly namespace: "chain" | "cosmos" | "both";
  readonly cors: string;
  readonly quiet: boolean;
  readonly labToken?: string;
  readonly binary?: string;
  readonly unsafeSkipUpgrades?: readonly number[];
  readonly minGasPrices?: string;
}

export const startCommand = buildCommand<StartFlags, [], Context>({
  docs: {
    brief: "Runs a chain that clients connect to",
    fullDescription:
      "Runs and serves the chain of a home until SIGINT or SIGTERM; a missing home is created. It prints its addresses, then one line for each block. Exit status 0: it ended on a signal; 1: it could not run; 2: the command line or the file is unusable. Example: chainlab start --home ~/lab --speed 10",
  },
  parameters: {
    flags: {
      ...HOME,
      ...GENESIS_FLAGS,
      world: optional(
        "Name or id of the world of the home to open. Default: the last saved",
        "WORLD",
      ),
      ephemeral: yes("Keep nothing: the chain is gone when the process ends"),
      rest: {
        ...text("Address of REST and the page", "ADDRESS"),
        default: "127.0.0.1:1317",
      },
      grpc: { ...text("Address of gRPC", "ADDRESS"), default: "127.0.0.1:9090" },
      rpc: {
        ...text("Address of CometBFT's RPC", "ADDRESS"),
        default: "127.0.0.1:26657",
      },
      speed: {
        kind: "parsed",
        brief: "Blocks per second, full or paused. Default: as before, or 1",
        parse: readSpeed,
        placeholder: "SPEED",
        optional: true,
      },
      namespace: {
        kind: "enum",
        brief: "Names of services: chain.*, upstream's cosmos.*, or both",
        values: ["chain", "cosmos", "both"],
        default: "both",
      },
      cors: {
        ...text(
          "Origins, with commas between them, whose pages may ask and send signed transactions beside the node's own; * for any",
          "ORIGIN",
        ),
        default: "",
      },
      labToken: optional(
        "Clients that show this token steer; without one, this machine's own page and programs do",
        "TOKEN",
      ),
      binary: optional(
        "The binary that the node runs, and with it those that no sidecar looks after",
        "NAME",
      ),
      minGasPrices: {
        kind: "parsed",
        brief: "Minimum gas price of signed transactions, such as 0.025stake",
        parse: checkedGasPrices,
        placeholder: "PRICES",
        optional: true,
      },
      unsafeSkipUpgrades: {
        kind: "parsed",
        brief:
          "Heights of planned upgrades to skip; Cosmovisor reads them only if separated by spaces",
        parse: readHeight,
        placeholder: "HEIGHTS",
        variadic: ",",
        optional: true,
      },
      quiet: yes("Print no line for blocks"),
    },
  },
  async func({ home, ephemeral, scenario, genesis, prefix, commits, labToken: token, ...flags }) {
    this.process.exitCode = await withNodes(this.lab, async (nodes) => {
      if (home !== undefined && ephemeral)
        throw new UsageError("expected --home or --ephemeral, found both");
      const location = ephemeral ? undefined : (home ?? nodes.usualHome());
      const begun = genesisSettings({
        ...(scenario && { scenario }),
        ...(genesis && { genesis }),
        ...(prefix !== undefined && { prefix }),
        ...(commits !== undefined && { commits }),
      });
      const { unsafeSkipUpgrades: skipUpgrades, ...others } = flags;
      const settings = {
        ...others,
        ...(token && { token }),
        ...(skipUpgrades && { skipUpgrades }),
      };
      const say = (line: string) => this.lab.stdout.write(`${line}\n`);
      await nodes.start({ home: location, ...begun, ...settings }, say);
      return PASSED;
    });
  },
});

export const statusCommand = buildCommand<
  { readonly home?: string; readonly node?: string; readonly output: "text" | "json" },
  [],
  Context
>({
  docs: {
    brief: "Prints the status of a running node",
    fullDescription:
      "Prints one line of JSON: the node, its height, and its validator. Exit status 1 if no node answers. Example: chainlab status --home ~/lab",
  },
  parameters: {
    flags: { ...HOME, node: optional("Address of its RPC instead", "ADDRESS"), ...OUTPUT },
    aliases: { o: "output" },
  },
  async func({ home, node }) {
    this.process.exitCode = await withNodes(this.lab, async (nodes) => {
      const status = await nodes.status(home ?? nodes.usualHome(), node);
      this.lab.stdout.write(printedJson(status));
      return PASSED;
    });
  },
});

const configFile = text("The file: client", "CONFIG");

/** Throws a UsageError for any file other than the clients'. */
function checkConfig(config: string): void {
  if (config !== "client") throw new UsageError(`expected client, found "${config}"`);
}

interface StatusOfNode {
  readonly validator_info?: { readonly pub_key?: { readonly value?: string } };
}

export const cometCommands = buildRouteMap<string, Context>({
  docs: { brief: "Prints values of CometBFT on a running node" },
  routes: {
    showValidator: buildCommand<{ readonly home?: string }, [], Context>({
      docs: {
        brief: "Prints the key with which the node validates",
        fullDescription:
          "Prints the public key of the node's validator as JSON, in the form for create-validator. Example: chainlab comet show-validator --home ~/lab",
      },
      parameters: { flags: HOME },
      async func({ home }) {
        this.process.exitCode = await withNodes(this.lab, async (nodes) => {
          const status = (await nodes.status(home ?? nodes.usualHome(), undefined)) as StatusOfNode;
          const key = status.validator_info?.pub_key?.value ?? "";
          const shown = { "@type": "/cosmos.crypto.ed25519.PubKey", key };
          this.lab.stdout.write(`${JSON.stringify(shown)}\n`);
          return PASSED;
        });
      },
    }),
  },
});

export const configCommands = buildRouteMap<string, Context>({
  docs: { brief: "Prints and writes settings of a home" },
  routes: {
    set: buildCommand<{ readonly home?: string }, [string, string, string], Context>({
      docs: {
        brief: "Writes a setting of a home's clients",
        fullDescription:
          "Writes a setting into config/client.toml of a home: output is the default output format of query, tx, lab and keys. The node rewrites its addresses and chain at its start. Example: chainlab config set client output json --home ~/lab",
      },
      parameters: {
        flags: HOME,
        positional: {
          kind: "tuple",
          parameters: [
            configFile,
            text("The setting, such as chain-id, node or output", "KEY"),
            text("Its value", "VALUE"),
          ],
        },
      },
      async func({ home }, config, key, value) {
        this.process.exitCode = await withNodes(this.lab, async (nodes) => {
          checkConfig(config);
          await nodes.setClientSetting(home ?? nodes.usualHome(), key, value);
          return PASSED;
        });
      },
    }),
    view: buildCommand<{ readonly home?: string }, [string], Context>({
      docs: {
        brief: "Prints all settings of a home's clients",
        fullDescription:
          "Prints config/client.toml of a home. Example: chainlab config view client --home ~/lab",
      },
      parameters: { flags: HOME, positional: { kind: "tuple", parameters: [configFile] } },
      async func({ home }, config) {
        this.process.exitCode = await withNodes(this.lab, async (nodes) => {
          checkConfig(config);
          this.lab.stdout.write(await nodes.clientSettings(home ?? nodes.usualHome()));
          return PASSED;
        });
      },
    }),
    get: buildCommand<{ readonly home?: string }, [string, string], Context>({
      docs: {
        brief: "Prints a setting of a home's clients",
        fullDescription:
          "Prints a setting as it stands in config/client.toml of a home. Example: chainlab config get client chain-id --home ~/lab",
      },
      parameters: {
        flags: HOME,
        positional: {
          kind: "tuple",
          parameters: [configFile, text("The setting, such as chain-id, node or grpc-addr", "KEY")],
        },
      },
      async func({ home }, config, key) {
        this.process.exitCode = await withNodes(this.lab, async (nodes) => {
          checkConfig(config);
          const setting = await nodes.clientSetting(home ?? nodes.usualHome(), key);
          this.lab.stdout.write(`${setting}\n`);
          return PASSED;
        });
      },
    }),
  },
});

export const versionCommand = buildCommand<
  { readonly long: boolean; readonly output: "text" | "json" },
  [],
  Context
>({
  docs: { brief: "Prints the version of the program" },
  parameters: {
    flags: { long: yes("Print its name as well"), ...OUTPUT },
    aliases: { o: "output" },
  },
  async func({ long, output: form }) {
    this.process.exitCode = await withNodes(this.lab, async ({ version }) => {
      const all = { name: "chainlab", server_name: "chainlabd", version };
      if (form === "json") this.lab.stdout.write(printedJson(long ? all : { version }));
      else this.lab.stdout.write(long ? toYaml(all) : `${version}\n`);
      return PASSED;
    });
  },
});

export const preUpgradeCommand = buildCommand<Record<never, never>, [], Context>({
  docs: {
    brief: "Runs before an upgrade by Cosmovisor",
    fullDescription: "It has nothing to do: exit status 0.",
  },
  parameters: {},
  async func() {
    this.process.exitCode = PASSED;
  },
});

export const cosmovisorHomeCommand = buildCommand<
  { readonly home?: string; readonly binaries: readonly string[] },
  [],
  Context
>({
  docs: {
    brief: "Lays out a home that Cosmovisor runs, with a launcher for each binary",
    fullDescription:
      "Lays out a home with a launcher for each binary below cosmovisor/, the first as that of the genesis, and prints the settings that Cosmovisor needs. Example: chainlab cosmovisor-home --home ~/lab --binaries v1,v2",
  },
  parameters: {
    flags: {
      ...HOME,
      binaries: {
        kind: "parsed",
        brief: "Binaries of the chain, the first of them that of the genesis",
        parse: String,
        placeholder: "NAMES",
        variadic: ",",
      },
    },
  },
  async func({ home, binaries }) {
    this.process.exitCode = await withNodes(this.lab, async (nodes) => {
      const settings = await nodes.cosmovisorHome(home ?? nodes.usualHome(), binaries);
      this.lab.stdout.write(settings.map((line) => `${line}\n`).join(""));
      return PASSED;
    });
  },
});
