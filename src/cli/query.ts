/** `chainlab query`: queries the chain of a running node, or the chain at the end of a scenario. */
import type { DescMethod } from "@bufbuild/protobuf";
import { errorText } from "../base/error-text.ts";
import { PAGED } from "../gen/paged.ts";
import type { NodeLocation, QueriedChain, RunContext, Screen, Wallet } from "./context.ts";
import { inFolder } from "./folder.ts";
import { findKey, isAddress } from "./keys.ts";
import { printedJson } from "./output.ts";
import { FAILED, PASSED, soundText, UNUSABLE } from "./run.ts";
import { toYaml } from "./yaml.ts";

export interface QueryFlags {
  readonly scenario?: string;
  /** A folder, and the world in it. */
  readonly data?: string;
  readonly world?: string;
  /** The RPC or gRPC address of a running node, or its home. */
  readonly node?: string;
  readonly grpcAddr?: string;
  readonly home?: string;
  /** Height of the queried state; the newest if absent. */
  readonly height?: number;
  readonly output: "text" | "json";
  /** Timeout of waiting queries, in ms. */
  readonly timeout?: number;
}

/** A query as a command defines it. */
export interface Question {
  readonly method: DescMethod;
  /** The method if no positional value is passed. */
  readonly without?: DescMethod;
  /**
   * Positional fields, `field?` if optional, and flags as `--field`, with `--message.field` for a
   * nested one.
   */
  readonly params: readonly string[];
  /** Names of fields in the help, if documents use other ones. */
  readonly called?: Readonly<Record<string, string>>;
  /** Usage lines, if the generated one is not enough. */
  readonly usages?: readonly { readonly input: string; readonly brief: string }[];
  /** Flags of the example in the help. */
  readonly example?: string;
  /** Fields that `--type` can select for the positional value; the first by default. */
  readonly types?: readonly string[];
  /** True to wait at a running node for an object that does not exist yet. */
  readonly waits?: boolean;
  /**
   * Printed format of the answer, if not the answer itself. Throws an Error if there is nothing to
   * print.
   */
  readonly show?: Show;
}

export type Show = (
  answer: unknown,
  chain: QueriedChain,
  request: object,
) => Answer | Promise<Answer>;

export interface Answer {
  readonly value: unknown;
  /** Printed as JSON regardless of `--output`. */
  readonly json?: true;
  /** Text output in place of the value's fields. */
  readonly text?: string;
}

/** A request as typed: values by field name, and the page. */
export interface Request {
  readonly fields: Readonly<Record<string, string>>;
  readonly pagination: Readonly<Record<string, unknown>> | undefined;
}

/** A query with its request, whose names may still be references. */
interface QueryCall {
  readonly method: string;
  readonly request: Readonly<Record<string, unknown>>;
}

/**
 * Prints an answer and returns the exit status. After a failed step the chain in that state
 * answers.
 */
export async function runQuery(
  context: RunContext,
  question: Question,
  { fields, pagination }: Request,
  flags: QueryFlags,
): Promise<number> {
  const { stderr, scenarios, here } = context;
  const { scenario: file, data, world, node, grpcAddr, home } = flags;
  // With a node's address, the home is that of the keys.
  const homeOfNode = node === undefined && grpcAddr === undefined ? home : undefined;
  const input = [file, data, node, grpcAddr, homeOfNode].filter(
    (location) => location !== undefined,
  );
  if (here !== undefined && input.length === 0) {
    const requested = requestOf(question, { fields, pagination });
    return answer(context, question, requested, flags, "", here);
  }
  if (input.length !== 1 || (world !== undefined && !data)) {
    stderr.write(
      "expected --scenario FILE, --node ADDRESS, --grpc-addr ADDRESS, --home DIR, or --data DIR and beside it --world WORLD\n",
    );
    return UNUSABLE;
  }
  const requested = requestOf(question, { fields, pagination });
  const problems = (await scenarios()).requestProblems(requested.method, requested.request);
  for (const { path, message } of problems) stderr.write(`${flagOf(path)}: ${message}\n`);
  if (problems.length > 0) return UNUSABLE;
  if (data !== undefined) {
    return inFolder(context, data, async (folder) =>
      answer(context, question, requested, flags, data, await folder.chain(world)),
    );
  }
  const location = nodeLocation(flags);
  if (location !== undefined) return queryNode(context, question, requested, flags, location);
  const text = file === undefined ? undefined : await soundText(context, file);
  if (file === undefined || text === undefined) return UNUSABLE;
  try {
    const chain = (await scenarios()).chainAfter(text, file);
    if (chain.failure !== undefined) {
      stderr.write(`${file}: ${chain.failure}; the answer is of the chain as that step left it\n`);
    }
    return await answer(context, question, requested, flags, file, chain);
  } catch (error) {
    stderr.write(`${file}: ${errorText(error)}\n`);
    return FAILED;
  }
}

export interface NodeFlags {
  readonly node?: string;
  readonly grpcAddr?: string;
  readonly home?: string;
  readonly labToken?: string;
}

/** The node that flags select; undefined if they select none. */
export function nodeLocation({
  node,
  grpcAddr,
  home,
  labToken,
}: NodeFlags): NodeLocation | undefined {
  if (node === undefined && grpcAddr === undefined && home === undefined) return undefined;
  return {
    ...(node !== undefined && { node }),
    ...(grpcAddr !== undefined && { grpc: grpcAddr }),
    ...(home !== undefined && { home }),
    ...(labToken !== undefined && { token: labToken }),
  };
}

/** Name of a node in messages. */
export const nameOf = ({ node, grpc, home }: NodeLocation): string => node ?? grpc ?? home ?? "";

