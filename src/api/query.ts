/** Queries in JSON: the REST shape without its paths. */
import type { DescMessage, Message } from "@bufbuild/protobuf";
import { STATUS, StatusError } from "../engine/framework/errors.ts";
import { type Json, JsonError, messageFromJson, messageToJson } from "./json.ts";
import { queryServices } from "./registry.ts";
import type { QueryableChain } from "./rest.ts";

/**
 * @param name e.g. `chain.upgrade.v1beta1.Query/CurrentPlan`
 * @param height 0 is the newest
 * Throws a StatusError or a ChainError.
 */
export function queryJson(
  chain: QueryableChain,
  name: string,
  request: unknown,
  height: number,
): Json {
  const [service, method] = name.split("/");
  const found = queryServices
    .find(({ typeName }) => typeName === service)
    ?.methods.find((candidate) => candidate.name === method);
  if (found === undefined) throw new StatusError(STATUS.unimplemented, `there is no query ${name}`);
  const message = read(found.input, request);
  return messageToJson(found.output, chain.query(name, message, height || undefined));
}

function read(schema: DescMessage, request: unknown): Message {
  try {
    return messageFromJson(schema, request);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw new StatusError(STATUS.invalidArgument, error.message);
  }
}
