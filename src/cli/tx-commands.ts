/** The command lines of `chainlab tx`, built from its table. */
import {
  buildCommand,
  buildRouteMap,
  type Command,
  type CommandContext,
  type StricliProcess,
  type TypedCommandParameters,
} from "@stricli/core";
import type { RunContext } from "./context.ts";
import { CLIENT_OUTPUT, readHeight, readInteger, readPositive, withOutput } from "./flags.ts";
import type { Terminal } from "./query-commands.ts";
import { broadcastFile, decodeBytes, encodeFile, sendTx, signFile, type TxFlags } from "./tx.ts";
import { SENDER, TX_GROUPS, type TxEntry } from "./tx-table.ts";
import { describeValue } from "./values.ts";

interface Context extends CommandContext {
  readonly process: StricliProcess;
  readonly lab: RunContext;
}

type Flags = TxFlags & Readonly<Record<string, unknown>>;
type Args = readonly (string | undefined)[];

const text = (brief: string, placeholder: string) =>
  ({ kind: "parsed", brief, parse: String, placeholder }) as const;
const optional = (brief: string, placeholder: string) =>
  ({ ...text(brief, placeholder), optional: true }) as const;
const yes = (brief: string) =>
  ({ kind: "boolean", brief, default: false, withNegated: false }) as const;
const number = (brief: string) =>
  ({ kind: "parsed", brief, parse: readHeight, placeholder: "NUMBER", optional: true }) as const;

const PLACE = {
  node: optional("The address of a running node's RPC, such as 127.0.0.1:26657", "ADDRESS"),
  grpcAddr: optional("The address of its gRPC, where accounts of the lab act", "ADDRESS"),
  home: optional("Home of the node and the keys. Default: the standard home", "DIR"),
} as const;

const MODE = {
  broadcastMode: {
    kind: "enum",
    brief: "sync: the node has checked it; async: it was sent",
    values: ["sync", "async"],
    default: "sync",
  },
} as const;

const SIGNING = {
  from: optional("The key that signs, by name or address; or an account of the lab", "KEY"),
  chainId: optional("Chain id. Default: queried from the node", "ID"),
  accountNumber: number(
    "The account's number; the node is asked unless this and --sequence are given",
  ),
  sequence: number("The account's sequence"),
  signMode: {
    kind: "enum",
    brief: "Sign mode: the bytes, or a document in amino JSON",
    values: ["direct", "amino-json"],
    default: "direct",
  },
  keyringBackend: {
    kind: "enum",
    brief: "Storage of keys: unencrypted, in files",
    values: ["test"],
    optional: true,
  },
} as const;

const readGas = (source: string): number | "auto" =>
  source === "auto" ? "auto" : readInteger(source);

const SENDING = {
  ...PLACE,
  ...SIGNING,
  ...MODE,
  ...CLIENT_OUTPUT,
  scenario: optional("Send it to the chain after this scenario file, and make a block", "FILE"),
  labToken: optional("Shows a node with a token that accounts of the lab may act", "TOKEN"),
  fees: optional("What is offered for it, such as 500stake", "COINS"),
  gasPrices: optional("What a unit of gas is offered, such as 0.025stake", "PRICES"),
  gas: {
    kind: "parsed",
    brief: "Gas limit, or auto for an estimate of the node",
    parse: readGas,
    placeholder: "GAS",
    default: "200000",
  },
  gasAdjustment: {
    kind: "parsed",
    brief: "Factor for a gas estimate",
    parse: readPositive,
    placeholder: "FACTOR",
    default: "1.3",
  },
  memo: optional("A remark that it carries", "TEXT"),
  note: optional("The same, as newer command lines call it", "TEXT"),
  timeoutHeight: number("The last height whose block may carry it"),
  yes: yes("Send it without being asked"),
  dryRun: yes("Only say how much gas it would use"),
  generateOnly: yes("Only print it, not signed"),
} as const;

const ALIASES = { y: "yes", b: "broadcastMode", o: "output" } as const;

const camel = (field: string): string =>
  field.replace(/[_-]([a-z])/g, (_, letter: string) => letter.toUpperCase());

function flagOf(source: string) {
  const name = source.replace(/[!?]$/, "");
  if (source.endsWith("?")) return [name, yes(describeValue(name))] as const;
  return [
    name,
    source.endsWith("!")
      ? text(describeValue(name), "VALUE")
      : optional(describeValue(name), "VALUE"),
  ] as const;
}

/** In the page the lab's accounts act, as for its buttons: nothing is signed, paid or confirmed. */
const ACTING = {
  from: text("The account that acts, by name or address", "ACCOUNT"),
  memo: optional("A remark that it carries", "TEXT"),
  generateOnly: yes("Only print it"),
  ...CLIENT_OUTPUT,
} as const;

const UNSIGNED = {
  gas: 0,
  gasAdjustment: 1,
  signMode: "direct",
  broadcastMode: "sync",
  yes: true,
  dryRun: false,
} as const;

/** Converts a shell example to the page's form. */
const exampleIn = (terminal: Terminal, example: string): string =>
  terminal === "shell"
    ? `chainlab tx ${example} --node 127.0.0.1:26657`
    : `tx ${example.replace(/ --yes\b/, "").replace(/\bme\b/, "val-1")}`;

