import type { Json } from "../../view/json.ts";
import type { Reading } from "../../view/lab/reading.ts";
import type { WorldQueries } from "../../view/lab/world-queries.ts";
import type { RpcNode } from "./node.ts";
import {
  type Arguments,
  argumentsFromJson,
  argumentsFromUri,
  type Parameters,
} from "./parameters.ts";

/** Format of a call's parameters. */
export type RequestParams =
  | { readonly from: "json"; readonly params: unknown }
  | { readonly from: "uri"; readonly params: ReadonlyMap<string, string> };

export interface RpcMethod {
  readonly parameters: Parameters;
  /** Rejects with an RpcError, or any error of the world's queries. */
  call(node: RpcNode, params: RequestParams): Promise<Json>;
}

/** A method that only reads the world. */
export const read = <P extends Parameters>(
  parameters: P,
  answer: (queries: WorldQueries, params: Arguments<P>, node: RpcNode) => Json | Reading<Json>,
): RpcMethod =>
  act(parameters, (node, params) => node.query((queries) => answer(queries, params, node)));

/** A method with a side effect. */
export const act = <P extends Parameters>(
  parameters: P,
  answer: (node: RpcNode, params: Arguments<P>) => Promise<Json>,
): RpcMethod => ({
  parameters,
  call: async (node, params) =>
    answer(
      node,
      params.from === "json"
        ? argumentsFromJson(parameters, params.params)
        : argumentsFromUri(parameters, params.params),
    ),
});
