/**
 * `chainlab tx`: builds, signs and sends a transaction to a running node, or to the chain after a
 * scenario.
 */
import { errorText } from "../base/error-text.ts";
import { feesAt } from "../base/gas-prices.ts";
import { readCoins } from "./coins.ts";
import type {
  ChainIdSetting,
  Keyring,
  NamedKey,
  QueriedChain,
  ReachedChain,
  RunContext,
  TxResponse,
  Wallet,
} from "./context.ts";
import { checkedGasPrices } from "./flags.ts";
import { findKey } from "./keys.ts";
import { printedJson } from "./output.ts";
import { type NodeFlags, nameOf, nodeLocation, reference } from "./query.ts";
import { FAILED, PASSED, soundText, UNUSABLE } from "./run.ts";
import type { Drafting, Input, WriteMessages } from "./tx-table.ts";
import { toYaml } from "./yaml.ts";

export interface TxFlags extends NodeFlags {
  readonly scenario?: string;
  /** A key's name or address, or an account of the lab. */
  readonly from?: string;
  readonly keyringBackend?: "test";
  readonly chainId?: string;
  readonly fees?: string;
  readonly gasPrices?: string;
  readonly gas: number | "auto";
  readonly gasAdjustment: number;
  readonly memo?: string;
  readonly note?: string;
  readonly timeoutHeight?: number;
  readonly accountNumber?: number;
  readonly sequence?: number;
  readonly signMode: "direct" | "amino-json";
  readonly broadcastMode: "sync" | "async";
  readonly yes: boolean;
  readonly dryRun: boolean;
  readonly generateOnly: boolean;
  readonly output: "text" | "json";
}

/** The parts of a transaction, from the command line. */
export interface TxRequest {
  readonly input: Input;
  readonly messages: WriteMessages;
}

/** The signer: a key, or an account of the lab, which acts without a signature. */
interface Sender {
  readonly address: string;
  readonly key: NamedKey | undefined;
}

/** A transaction under construction. */
interface Making {
  readonly context: RunContext;
  readonly wallet: Wallet;
  readonly keyring: Keyring;
  readonly flags: TxFlags;
}

/** Sends a transaction and prints the result. Returns the exit status. */
export async function sendTx(
  context: RunContext,
  request: TxRequest,
  flags: TxFlags,
): Promise<number> {
  const { stderr, nodes, here } = context;
  const { scenario, home, keyringBackend } = flags;
  if (scenario !== undefined && nodeLocation(flags) !== undefined) {
    stderr.write("expected --scenario FILE, or --node, --grpc-addr or --home, found both\n");
    return UNUSABLE;
  }
  const wallet = await context.wallet?.();
  if (wallet === undefined || (scenario ?? nodes ?? here) === undefined) {
    stderr.write("no transaction can be sent from here\n");
    return FAILED;
  }
  const making: Making = { context, wallet, keyring: wallet.keyring(home, keyringBackend), flags };
  if (scenario !== undefined) return sendAfter(making, request, scenario);
  const location = nodeLocation(flags) ?? { home: nodes?.usualHome() ?? "" };
  // Connection errors already name the place.
  let at = "";
  try {
    const chain = here ?? (await (nodes as NonNullable<typeof nodes>).reach(location));
    if (!here) at = `${nameOf(location)}: `;
    return await sendTo(making, request, chain);
  } catch (error) {
    stderr.write(`${at}${errorText(error)}\n`);
    return FAILED;
  }
}

async function sendTo(making: Making, requested: TxRequest, chain: ReachedChain): Promise<number> {
  const { wallet, flags, context } = making;
  const sender = await senderOf(making, chain);
  const draft = await drafted(making, requested, chain, sender);
  if (flags.generateOnly) {
    context.stdout.write(printedJson(draft));
    return PASSED;
  }
  if (sender.key === undefined) {
    if (flags.dryRun) throw new Error("--dry-run: expected a key of keys list in --from");
    await checkChainId(making, chain);
    if (!(await sure(making, draft))) return canceled(context);
    return printTx(making, await actedBy(making, chain, draft, false));
  }
  const signing = await signingOf(making, chain, sender.key);
  const tx = await withGas(making, chain, draft, signing);
  if (flags.dryRun) return PASSED;
  if (!(await sure(making, tx))) return canceled(context);
  const { bytes } = wallet.sign(tx, signing);
  return printTx(making, await chain.broadcast(bytes, flags.broadcastMode));
}

