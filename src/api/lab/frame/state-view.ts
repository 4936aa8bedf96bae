import { unpackAny } from "../../../engine/framework/codec.ts";
import { Equivocation } from "../../../engine/modules/evidence/equivocation.ts";
import type { Evidence, ValidatorEvidence } from "../../../engine/modules/evidence/types.ts";
import { consAddress } from "../../../engine/primitives/bech32.ts";
import { toHexUpper } from "../../../engine/primitives/bytes.ts";
import { formatRfc3339 } from "../../../engine/primitives/time.ts";
import type { Simulation } from "../../../engine/simulation/simulation.ts";
import { Query as BankQuery } from "../../../gen/chain/bank/v1beta1/query_pb.ts";
import { Query as EvidenceQuery } from "../../../gen/chain/evidence/v1beta1/query_pb.ts";
import { Query as SlashingQuery } from "../../../gen/chain/slashing/v1beta1/query_pb.ts";
import { Query as StakingQuery } from "../../../gen/chain/staking/v1beta1/query_pb.ts";
import type { Validator } from "../../../gen/chain/staking/v1beta1/staking_pb.ts";
import { Query as UpgradeQuery } from "../../../gen/chain/upgrade/v1beta1/query_pb.ts";
import { MsgSoftwareUpgradeSchema } from "../../../gen/chain/upgrade/v1beta1/tx_pb.ts";
import type {
  EvidenceView,
  ModuleVersionView,
  PlanView,
  ProposalView,
} from "../../../gen/lab/v1/lab_plain.ts";
import { askOrEmpty } from "../ask.ts";
import type { PlannedProposal } from "../diagnosis/cancel-advice.ts";
import type { Observer } from "./observer.ts";
import { openPlans, proposalsOf } from "./proposals.ts";

/** Part of a picture that only changes when the state does. */
export interface StateView {
  /** Smallest unit. */
  readonly supply: bigint;
  /** By operator address (bech32). A validator that is not here was removed. */
  readonly validators: ReadonlyMap<string, Validator>;
  /** By consensus address (bech32). */
  readonly signing: ReadonlyMap<string, { readonly tombstoned: boolean; readonly missed: number }>;
  readonly plan:
    | { readonly name: string; readonly height: number; readonly info: string }
    | undefined;
  readonly moduleVersions: readonly ModuleVersionView[];
  readonly proposals: readonly ProposalView[];
  /** Proposals whose plan may still be called off, by id. */
  readonly openPlans: ReadonlyMap<number, PlannedProposal>;
  readonly applied: readonly PlanView[];
  readonly evidence: readonly EvidenceView[];
}

/** More than this of a kind no page shows. */
const MANY = { limit: 2_000n };

export function readState(sim: Simulation, observer: Observer): StateView {
  const { plan } = askOrEmpty(sim, UpgradeQuery.method.currentPlan, {});
  const { supply } = askOrEmpty(sim, BankQuery.method.totalSupply, { pagination: MANY });
  const { validators } = askOrEmpty(sim, StakingQuery.method.validators, { pagination: MANY });
  const { info } = askOrEmpty(sim, SlashingQuery.method.signingInfos, { pagination: MANY });
  const { moduleVersions } = askOrEmpty(sim, UpgradeQuery.method.moduleVersions, {});
  const proposals = proposalsOf(sim, (id) => observer.bondedAtCount(id));
  const scheduled = plan && { name: plan.name, height: Number(plan.height), info: plan.info };
  return {
    supply: BigInt(supply.find(({ denom }) => denom === sim.spec.staking.bondDenom)?.amount ?? 0),
    validators: new Map(validators.map((validator) => [validator.operatorAddress, validator])),
    signing: new Map(
      info.map(({ address, tombstoned, missedBlocksCounter }) => [
        address,
        { tombstoned, missed: Number(missedBlocksCounter) },
      ]),
    ),
    plan: scheduled,
    moduleVersions: moduleVersions.map(({ name, version }) => ({ name, version: Number(version) })),
    proposals: proposals.map(({ view }) => view),
    openPlans: openPlans(sim, proposals, scheduled),
    applied: appliedPlans(sim, proposals),
    evidence: storedEvidence(sim, observer),
  };
}

/** Plans that were applied, among those that were proposed: there is no list of them on chain. */
function appliedPlans(sim: Simulation, proposals: ReturnType<typeof proposalsOf>): PlanView[] {
  const plans = proposals.flatMap(({ proposal }) =>
    proposal.messages.flatMap((any) => unpackAny(MsgSoftwareUpgradeSchema, any)?.plan ?? []),
  );
  const infos = new Map(plans.map(({ name, info }) => [name, info]));
  return Array.from(infos, ([name, info]) => {
    const { height } = askOrEmpty(sim, UpgradeQuery.method.appliedPlan, { name });
    return { name, height: Number(height), info, blocksLeft: 0, expectedTime: "" };
  })
    .filter(({ height }) => height > 0)
    .sort((a, b) => a.height - b.height);
}

function storedEvidence(sim: Simulation, observer: Observer): EvidenceView[] {
  const { evidence } = askOrEmpty(sim, EvidenceQuery.method.allEvidence, { pagination: MANY });
  return evidence
    .flatMap((any) => sim.unpackEvidence(any) ?? [])
    .map((item) => evidenceView(sim, observer, item))
    .sort((a, b) => a.block - b.block);
}

function evidenceView(sim: Simulation, observer: Observer, evidence: Evidence): EvidenceView {
  const height = Number(evidence.getHeight());
  const hash = toHexUpper(evidence.hash());
  const block = observer.storedIn(hash);
  const time = evidence instanceof Equivocation ? evidence.time : sim.timeAt(height);
  const against = isAgainstValidator(evidence) ? evidence : undefined;
  const address = against ? consAddress(against.getConsensusAddress()) : "";
  return {
    hash,
    type: evidence.type(),
    validator: observer.validators.nameOf(address),
    height,
    time: time === undefined ? "" : formatRfc3339(time),
    power: String(against?.getValidatorPower() ?? ""),
    route: evidence.route(),
    block,
    burned: observer.burns.inBlock(address, block).toString(),
  };
}

const isAgainstValidator = (evidence: Evidence): evidence is ValidatorEvidence =>
  "getConsensusAddress" in evidence;
