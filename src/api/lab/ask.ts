import {
  create,
  type DescMessage,
  type DescMethodUnary,
  type MessageInitShape,
  type MessageShape,
} from "@bufbuild/protobuf";
import type { Simulation } from "../../engine/simulation/simulation.ts";

/** A query of the newest state by its method, typed. Throws StatusError or ChainError. */
export function ask<I extends DescMessage, O extends DescMessage>(
  sim: Simulation,
  method: DescMethodUnary<I, O>,
  request: MessageInitShape<I>,
): MessageShape<O> {
  const name = `${method.parent.typeName}/${method.name}`;
  return sim.query(name, create(method.input, request)) as MessageShape<O>;
}
