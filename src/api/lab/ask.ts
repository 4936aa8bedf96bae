import {
  create,
  type DescMessage,
  type DescMethodUnary,
  type MessageInitShape,
  type MessageShape,
} from "@bufbuild/protobuf";
import type { Simulation } from "../../engine/simulation/simulation.ts";

/** A query of a state (default: the newest) by its method, typed. Throws StatusError or ChainError. */
export function ask<I extends DescMessage, O extends DescMessage>(
  sim: Simulation,
  method: DescMethodUnary<I, O>,
  request: MessageInitShape<I>,
  height?: number,
): MessageShape<O> {
  const name = `${method.parent.typeName}/${method.name}`;
  return sim.query(name, create(method.input, request), height) as MessageShape<O>;
}

/** The same, but empty where the chain's binary has no such query: people may leave modules out. */
export function askOrEmpty<I extends DescMessage, O extends DescMessage>(
  sim: Simulation,
  method: DescMethodUnary<I, O>,
  request: MessageInitShape<I>,
): MessageShape<O> {
  try {
    return ask(sim, method, request);
  } catch {
    return create(method.output);
  }
}
