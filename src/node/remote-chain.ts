/** Queries a remote chain through its RPC or its gRPC. */

import { accAddress, moduleAccount, setAddressPrefix, valAddress } from "../base/bech32.ts";
import { prefixFrom } from "../base/prefix-text.ts";
import type { NodeLocation, ReachedChain, TxResponse } from "../cli/context.ts";
import { accountOf } from "../engine/simulation/genesis/world-spec.ts";
import { MODULE_ACCOUNTS } from "../engine/simulation/world.ts";
import { broadcastRemote, type CallRpc, queryRemote, servesCosmos } from "../server/rpc/client.ts";
import type { Json } from "../view/json.ts";
import { typesInCosmos } from "../view/namespaces.ts";
import { grpcQuerier, grpcServesCosmos, steeringAt } from "./grpc-chain.ts";
import { grpcAddressIn, rpcAddressIn } from "./home.ts";
import { noAnswer, type RemoteQuery, TIMEOUT_MS, urlOf } from "./remote.ts";

/**
 * Connects to the node at an address or of a home. Rejects with an Error that says why it cannot.
 */
export async function openRemote(location: NodeLocation): Promise<ReachedChain> {
  const { node, grpc, home, token } = location;
  const lab = steeringAt(token, () => grpc ?? grpcAddressAt(home));
  const through =
    node === undefined && grpc !== undefined
      ? throughGrpc(grpc)
      : throughRpc(node ?? rpcAddressIn(home ?? ""));
  const [prefix, cosmos] = await Promise.all([
    prefixAt(through.query),
    through.servesCosmos().catch(() => false),
  ]);
  setAddressPrefix(prefix);
  return {
    failure: undefined,
    async query(name, request, height) {
      const answer = await through.query(name, request, height);
      return cosmos ? typesInCosmos(answer as Json) : answer;
    },
    broadcast: through.broadcast,
    resolve: (text) => resolved(through.query, text),
    lab,
    export: (request) => lab.exportChain(request),
    missingUpgrade: "error",
  };
}

/**
 * Address prefix of a chain; undefined if it does not answer, which the next query will report.
 * Upstream's query answers that of accounts only: the others are those of a validator.
 */
async function prefixAt(ask: RemoteQuery): Promise<string | undefined> {
  const first = { pagination: { limit: "1" } };
  const [answer, [validator], [info]] = await Promise.all([
    ask("chain.auth.v1beta1.Query/Bech32Prefix", {}, 0).catch(() => ({})),
    listIn(ask, "chain.staking.v1beta1.Query/Validators", first, "validators").catch(() => []),
    listIn(ask, "chain.slashing.v1beta1.Query/SigningInfos", first, "info").catch(() => []),
  ]);
  const account = textIn(answer, "bech32_prefix");
  if (account === undefined) return undefined;
  return prefixFrom({
    account: `${account}1`,
    validator: textIn(validator, "operator_address"),
    consensus: textIn(info, "address"),
  });
}

function textIn(json: unknown, field: string): string | undefined {
  const value = Object(json)[field];
  return typeof value === "string" ? value : undefined;
}

function grpcAddressAt(home: string | undefined): string {
  if (home !== undefined) return grpcAddressIn(home);
  throw new Error("expected --grpc-addr ADDRESS or --home DIR, where the node is steered");
}

type Through = Pick<ReachedChain, "broadcast"> & {
  readonly query: RemoteQuery;
  /** True if answers are shown with upstream's names; rejects if the node does not say. */
  servesCosmos(): Promise<boolean>;
};

function throughGrpc(address: string): Through {
  const ask = grpcQuerier(address);
  return {
    query: ask,
    servesCosmos: () => grpcServesCosmos(address),
    async broadcast(txBytes, mode) {
      const request = { tx_bytes: txBytes, mode: `BROADCAST_MODE_${mode.toUpperCase()}` };
      const answer = await ask("chain.tx.v1beta1.Service/BroadcastTx", request, 0);
      return (answer as { readonly tx_response: TxResponse }).tx_response;
    },
  };
}

function throughRpc(address: string): Through {
  const call = callerOf(address);
  return {
    query: (name, request, height) => queryRemote(call, name, request, height),
    servesCosmos: () => servesCosmos(call),
    broadcast: async (tx, mode) => broadcastRemote(call, tx, mode) as Promise<TxResponse & Json>,
  };
}

/** @param address `tcp://127.0.0.1:26657`, http, https, or without a scheme */
function callerOf(address: string): CallRpc {
  const url = urlOf(address, "127.0.0.1:26657");
  return async (method, params) => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const answer = await fetch(url, { method: "POST", body, signal }).catch((error: unknown) => {
      throw noAnswer(error);
    });
    const text = await answer.text();
    const { result, error } = jsonOf(text);
    if (error === undefined && result !== undefined) return result;
    const { message = "it is no answer of a node", data } = error ?? {};
    throw new Error(data ?? message);
  };
}

interface RpcAnswer {
  readonly result?: unknown;
  readonly error?: { readonly message?: string; readonly data?: string };
}

function jsonOf(text: string): RpcAnswer {
  try {
    return Object(JSON.parse(text)) as RpcAnswer;
  } catch {
    return {};
  }
}

interface NamedValidator {
  readonly name: string;
  readonly consensus_address: string;
  readonly operator_address: string;
  readonly account_address: string;
}

/** The address that `${name}` or `${name.valoper}` refers to; other text is returned unchanged. */
async function resolved(ask: RemoteQuery, text: string): Promise<string> {
  const [, name, part] = /^\$\{([\w.-]+?)(?:\.(valoper|valcons))?\}$/.exec(text) ?? [];
  if (name === undefined) return text;
  if (MODULE_ACCOUNTS.includes(name)) return moduleAccount(name);
  const validators = await listIn(ask, "lab.v1.Lab/GetValidators", {}, "validators");
  const validator = (validators as readonly NamedValidator[]).find((one) => one.name === name);
  if (part === "valcons" && validator !== undefined) return validator.consensus_address;
  if (part === "valoper") return validator?.operator_address ?? valAddress(accountOf(name));
  if (part === undefined) return validator?.account_address ?? accountNamed(ask, name);
  throw new Error(`there is no validator ${name}`);
}

/** The address of a named account, which exists if it has coins. */
async function accountNamed(ask: RemoteQuery, name: string): Promise<string> {
  const address = accAddress(accountOf(name));
  const balances = await listIn(
    ask,
    "chain.bank.v1beta1.Query/AllBalances",
    { address },
    "balances",
  );
  if (balances.length > 0) return address;
  throw new Error(`there is no account ${name}: expected a name of this chain, or an address`);
}

/** A list in the newest answer to a query. */
async function listIn(
  ask: RemoteQuery,
  name: string,
  request: object,
  field: string,
): Promise<readonly unknown[]> {
  const answer = await ask(name, request, 0);
  return (answer as Readonly<Record<string, readonly unknown[]>>)[field] ?? [];
}
