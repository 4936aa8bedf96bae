import { create } from "@bufbuild/protobuf";
import {
  type GenesisState,
  GenesisStateSchema,
} from "../../../gen/chain/evidence/v1beta1/genesis_pb.ts";
import { errorText, Panic, plainError } from "../../framework/errors.ts";
import { genesisOf, type ModuleGenesis } from "../../framework/module.ts";
import { toHexUpper } from "../../primitives/bytes.ts";
import type { EvidenceKeeper } from "./keeper.ts";
import type { Evidence } from "./types.ts";

/** The module's genesis: all stored evidence, each piece valid and there once (rules/evidence 2.2). */
export const evidenceGenesis = (keeper: EvidenceKeeper): ModuleGenesis =>
  genesisOf<typeof GenesisStateSchema>({
    schema: GenesisStateSchema,
    defaults: () => create(GenesisStateSchema),
    validate: (state) => void validEvidence(keeper, state),

    init(ctx, state) {
      for (const evidence of checked(keeper, state)) {
        if (keeper.has(ctx, evidence.hash())) {
          throw new Panic(`evidence with hash ${toHexUpper(evidence.hash())} already exists`);
        }
        keeper.setEvidence(ctx, evidence);
      }
      return [];
    },

    export: (ctx) =>
      create(GenesisStateSchema, {
        evidence: keeper.getAllEvidence(ctx).map((evidence) => evidence.pack()),
      }),
  });

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
