import {
  create,
  type DescMessage,
  type DescMethodUnary,
  type Message,
  type MessageInitShape,
  type MessageShape,
} from "@bufbuild/protobuf";
import { answerQuery } from "../../engine/app/queries.ts";
import type { Simulation } from "../../engine/simulation/simulation.ts";

/**
 * Answers a query by its name on the state after a height (default: the newest). Throws StatusError
 * or ChainError.
 */
export const queryByName = (
  sim: Simulation,
  name: string,
  request: Message,
  height?: number,
): Message => sim.read((ctx, app) => answerQuery(app, ctx, name, request), height);

/** The same by the query's method, typed. */
export function query<I extends DescMessage, O extends DescMessage>(
  sim: Simulation,
  method: DescMethodUnary<I, O>,
  request: MessageInitShape<I>,
  height?: number,
): MessageShape<O> {
  const name = `${method.parent.typeName}/${method.name}`;
  return queryByName(sim, name, create(method.input, request), height) as MessageShape<O>;
}
