import { type DescMessage, equals, fromBinary, type Message, toBinary } from "@bufbuild/protobuf";
import { ParamsSchema as gov } from "../../../gen/chain/gov/v1/gov_pb.ts";
import { ParamsSchema as slashing } from "../../../gen/chain/slashing/v1beta1/slashing_pb.ts";
import { ParamsSchema as staking } from "../../../gen/chain/staking/v1beta1/staking_pb.ts";
import type { ModuleParams, ParamsModule } from "./params.ts";

const PARAMS: Readonly<Record<ParamsModule, DescMessage>> = { gov, slashing, staking };

/** Decodes stored parameters; undefined unless they are a complete message of the module. */
export function readParams<M extends ParamsModule>(
  module: M,
  stored: unknown,
): ModuleParams[M] | undefined {
  const schema: DescMessage = PARAMS[module];
  try {
    const read: Message = fromBinary(schema, toBinary(schema, stored as Message));
    return equals(schema, stored as Message, read) ? (read as ModuleParams[M]) : undefined;
  } catch {
    return undefined;
  }
}
