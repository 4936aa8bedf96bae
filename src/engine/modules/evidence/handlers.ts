import { equal, toHexUpper } from "../../../base/bytes.ts";
import { goTimeString, type Time } from "../../../base/time.ts";
import type { Vote } from "../../../gen/chain/consensus/v1/types_pb.ts";
import type { Context } from "../../framework/context.ts";
import { plainError } from "../../framework/errors.ts";
import { blockTimeAt } from "./age.ts";
import { blockHash, type CounterfactualSigning, ROUTE_COUNTERFACTUAL } from "./counterfactual.ts";
import { type Equivocation, ROUTE_EQUIVOCATION } from "./equivocation.ts";
import { ignoredText } from "./ignored.ts";
import { punish } from "./infraction.ts";
import type { EvidenceNeeds } from "./needs.ts";
import { ROUTE_SCRIPTED, scriptedHandler } from "./scripted.ts";
import { note } from "./steps.ts";
import type { Handler, ValidatorEvidence } from "./types.ts";

/** The module's built-in handlers, by route. */
export const builtInHandlers = (needs: EvidenceNeeds): ReadonlyMap<string, Handler> =>
  new Map([
    [ROUTE_EQUIVOCATION, equivocationHandler(needs)],
    [ROUTE_COUNTERFACTUAL, counterfactualHandler(needs)],
    [ROUTE_SCRIPTED, scriptedHandler],
  ]);

/**
 * Submitted equivocation: its claims must match the chain's own history, with the texts of
 * CometBFT's evidence pool (rules/evidence 5.7); then it is punished like block-begin evidence.
 */
const equivocationHandler =
  (needs: EvidenceNeeds): Handler =>
  (ctx, submitted) => {
    const evidence = submitted as Equivocation;
    const time = blockTime(ctx, evidence.getHeight());
    if (evidence.time !== time) {
      throw plainError(
        `evidence has a different time to the block it is associated with (${goTimeString(evidence.time)} != ${goTimeString(time)})`,
      );
    }
    claimedValidator(ctx, evidence);
    note(ctx, "claims_hold", {}, "ok");
    punishOrRefuse(ctx, needs, evidence, time);
  };

/**
 * Two signed votes: both must be the validator's own, and only the first for a block of this chain
 * (rules/evidence 5.9).
 */
const counterfactualHandler =
  (needs: EvidenceNeeds): Handler =>
  (ctx, submitted) => {
    const evidence = submitted as CounterfactualSigning;
    const time = blockTime(ctx, evidence.getHeight());
    const height = Number(evidence.getHeight());
    const pubKey = claimedValidator(ctx, evidence);
    const [a, b] = evidence.votes();
    checkSigner(evidence, a);
    checkSignature(ctx, needs, "VoteA", a, pubKey);
    checkSignature(ctx, needs, "VoteB", b, pubKey);
    note(ctx, "signatures_hold", {}, "ok");

    const own = ctx.record.blockHashAt(height);
    if (own === undefined) throw plainError(`don't have header #${height}`);
    if (equal(blockHash(b), own)) {
      throw plainError(`VoteB is for block ${toHexUpper(own)}, which is on this chain`);
    }
    if (!equal(blockHash(a), own)) {
      throw plainError(
        `VoteA is for block ${toHexUpper(blockHash(a))}, but the block of height ${height} on this chain is ${toHexUpper(own)}`,
      );
    }
    note(ctx, "other_block", { hash: blockHash(b) }, "ok");
    punishOrRefuse(ctx, needs, evidence, time);
  };

/** Time of the block at a height. @throws CometBFT's text if there is no such block */
function blockTime(ctx: Context, height: bigint): Time {
  const time = blockTimeAt(ctx, Number(height));
  if (time === undefined) throw plainError(`don't have header #${height}`);
  return time;
}

/** Public key of the accused validator, which must be in the set of that height. */
function claimedValidator(ctx: Context, evidence: ValidatorEvidence): Uint8Array {
  const address = evidence.getConsensusAddress();
  const height = Number(evidence.getHeight());
  const validator = ctx.record.validatorAt(height, address);
  if (validator === undefined) {
    throw plainError(`address ${toHexUpper(address)} was not a validator at height ${height}`);
  }
  const power = evidence.getValidatorPower();
  if (power !== BigInt(validator.power)) {
    throw plainError(
      `validator power from evidence and our validator set does not match (${power} != ${validator.power})`,
    );
  }
  return validator.pubKey;
}

function checkSigner(evidence: ValidatorEvidence, vote: Vote): void {
  const address = evidence.getConsensusAddress();
  if (equal(vote.validatorAddress, address)) return;
  throw plainError(
    `validator addresses do not match: ${toHexUpper(vote.validatorAddress)} vs ${toHexUpper(address)}`,
  );
}

function checkSignature(
  ctx: Context,
  needs: EvidenceNeeds,
  name: string,
  vote: Vote,
  pubKey: Uint8Array,
): void {
  if (needs.verifyVote(ctx.chainId, vote, pubKey)) return;
  throw plainError(`verifying ${name}: invalid signature`);
}

/** Punishes the infraction, or throws the reason why BeginBlock would ignore it. */
function punishOrRefuse(
  ctx: Context,
  needs: EvidenceNeeds,
  evidence: ValidatorEvidence,
  time: Time,
): void {
  const ignored = punish(ctx, needs, evidence, time);
  if (ignored !== undefined) throw plainError(ignoredText(ignored.cause));
}
