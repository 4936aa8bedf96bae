/** Queries in JSON: the REST format without its paths. */
import { create, type DescMessage, type Message } from "@bufbuild/protobuf";
import { STATUS, StatusError } from "../engine/framework/errors.ts";
import { type Json, JsonError, jsonProblems, messageFromJson, messageToJson } from "./json.ts";
import type { JsonProblem } from "./json-reader.ts";
import type { Reading } from "./lab/reading.ts";
import { QUERY_ROUTES } from "./query-routes.ts";
import type { QueryableChain } from "./rest.ts";

/**
 * @param name e.g. `chain.upgrade.v1beta1.Query/CurrentPlan` or `lab.v1.Lab/GetNodes`
 * @param height 0 is the newest. Throws a StatusError or a ChainError.
 */
export function* queryJson(
  chain: QueryableChain,
  name: string,
  request: unknown,
  height: number,
): Reading<Json> {
  const method = QUERY_ROUTES.find((one) => one.name === name)?.method;
  if (method === undefined)
    throw new StatusError(STATUS.unimplemented, `there is no query ${name}`);
  if (!Number.isSafeInteger(height)) {
    throw new StatusError(STATUS.invalidArgument, `expected a height such as 12, found ${height}`);
  }
  const message = read(method.input, request);
  const answer = yield* chain.reading(name, message, height || undefined);
  return messageToJson(method.output, create(method.output, answer));
}

/**
 * Lists the problems of a request; empty if it is valid. Text for which `isReference` is true is a
 * placeholder.
 */
export function requestProblems(
  name: string,
  request: unknown,
  isReference: (text: string) => boolean,
): readonly JsonProblem[] {
  const method = QUERY_ROUTES.find((one) => one.name === name)?.method;
  return method === undefined ? [] : jsonProblems(method.input, request, isReference);
}

function read(schema: DescMessage, request: unknown): Message {
  try {
    return messageFromJson(schema, request);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw new StatusError(STATUS.invalidArgument, error.message);
  }
}