/** Sends it as an account of the lab to the chain after a scenario, and makes the block with it. */
async function sendAfter(making: Making, requested: TxRequest, file: string): Promise<number> {
  const { context, flags } = making;
  const { stderr, scenarios } = context;
  const text = await soundText(context, file);
  if (text === undefined) return UNUSABLE;
  try {
    const chain = (await scenarios()).chainAfter(text, file);
    if (chain.failure !== undefined) throw new Error(chain.failure);
    const draft = await drafted(making, requested, chain, await senderOf(making, chain));
    if (flags.generateOnly) {
      context.stdout.write(printedJson(draft));
      return PASSED;
    }
    if (flags.dryRun) throw new Error("--dry-run: expected a running node");
    await checkChainId(making, chain);
    return printTx(making, await actedBy(making, chain, draft, true));
  } catch (error) {
    stderr.write(`${file}: ${errorText(error)}\n`);
    return FAILED;
  }
}

/** Sends a signed transaction from a file, unchanged, and prints the response. */
export async function broadcastFile(
  context: RunContext,
  path: string,
  flags: Pick<TxFlags, "broadcastMode" | "output"> & NodeFlags,
): Promise<number> {
  const { nodes, stderr } = context;
  try {
    const wallet = await context.wallet?.();
    if (wallet === undefined || nodes === undefined)
      throw new Error("no transaction can be sent from here");
    const bytes = wallet.encode(await jsonIn(context, path));
    const chain = await nodes.reach(nodeLocation(flags) ?? { home: nodes.usualHome() });
    return printResponse(context, await chain.broadcast(bytes, flags.broadcastMode), flags.output);
  } catch (error) {
    stderr.write(`${errorText(error)}\n`);
    return FAILED;
  }
}

/** Prints the transaction of a file in base64, ready to send. Returns the exit status. */
export const encodeFile = (context: RunContext, path: string): Promise<number> =>
  printed(context, async (wallet) => `${wallet.encode(await jsonIn(context, path))}\n`);

/** Decodes and prints a transaction. Returns the exit status. */
export const decodeBytes = (
  context: RunContext,
  bytes: string,
  as: "base64" | "hex",
): Promise<number> => printed(context, async (wallet) => printedJson(wallet.decode(bytes, as)));

async function printed(
  { wallet, stdout, stderr }: RunContext,
  make: (wallet: Wallet) => Promise<string>,
): Promise<number> {
  try {
    if (wallet === undefined) throw new Error("no transaction is read here");
    stdout.write(await make(await wallet()));
    return PASSED;
  } catch (error) {
    stderr.write(`${errorText(error)}\n`);
    return FAILED;
  }
}

/** Prints the transaction of a file with a key's signature. */
export async function signFile(context: RunContext, path: string, flags: TxFlags): Promise<number> {
  const { nodes, stderr, stdout } = context;
  try {
    const wallet = await context.wallet?.();
    if (wallet === undefined || nodes === undefined) throw new Error("nothing can be signed here");
    const keyring = wallet.keyring(flags.home, flags.keyringBackend);
    const making: Making = { context, wallet, keyring, flags };
    const chain = await nodes.reach(nodeLocation(flags) ?? { home: nodes.usualHome() });
    const { key } = await senderOf(making, chain);
    if (key === undefined) throw new Error(`--from: expected a key, found ${flags.from}`);
    const signing = await signingOf(making, chain, key);
    stdout.write(printedJson(wallet.sign(await jsonIn(context, path), signing).json));
    return PASSED;
  } catch (error) {
    stderr.write(`${errorText(error)}\n`);
    return FAILED;
  }
}

async function senderOf(
  { keyring, flags: { from: named } }: Making,
  chain: QueriedChain,
): Promise<Sender> {
  if (named === undefined) {
    throw new Error("--from: expected the name or the address of a key, or an account of the lab");
  }
  const key = await findKey(keyring, named);
  if (key !== undefined) return { address: key.address, key };
  return { address: await chain.resolve(reference(named, "")), key };
}

