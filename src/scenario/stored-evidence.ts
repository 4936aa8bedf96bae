import { fromBinary } from "@bufbuild/protobuf";
import { toHexUpper } from "../base/bytes.ts";
import { sha256 } from "../base/sha256.ts";
import type { Simulation } from "../engine/simulation/simulation.ts";
import type { Equivocation } from "../gen/chain/evidence/v1beta1/evidence_pb.ts";
import { EquivocationSchema } from "../gen/chain/evidence/v1beta1/evidence_pb.ts";
import { Query } from "../gen/chain/evidence/v1beta1/query_pb.ts";
import { query } from "../view/lab/query.ts";
import { type Offence, StepError } from "./step-context.ts";

/**
 * Upper-case hex of the hash of the first stored Equivocation that matches; undefined if none does.
 */
export function storedEvidence(
  sim: Simulation,
  fits: (equivocation: Equivocation) => boolean,
): string | undefined {
  const pagination = { limit: 2n ** 32n };
  for (const { typeUrl, value } of query(sim, Query.method.allEvidence, { pagination }).evidence) {
    if (typeUrl !== `/${EquivocationSchema.typeName}`) continue;
    if (fits(fromBinary(EquivocationSchema, value))) return toHexUpper(sha256(value));
  }
  return undefined;
}

/** The same for an offence. Throws a StepError while there is none. */
export function evidenceOf(sim: Simulation, { by, from, to }: Offence, of: string): string {
  const hash = storedEvidence(sim, ({ consensusAddress, height }) => {
    return by.includes(consensusAddress) && Number(height) >= from && Number(height) <= to;
  });
  if (hash === undefined) throw new StepError(`no evidence against ${of} is stored yet`);
  return hash;
}
