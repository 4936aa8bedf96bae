/**
 * Queries by path and bytes, as accepted by the JSON-RPC and gRPC's ABCIQuery (rules/clients 2.6).
 */

import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { inCosmos } from "../../engine/framework/codec.ts";
import { ChainError, errorText, STATUS, StatusError } from "../../engine/framework/errors.ts";
import type { Simulation } from "../../engine/simulation/simulation.ts";
import type { Reading } from "../lab/reading.ts";
import { type Namespace, renameTypes, servedName } from "../namespaces.ts";
import { QUERY_ROUTES } from "../query-routes.ts";
import type { QueryableChain } from "../rest.ts";
import { STORE_CODESPACE, type StoreAnswer, storePath, storeQuery } from "./store-query.ts";

/**
 * An ABCI query: path `/cosmos.bank.v1beta1.Query/Balance` or `/store/bank/key`, the request or the
 * key in bytes, a height (0: the newest).
 */
interface AbciQuery {
  readonly path: string;
  readonly data: Uint8Array;
  readonly height: bigint;
  readonly prove: boolean;
}

/** An answer; a code other than 0 is a refusal. */
export interface AbciAnswer {
  readonly code: number;
  readonly codespace: string;
  readonly log: string;
  readonly value: Uint8Array;
  readonly height: bigint;
  /** For a store query: its key, and the proof if requested. */
  readonly key?: Uint8Array;
  readonly proofOps?: NonNullable<StoreAnswer["proofOps"]>;
}

/** Answers one query; a refusal is an answer with a code. Throws nothing. */
export function* abciQuery(
  sim: Simulation,
  queries: QueryableChain,
  namespace: Namespace,
  { path, data, height, prove }: AbciQuery,
): Reading<AbciAnswer> {
  try {
    const used = heightOf(queries, height, prove);
    const store = storePath(path);
    if (store) yield { kind: "state", height: used };
    const found = store
      ? storeQuery(sim, store, { key: data, height: used, withProof: prove })
      : { value: yield* answer(queries, namespace, path, data, used) };
    return { code: 0, codespace: "", log: "", ...found, height: BigInt(used) };
  } catch (error) {
    const value = new Uint8Array();
    return { ...refusalOf(error), value, height: height || BigInt(queries.height) };
  }
}

function* answer(
  queries: QueryableChain,
  namespace: Namespace,
  path: string,
  data: Uint8Array,
  height: number,
): Reading<Uint8Array> {
  const served = path.startsWith("/") ? servedName(namespace, path.slice(1)) : undefined;
  const method = served && QUERY_ROUTES.find(({ name }) => name === served.name)?.method;
  if (served === undefined || method === undefined) {
    throw new ChainError(
      "sdk",
      CODE.unknownRequest,
      `unknown query path: ${path}: unknown request`,
    );
  }
  const request = decoded(() => fromBinary(method.input, data));
  // The newest height is not passed: data outside the state exists for no past height.
  const requested = height === queries.height ? undefined : height;
  const message = create(method.output, yield* queries.reading(served.name, request, requested));
  return toBinary(
    method.output,
    served.cosmos ? renameTypes(method.output, message, inCosmos) : message,
  );
}

/** Runs a decoder of requests; converts its errors to the text of gRPC. */
function decoded<T>(decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    throw new ChainError("sdk", CODE.invalidRequest, `parse binary: ${text}: invalid request`);
  }
}

/** The height whose state is read. Throws a ChainError. */
function heightOf(queries: QueryableChain, requested: bigint, prove: boolean): number {
  const refuse = (why: string): never => {
    const text = `${why}; please provide a valid height: invalid request`;
    throw new ChainError("sdk", CODE.invalidRequest, text);
  };
  if (requested < 0n) return refuse("cannot query with height < 0");
  if (requested > BigInt(queries.height)) return refuse("cannot query with height in the future");
  const height = requested === 0n ? queries.height : Number(requested);
  return prove && height <= 1 ? refuse("cannot query with proof when height <= 1") : height;
}

/** Codespaces of errors in the query itself. */
const QUERY_CODESPACES: readonly string[] = ["sdk", STORE_CODESPACE];

/** Codes of the root codespace that query errors use. */
const CODE = { unauthorized: 4, unknownRequest: 6, invalidRequest: 18, keyNotFound: 22 } as const;

/** Names of gRPC's status codes, as Go prints them. */
const NAMES: Readonly<Record<number, string>> = {
  2: "Unknown",
  3: "InvalidArgument",
  4: "DeadlineExceeded",
  5: "NotFound",
  8: "ResourceExhausted",
  9: "FailedPrecondition",
  12: "Unimplemented",
  13: "Internal",
  14: "Unavailable",
  16: "Unauthenticated",
};

function refusalOf(error: unknown): Pick<AbciAnswer, "code" | "codespace" | "log"> {
  const codespace = "sdk";
  if (error instanceof ChainError && QUERY_CODESPACES.includes(error.codespace)) {
    return { code: error.code, codespace: error.codespace, log: error.message };
  }
  if (!(error instanceof StatusError)) {
    const log = `${errorText(error)}: unknown request`;
    return { code: CODE.unknownRequest, codespace, log };
  }
  const [code, text] = codeOf(error.code);
  const name = NAMES[error.code] ?? `Code(${error.code})`;
  return { code, codespace, log: `rpc error: code = ${name} desc = ${error.message}: ${text}` };
}

function codeOf(status: number): readonly [code: number, text: string] {
  switch (status) {
    case STATUS.notFound:
      return [CODE.keyNotFound, "key not found"];
    case STATUS.invalidArgument:
    case STATUS.failedPrecondition:
      return [CODE.invalidRequest, "invalid request"];
    case UNAUTHENTICATED:
      return [CODE.unauthorized, "unauthorized"];
    default:
      return [CODE.unknownRequest, "unknown request"];
  }
}

const UNAUTHENTICATED = 16;