/** The unsigned transaction with its messages, memo and fee. */
async function drafted(
  { context, wallet, keyring, flags }: Making,
  { input, messages }: TxRequest,
  chain: QueriedChain,
  { address, key }: Sender,
): Promise<object> {
  const own = async (text: string): Promise<string | undefined> =>
    (await findKey(keyring, text))?.address;
  const tx: Drafting = {
    from: address,
    get operator() {
      return wallet.operatorOf(address);
    },
    account: async (text) => (await own(text)) ?? chain.resolve(reference(text, "")),
    async validator(text) {
      const account = await own(text);
      return account ? wallet.operatorOf(account) : chain.resolve(reference(text, ".valoper"));
    },
    file: (path) => jsonIn(context, path),
  };
  const { memo, note, timeoutHeight = 0, gas } = flags;
  if (memo !== undefined && note !== undefined)
    throw new Error("expected --memo or --note, found both");
  const draft = {
    body: {
      messages: await messages(input, tx),
      memo: memo ?? note ?? "",
      timeout_height: `${timeoutHeight}`,
    },
    auth_info: {
      fee: feeOf(flags, gas === "auto" ? 0 : gas),
    },
  };
  return wallet.draft(draft, key !== undefined) as object;
}

/** The fee for an amount of gas. Throws an Error for an invalid price, or both a fee and prices. */
function feeOf({ fees, gasPrices }: TxFlags, gas: number): object {
  if (fees !== undefined && gasPrices !== undefined)
    throw new Error("expected --fees or --gas-prices, found both");
  return {
    amount: gasPrices === undefined ? readCoins(fees ?? "") : offered(gasPrices, gas),
    gas_limit: `${gas}`,
  };
}

function offered(prices: string, gas: number): readonly object[] {
  try {
    return feesAt(checkedGasPrices(prices), BigInt(gas)).map((fee) => ({
      ...fee,
      amount: `${fee.amount}`,
    }));
  } catch (error) {
    throw new Error(`--gas-prices: ${errorText(error)}`);
  }
}

/** @param given a file, or the JSON itself, which starts with a brace */
async function jsonIn(
  { readFile }: RunContext,
  input: string,
): Promise<Readonly<Record<string, unknown>>> {
  const isText = input.trimStart().startsWith("{");
  const source = isText ? "the JSON in place of a file" : input;
  const text = isText
    ? input
    : await readFile(input).catch((error: unknown) => {
        throw new Error(`${source}: cannot be read: ${errorText(error)}`);
      });
  const refusal = (why: string) => new Error(`${source}: expected JSON: ${why}`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    // The parser's error is about the text, and not a bug.
    throw refusal(error instanceof Error ? error.message : errorText(error));
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value))
    return value as Readonly<Record<string, unknown>>;
  throw refusal(`an object, found ${JSON.stringify(value)?.slice(0, 40)}`);
}

/** The signer's account data: from flags, or else from the node. */
async function signingOf(making: Making, chain: ReachedChain, { address, secret }: NamedKey) {
  const { accountNumber, sequence, signMode: mode } = making.flags;
  const isSet = accountNumber !== undefined && sequence !== undefined;
  const account = isSet
    ? { account_number: "", sequence: "" }
    : await askAs<{ account: Account }>(chain, "chain.auth.v1beta1.Query/Account", {
        address,
      }).then((answer) => answer.account);
  return {
    secret,
    mode,
    chainId: chainIdSetting(making)?.id ?? (await chainIdOf(chain)),
    accountNumber: `${accountNumber ?? account.account_number}`,
    sequence: `${sequence ?? account.sequence}`,
  };
}

/**
 * The chain id of a flag, or of the settings of the home. A node elsewhere is not the usual home's.
 */
function chainIdSetting({ wallet, flags }: Making): ChainIdSetting | undefined {
  const { chainId: id, home, node, grpcAddr, scenario } = flags;
  if (id !== undefined) return { id, where: "--chain-id" };
  const isOtherNode = (node ?? grpcAddr ?? scenario) !== undefined;
  return home === undefined && isOtherNode ? undefined : wallet.chainIdOf(home);
}

