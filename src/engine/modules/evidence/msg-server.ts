import { fromAccAddress } from "../../../base/bech32.ts";
import type { Msg } from "../../../gen/chain/evidence/v1beta1/tx_pb.ts";
import { ChainError, errorText, sdkErrors } from "../../framework/errors.ts";
import type { ServiceImpl } from "../../framework/router.ts";
import { ErrInvalidEvidence } from "./errors.ts";
import { emitMessage } from "./events.ts";
import type { EvidenceKeeper } from "./keeper.ts";
import { note } from "./steps.ts";
import type { Evidence } from "./types.ts";

/** MsgSubmitEvidence: submitter, presence, ValidateBasic, then the keeper (rules/evidence 4.1). */
export const msgServer = (keeper: EvidenceKeeper): ServiceImpl<typeof Msg> => ({
  submitEvidence: (ctx, { submitter, evidence: packed }) =>
    ctx.decideItem(() => {
      checkSubmitter(submitter);
      const evidence = keeper.codec.unpack(packed);
      if (evidence === undefined) throw ErrInvalidEvidence.wrap("missing evidence");
      const type = evidence.type();
      try {
        validate(evidence);
      } catch (error) {
        note(ctx, "basic_validation", { type, error: errorText(error) }, "refused");
        throw error;
      }
      note(ctx, "basic_validation", { type }, "ok");
      keeper.submitEvidence(ctx, evidence);
      if (ctx.profile.messageAction === "literal") emitMessage(ctx, submitter);
      return { hash: evidence.hash() };
    }),
});

function checkSubmitter(submitter: string): void {
  try {
    fromAccAddress(submitter);
  } catch (error) {
    throw sdkErrors.invalidAddress.wrap(`invalid submitter address: ${errorText(error)}`);
  }
}

function validate(evidence: Evidence): void {
  try {
    evidence.validateBasic();
  } catch (error) {
    if (!(error instanceof ChainError)) throw error;
    throw ErrInvalidEvidence.wrap(`failed basic validation: ${error.message}`);
  }
}
