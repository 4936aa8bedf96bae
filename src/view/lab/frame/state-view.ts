import { consAddress, valAddress } from "../../../base/bech32.ts";
import { toHexUpper } from "../../../base/bytes.ts";
import { unpackAny } from "../../../engine/framework/codec.ts";
import type { Evidence, ValidatorEvidence } from "../../../engine/modules/evidence/types.ts";
import { allSigningInfos } from "../../../engine/modules/slashing/signing-info.ts";
import type { Validator } from "../../../engine/modules/staking/types.ts";
import type { Simulation } from "../../../engine/simulation/simulation.ts";
import { MsgSoftwareUpgradeSchema } from "../../../gen/chain/upgrade/v1beta1/tx_pb.ts";
import type {
  EvidenceView,
  ModuleVersionView,
  PlanView,
  ProposalView,
} from "../../../gen/lab/v1/lab_plain.ts";
import type { PlannedProposal } from "../diagnosis/cancel-advice.ts";
import type { Observer } from "./observer.ts";
import { openPlans, proposalsOf } from "./proposals.ts";
import { readOr, validatorsOf } from "./read-state.ts";

/** Maximum pieces of evidence in a frame, which bounds its size. */
const MAX_EVIDENCE = 2_000;

/** The part of a frame that depends only on the state. */
export interface StateView {
  /** In the smallest unit. */
  readonly supply: bigint;
  /** By operator address (bech32). A missing validator was removed. */
  readonly validators: ReadonlyMap<string, Validator>;
  /** By consensus address (bech32). */
  readonly signing: ReadonlyMap<string, { readonly tombstoned: boolean; readonly missed: number }>;
  readonly plan:
    | { readonly name: string; readonly height: number; readonly info: string }
    | undefined;
  readonly moduleVersions: readonly ModuleVersionView[];
  readonly proposals: readonly ProposalView[];
  /** Proposals whose plan may still be cancelled, by id. */
  readonly openPlans: ReadonlyMap<number, PlannedProposal>;
  readonly applied: readonly PlanView[];
  readonly evidence: readonly EvidenceView[];
}

export function readState(sim: Simulation, observer: Observer): StateView {
  const { bondDenom } = sim.spec.staking;
  const plan = readOr(sim, undefined, (ctx, { upgrade }) => upgrade.getUpgradePlan(ctx));
  const proposals = proposalsOf(sim, (id) => observer.bondedAtCount(id));
  const scheduled = plan && { name: plan.name, height: Number(plan.height), info: plan.info };
  return {
    supply: readOr(sim, 0n, (ctx, { bank }) => bank.getSupply(ctx, bondDenom)),
    validators: new Map(
      validatorsOf(sim).map((validator) => [valAddress(validator.operator), validator]),
    ),
    signing: signingOf(sim),
    plan: scheduled,
    moduleVersions: readOr(sim, [], (ctx, { upgrade }) =>
      Array.from(upgrade.getModuleVersionMap(ctx), ([name, version]) => ({ name, version })),
    ),
    proposals: proposals.map(({ view }) => view),
    openPlans: openPlans(sim, proposals, scheduled),
    applied: appliedPlans(sim, proposals),
    evidence: storedEvidence(sim, observer),
  };
}

const signingOf = (sim: Simulation): StateView["signing"] =>
  readOr(sim, new Map(), (ctx) => {
    const infos = Array.from(allSigningInfos(ctx), ({ address, info }) => {
      const { tombstoned, missedBlocksCounter: missed } = info;
      return [consAddress(address), { tombstoned, missed }] as const;
    });
    return new Map(infos);
  });

/** Applied plans among the proposed ones: the chain has no list of them. */
function appliedPlans(sim: Simulation, proposals: ReturnType<typeof proposalsOf>): PlanView[] {
  const plans = proposals.flatMap(({ proposal }) =>
    proposal.messages.flatMap((any) => unpackAny(MsgSoftwareUpgradeSchema, any)?.plan ?? []),
  );
  const infos = new Map(plans.map(({ name, info }) => [name, info]));
  return Array.from(infos, ([name, info]) => {
    const height = readOr(sim, 0, (ctx, { upgrade }) => upgrade.getDoneHeight(ctx, name));
    return { name, height, info, blocksLeft: 0, expectedTime: "" };
  })
    .filter(({ height }) => height > 0)
    .sort((a, b) => a.height - b.height);
}

function storedEvidence(sim: Simulation, observer: Observer): EvidenceView[] {
  return readOr(sim, [], (ctx, { evidence }) => evidence.getAllEvidence(ctx))
    .slice(0, MAX_EVIDENCE)
    .map((item) => evidenceView(observer, item))
    .sort((a, b) => a.block - b.block);
}

function evidenceView(observer: Observer, evidence: Evidence): EvidenceView {
  const height = Number(evidence.getHeight());
  const hash = toHexUpper(evidence.hash());
  const block = observer.storedIn(hash);
  const against = isAgainstValidator(evidence) ? evidence : undefined;
  const address = against ? consAddress(against.getConsensusAddress()) : "";
  return {
    hash,
    type: evidence.type(),
    validator: observer.validators.nameOf(address),
    height,
    power: String(against?.getValidatorPower() ?? ""),
    block,
    burned: observer.burns.inBlock(address, block).toString(),
  };
}

const isAgainstValidator = (evidence: Evidence): evidence is ValidatorEvidence =>
  "getConsensusAddress" in evidence;