function command(entry: TxEntry, terminal: Terminal): Command<Context> {
  const { brief, example, params, flags, messages } = entry;
  const own = flags.map(flagOf);
  const isSender = params.includes(SENDER);
  const { from, ...acting } = ACTING;
  const usual = terminal === "shell" ? SENDING : { ...(isSender ? {} : { from }), ...acting };
  const parameters = {
    flags: { ...usual, ...Object.fromEntries(own.map(([name, flag]) => [camel(name), flag])) },
    aliases: terminal === "shell" ? ALIASES : { o: "output" },
    positional: {
      kind: "tuple",
      parameters: params.map((name) => text(describeValue(name), name)),
    },
  };
  return buildCommand<Flags, Args, Context>({
    docs: {
      brief,
      fullDescription: `${brief}. Example: ${exampleIn(terminal, example)}`,
    },
    // The types distinguish flags by name, which is impossible for those of a table.
    parameters: parameters as unknown as TypedCommandParameters<Flags, Args, Context>,
    async func(set, ...args) {
      const values = new Map<string, unknown>([
        ...params.map((name, i) => [name, args[i]] as const),
        ...own.map(([name]) => [name, set[camel(name)] || undefined] as const),
      ]);
      const input = (name: string): string => String(values.get(name) ?? "");
      // Some commands take the sender by position.
      const from = input(SENDER) || set.from;
      const requested = { input, messages };
      const printed = withOutput(set, this.lab);
      const rest = terminal === "shell" ? printed : { ...UNSIGNED, ...printed };
      this.process.exitCode = await sendTx(this.lab, requested, { ...rest, ...(from && { from }) });
    },
  });
}

const file = text("A transaction in JSON", "FILE");

const sign = buildCommand<
  Partial<Pick<TxFlags, "output">> & Omit<TxFlags, "output">,
  [string],
  Context
>({
  docs: {
    brief: "Signs the transaction of a file, and prints it",
    fullDescription:
      "Signs a transaction printed by --generate-only. Example: chainlab tx sign tx.json --from me --node 127.0.0.1:26657 > signed.json",
  },
  parameters: {
    flags: SENDING,
    aliases: ALIASES,
    positional: { kind: "tuple", parameters: [file] },
  },
  async func(flags, path) {
    this.process.exitCode = await signFile(this.lab, path, withOutput(flags, this.lab));
  },
});

const broadcast = buildCommand<
  Pick<TxFlags, "node" | "grpcAddr" | "home" | "broadcastMode"> & Partial<Pick<TxFlags, "output">>,
  [string],
  Context
>({
  docs: {
    brief: "Sends the signed transaction of a file",
    fullDescription:
      "Sends a transaction printed by tx sign. Example: chainlab tx broadcast signed.json --node 127.0.0.1:26657",
  },
  parameters: {
    flags: { ...PLACE, ...MODE, ...CLIENT_OUTPUT },
    aliases: { b: "broadcastMode", o: "output" },
    positional: { kind: "tuple", parameters: [file] },
  },
  async func(flags, path) {
    this.process.exitCode = await broadcastFile(this.lab, path, withOutput(flags, this.lab));
  },
});

const encode = buildCommand<object, [string], Context>({
  docs: {
    brief: "Prints the transaction of a file in base64, as it is sent",
    fullDescription:
      "Prints a transaction of --generate-only or tx sign in base64. Example: chainlab tx encode signed.json",
  },
  parameters: { flags: {}, positional: { kind: "tuple", parameters: [file] } },
  async func(_, path) {
    this.process.exitCode = await encodeFile(this.lab, path);
  },
});

const decode = buildCommand<{ readonly hex: boolean }, [string], Context>({
  docs: {
    brief: "Prints the transaction that bytes are, in JSON",
    fullDescription:
      "Prints the transaction of bytes in base64, as tx encode printed them or a block has them, or with --hex in hex. Example: chainlab tx decode CgQKAhoAEgA=",
  },
  parameters: {
    flags: { hex: yes("The bytes are in hex") },
    aliases: { x: "hex" },
    positional: { kind: "tuple", parameters: [text("The bytes", "BYTES")] },
  },
  async func({ hex }, bytes) {
    this.process.exitCode = await decodeBytes(this.lab, bytes, hex ? "hex" : "base64");
  },
});

const groups = (terminal: Terminal) =>
  Object.fromEntries(
    Object.entries(TX_GROUPS).map(([name, { brief, routes }]) => [
      name,
      buildRouteMap<string, Context>({
        docs: { brief },
        routes: Object.fromEntries(
          Object.entries(routes).map(([route, entry]) => [route, command(entry, terminal)]),
        ),
      }),
    ]),
  );

export const txCommands = (terminal: Terminal) =>
  terminal === "shell"
    ? buildRouteMap<string, Context>({
        docs: { brief: "Signs and sends transactions" },
        routes: { ...groups(terminal), sign, broadcast, encode, decode },
      })
    : buildRouteMap<string, Context>({
        docs: { brief: "Sends transactions of this chain's accounts" },
        routes: groups(terminal),
      });
