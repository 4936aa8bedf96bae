/**
 * `status`, `version` and `keys` in a terminal of the page, which has neither a process nor keys.
 */
import {
  buildCommand,
  buildRouteMap,
  type CommandContext,
  type StricliProcess,
} from "@stricli/core";
import { errorText } from "../base/error-text.ts";
import type { ChainHere, RunContext } from "./context.ts";
import { OUTPUT } from "./flags.ts";
import { addressAs, BECH, type Bech } from "./keys.ts";
import { printedJson } from "./output.ts";
import { FAILED, PASSED } from "./run.ts";
import { toYaml } from "./yaml.ts";

interface Context extends CommandContext {
  readonly process: StricliProcess;
  readonly lab: RunContext;
}

const ALIASES = { o: "output" } as const;

interface Flags {
  readonly output: "text" | "json";
}

const yes = (brief: string) =>
  ({ kind: "boolean", brief, default: false, withNegated: false }) as const;

/** Prints data of the page's chain. Returns the exit status. */
async function printed(
  { here, stdout, stderr }: RunContext,
  say: (here: ChainHere) => Promise<string>,
): Promise<number> {
  try {
    if (here === undefined) throw new Error("no chain is here");
    stdout.write(await say(here));
    return PASSED;
  } catch (error) {
    stderr.write(`${errorText(error)}\n`);
    return FAILED;
  }
}

interface NodeInfo {
  readonly default_node_info: Readonly<Record<string, unknown>>;
  readonly application_version: { readonly name: string; readonly version: string };
}

const nodeInfo = async (here: ChainHere): Promise<NodeInfo> =>
  (await here.query("chain.base.tendermint.v1beta1.Service/GetNodeInfo", {}, 0)) as NodeInfo;

interface Block {
  readonly height: number;
  readonly hash: string;
  readonly time: string;
  readonly app_hash: string;
}

export const statusCommand = buildCommand<Flags, [], Context>({
  docs: {
    brief: "Prints the status of this page's chain",
    fullDescription:
      "Prints one line of JSON like a node: the chain and its height. It has no validator of its own, because the page is not a node; query validators lists all. Example: status",
  },
  parameters: { flags: OUTPUT, aliases: ALIASES },
  async func() {
    this.process.exitCode = await printed(this.lab, async (here) => {
      const { default_node_info } = await nodeInfo(here);
      const block = (await here.query("lab.v1.Lab/GetBlock", {}, 0)) as Block;
      return printedJson({
        node_info: default_node_info,
        sync_info: {
          latest_block_hash: block.hash,
          latest_app_hash: block.app_hash,
          latest_block_height: `${block.height}`,
          latest_block_time: block.time,
          catching_up: false,
        },
      });
    });
  },
});

export const versionCommand = buildCommand<Flags & { readonly long: boolean }, [], Context>({
  docs: { brief: "Prints the version of the program" },
  parameters: { flags: { long: yes("Print its name as well"), ...OUTPUT }, aliases: ALIASES },
  async func({ long, output }) {
    this.process.exitCode = await printed(this.lab, async (here) => {
      const { name, version } = (await nodeInfo(here)).application_version;
      if (output === "json") return printedJson(long ? { name, version } : { version });
      return long ? toYaml({ name, version }) : `${version}\n`;
    });
  },
});

const NO_KEYS =
  "no key is kept in a page, whose accounts act without one: the same command in a shell keeps keys for a node\n";

/** A keys command that is unavailable in a page, and reports that. */
const refused = (brief: string) =>
  buildCommand<object, string[], Context>({
    docs: { brief: `${brief}; not in a page, where no key is kept` },
    parameters: {
      flags: {},
      positional: { kind: "array", parameter: { brief: "As in a shell", parse: String } },
    },
    func() {
      this.lab.stderr.write(NO_KEYS);
      this.process.exitCode = FAILED;
    },
  });

export const keysCommands = buildRouteMap<string, Context>({
  docs: { brief: "Shows the accounts of this chain; they have no keys" },
  routes: {
    list: buildCommand<Flags & { readonly listNames: boolean }, [], Context>({
      docs: {
        brief: "Lists the accounts that act here, by name",
        fullDescription: "Lists the accounts that act here, by name. Example: keys list -n",
      },
      parameters: {
        flags: { listNames: yes("Only their names"), ...OUTPUT },
        aliases: { n: "listNames", ...ALIASES },
      },
      async func({ listNames, output }) {
        this.process.exitCode = await printed(this.lab, async (here) => {
          const all = here.accounts();
          if (listNames) return all.map(({ name }) => `${name}\n`).join("");
          return output === "json" ? printedJson(all) : toYaml(all);
        });
      },
    }),
    show: buildCommand<
      Flags & { readonly address: boolean; readonly bech: Bech },
      [string],
      Context
    >({
      docs: {
        brief: "Shows the address of an account",
        fullDescription:
          "Shows the address of an account by its name, in any of its forms. Examples: keys show alice --address; keys show val-0 -a --bech val",
      },
      parameters: {
        flags: { address: yes("Only its address"), bech: BECH, ...OUTPUT },
        aliases: { a: "address", ...ALIASES },
        positional: {
          kind: "tuple",
          parameters: [
            { brief: "The account's name or address", parse: String, placeholder: "NAME" },
          ],
        },
      },
      async func({ address, bech, output }, named) {
        this.process.exitCode = await printed(this.lab, async (here) => {
          const found = here.accounts().find((one) => [one.name, one.address].includes(named));
          if (found === undefined) throw new Error(`there is no account ${named} here`);
          const as = await addressAs(found.address, bech, here.prefixes());
          if (address) return `${as}\n`;
          const shown = { ...found, address: as };
          return output === "json" ? printedJson(shown) : toYaml(shown);
        });
      },
    }),
    add: refused("Makes a new key"),
    import: refused("Imports a key from a mnemonic"),
    delete: refused("Deletes a key"),
  },
});