async function queryNode(
  context: RunContext,
  question: Question,
  requested: QueryCall,
  flags: QueryFlags,
  location: NodeLocation,
): Promise<number> {
  const { nodes, stderr } = context;
  try {
    if (nodes === undefined) throw new Error("no node can be reached from here");
    const chain = await nodes.reach(location);
    return await answer(context, question, requested, flags, nameOf(location), chain);
  } catch (error) {
    stderr.write(`${errorText(error)}\n`);
    return FAILED;
  }
}

async function answer(
  context: RunContext,
  { show, waits }: Question,
  { method, request }: QueryCall,
  { height = 0, output, home, scenario, timeout = TIMEOUT_MS }: QueryFlags,
  location: string,
  chain: QueriedChain,
): Promise<number> {
  const { stdout, stderr, wallet, delay } = context;
  try {
    // With a scenario no home is read: its answer is the same everywhere.
    const keys = scenario === undefined ? await wallet?.() : undefined;
    const requested = await resolved(request, chain, keys, home);
    const query = async () => chain.query(method, requested, height);
    // A chain that is not running makes no blocks meanwhile.
    const value = await (waits && delay && "broadcast" in chain
      ? waited(query, timeout, delay)
      : query());
    print(stdout, show ? await show(value, chain, requested) : { value }, output);
    return PASSED;
  } catch (error) {
    stderr.write(`${location === "" ? "" : `${location}: `}${errorText(error)}\n`);
    return FAILED;
  }
}

function requestOf(
  { method: usual, without }: Question,
  { fields, pagination }: Request,
): QueryCall {
  const method = without && Object.keys(fields).length === 0 ? without : usual;
  const page = pagination && hasPages(method) ? { pagination } : {};
  const request: Record<string, unknown> = { ...page };
  for (const [field, text] of Object.entries(fields)) {
    const [outer = "", inner] = field.split(".");
    const value = meaningOf(field, text);
    request[outer] = inner === undefined ? value : { ...Object(request[outer]), [inner]: value };
  }
  return { method: `${method.parent.typeName}/${method.name}`, request };
}

/** The flag or argument that sets a path in a request. */
function flagOf([field, inside]: readonly (string | number)[]): string {
  if (field !== "pagination") {
    return [field, inside]
      .filter((part) => part !== undefined)
      .join(" ")
      .replaceAll("_", " ");
  }
  return `--${inside === "key" ? "page-key" : String(inside).replaceAll("_", "-")}`;
}

/** The answer to a query once its transaction is in a block. */
async function waited(
  query: () => Promise<unknown>,
  timeout: number,
  delay: (ms: number) => Promise<void>,
): Promise<unknown> {
  for (let left = timeout; ; left -= EVERY_MS) {
    try {
      return await query();
    } catch (error) {
      const message = errorText(error);
      if (!message.startsWith("tx not found")) throw error;
      if (left <= 0) throw new Error(`${message}: it is in no block after ${timeout / 1000}s`);
    }
    await delay(EVERY_MS);
  }
}

const EVERY_MS = 200;
const TIMEOUT_MS = 15_000;

/** The request with names replaced by addresses: keys come first, as for a transaction. */
async function resolved(
  request: object,
  chain: QueriedChain,
  wallet: Wallet | undefined,
  home: string | undefined,
): Promise<object> {
  const address = async (text: string): Promise<string> => {
    const [, name, part] = /^\$\{([\w.-]+?)(\.valoper)?\}$/.exec(text) ?? [];
    const key = name && wallet && (await findKey(wallet.keyring(home), name));
    if (!key) return chain.resolve(text);
    return part ? wallet.operatorOf(key.address) : key.address;
  };
  const values = Object.entries(request).map(async ([field, value]) => [
    field,
    typeof value === "string" ? await address(value) : value,
  ]);
  return Object.fromEntries(await Promise.all(values));
}

/**
 * True if a method has pagination. Its fields would show this too, but all commands check it at
 * every start.
 */
export const hasPages = ({ input }: DescMethod): boolean => PAGED.has(input.typeName);

/**
 * Address fields; they also accept the name of an account or validator, like names of keys
 * elsewhere.
 */
const ADDRESSES: Readonly<Record<string, string>> = {
  address: "",
  voter: "",
  depositor: "",
  delegator_addr: "",
  validator_addr: ".valoper",
  src_validator_addr: ".valoper",
  dst_validator_addr: ".valoper",
  cons_address: ".valcons",
};

/** True if a name is accepted in this field. */
export const isAddressField = (field: string): boolean => Object.hasOwn(ADDRESSES, field);

/** The reference that a name means in an address field; other text is unchanged. */
function meaningOf(field: string, text: string): string {
  if (field === "order_by" && /^(asc|desc)$/.test(text)) return `ORDER_BY_${text.toUpperCase()}`;
  const part = isAddressField(field) ? ADDRESSES[field] : undefined;
  return part === undefined ? text : reference(text, part);
}

/**
 * The reference for a name in place of an address, such as `${val-1.valoper}`; an address is
 * unchanged.
 */
export const reference = (text: string, part: string): string =>
  /^\w[\w.-]*$/.test(text) && !isAddress(text) ? `\${${text}${part}}` : text;

function print(stdout: Screen, { value, json, text }: Answer, output: QueryFlags["output"]): void {
  if (json || output === "json") stdout.write(printedJson(value, 2));
  else if (text === undefined) stdout.write(toYaml(value));
  // A file's content is printed unchanged, except on a terminal.
  else if (stdout.columns === undefined) stdout.raw(text);
  else stdout.write(text);
}