/** Throws an Error if another chain's id is set: nothing would be signed for it. */
async function checkChainId(making: Making, chain: QueriedChain): Promise<void> {
  const setting = chainIdSetting(making);
  if (setting === undefined) return;
  const id = await chainIdOf(chain);
  if (setting.id !== id)
    throw new Error(`${setting.where}: expected ${id}, the id of this chain, found ${setting.id}`);
}

interface Account {
  readonly account_number: string;
  readonly sequence: string;
}

const askAs = async <T>(chain: QueriedChain, name: string, request: object): Promise<T> =>
  (await chain.query(name, request, 0)) as T;

async function chainIdOf(chain: QueriedChain): Promise<string> {
  const answer = await askAs<{ default_node_info: { network: string } }>(
    chain,
    "chain.base.tendermint.v1beta1.Service/GetNodeInfo",
    {},
  );
  return answer.default_node_info.network;
}

/** The transaction with its gas limit, which the node estimates if requested. */
async function withGas(
  { context, wallet, flags }: Making,
  chain: ReachedChain,
  draft: object,
  signing: Parameters<Wallet["sign"]>[1],
): Promise<object> {
  if (flags.gas !== "auto" && !flags.dryRun) return draft;
  const { gas_info } = await askAs<{ gas_info: { gas_used: string } }>(
    chain,
    "chain.tx.v1beta1.Service/Simulate",
    { tx_bytes: wallet.sign(draft, signing).bytes },
  );
  const estimate = Math.ceil(Number(gas_info.gas_used) * flags.gasAdjustment);
  context.stderr.write(`gas estimate: ${estimate}\n`);
  const { auth_info } = draft as { readonly auth_info: { readonly fee: object } };
  const fee = { ...auth_info.fee, ...feeOf(flags, estimate) };
  return { ...draft, auth_info: { ...auth_info, fee } };
}

/** True if the transaction should be sent: a flag or the user confirms. */
async function sure({ context, wallet, flags }: Making, tx: object): Promise<boolean> {
  if (flags.yes) return true;
  if (wallet.confirm === undefined)
    throw new Error("no terminal is here to ask whether to send it: expected --yes");
  context.stderr.write(printedJson(tx));
  return wallet.confirm("confirm transaction before signing and broadcasting [y/N]: ");
}

function canceled({ stderr }: RunContext): number {
  stderr.write("canceled transaction\n");
  return FAILED;
}

interface Draft {
  readonly body: { readonly messages: readonly object[]; readonly memo: string };
}

/**
 * Sends it as an account of the lab, through lab control. @param included true to make the block
 * with it
 */
async function actedBy(
  { flags }: Making,
  chain: QueriedChain,
  draft: object,
  included: boolean,
): Promise<TxResponse> {
  const { lab } = chain;
  if (lab === undefined) throw new Error("nothing can be sent to this chain");
  const { messages, memo } = (draft as Draft).body;
  const run = async (step: object): Promise<string> => {
    const { ok, message, value } = await lab.runStep({ step: JSON.stringify(step) });
    if (!ok) throw new Error(message);
    return value;
  };
  const from = flags.from ?? "";
  const txhash = await run({
    tx: { from, msgs: messages, ...(memo !== "" && { memo }), wait: false },
  });
  if (!included) return { code: 0, txhash, raw_log: "" };
  await run({ run: 1 });
  const found = await askAs<{ tx_response: TxResponse }>(chain, "chain.tx.v1beta1.Service/GetTx", {
    hash: txhash,
  });
  return found.tx_response;
}

const printTx = ({ context, flags }: Making, response: TxResponse): number =>
  printResponse(context, response, flags.output);

/**
 * Prints the result of a transaction; for a refused one also the reason on stderr. Returns the exit
 * status.
 */
function printResponse(
  { stdout, stderr }: RunContext,
  response: TxResponse,
  output: "text" | "json",
): number {
  stdout.write(output === "json" ? printedJson(response) : toYaml(response));
  if (response.code === 0) return PASSED;
  stderr.write(`the transaction was refused: ${response.raw_log}\n`);
  return FAILED;
}
