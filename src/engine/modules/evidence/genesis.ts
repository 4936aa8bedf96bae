import { create } from "@bufbuild/protobuf";
import { toHexUpper } from "../../../base/bytes.ts";
import {
  type GenesisState,
  GenesisStateSchema,
} from "../../../gen/chain/evidence/v1beta1/genesis_pb.ts";
import { errorText, Panic, plainError } from "../../framework/errors.ts";
import { genesisOf, type ModuleGenesis } from "../../framework/module.ts";
import type { EvidenceKeeper } from "./keeper.ts";
import type { Evidence } from "./types.ts";

/** The module's genesis: all stored evidence, each piece valid and unique (rules/evidence 2.2). */
export const evidenceGenesis = (keeper: EvidenceKeeper): ModuleGenesis =>
  genesisOf<typeof GenesisStateSchema>({
    schema: GenesisStateSchema,
    defaults: () => create(GenesisStateSchema),
    // Errors that upstream detects only in InitGenesis are detected here, before the chain starts.
    validate: (state) => mustDiffer(validEvidence(keeper, state)),

    init(ctx, state) {
      const all = checked(keeper, state);
      mustDiffer(all);
      for (const evidence of all) keeper.setEvidence(ctx, evidence);
      return [];
    },

    export: (ctx) =>
      create(GenesisStateSchema, {
        evidence: keeper.getAllEvidence(ctx).map((evidence) => evidence.pack()),
      }),
  });

/** Panics for duplicate evidence. */
function mustDiffer(all: readonly Evidence[]): void {
  const known = new Set<string>();
  for (const evidence of all) {
    const hash = toHexUpper(evidence.hash());
    if (known.has(hash)) throw new Panic(`evidence with hash ${hash} already exists`);
    known.add(hash);
  }
}

function checked(keeper: EvidenceKeeper, state: GenesisState): Evidence[] {
  try {
    return validEvidence(keeper, state);
  } catch (error) {
    throw new Panic(`failed to validate evidence genesis state: ${errorText(error)}`);
  }
}

function validEvidence(keeper: EvidenceKeeper, state: GenesisState): Evidence[] {
  return state.evidence.map((packed) => {
    const evidence = keeper.codec.unpack(packed);
    if (evidence === undefined) throw plainError("expected evidence");
    evidence.validateBasic();
    return evidence;
  });
}
