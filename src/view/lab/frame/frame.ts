import { accAddress, setAddressPrefix } from "../../../base/bech32.ts";
import { equal, toHexUpper } from "../../../base/bytes.ts";
import { decToText } from "../../../base/dec.ts";
import { atMostLast, formatProtoTime, SECOND } from "../../../base/time.ts";
import { consensusHalt } from "../../../engine/framework/halt.ts";
import { durationOf } from "../../../engine/framework/time-messages.ts";
import { paramsFromMessage } from "../../../engine/modules/slashing/types.ts";
import { UPGRADE_INFO_PATH } from "../../../engine/modules/upgrade/upgrade-info.ts";
import type { Simulation } from "../../../engine/simulation/simulation.ts";
import { MODULE_ACCOUNTS } from "../../../engine/simulation/world.ts";
import type {
  Chain,
  ChainStatus as ChainStatusFrame,
  Frame,
  InjectedFaults,
  LabRequest,
  Node as NodeFrame,
  PlanView,
  ProposalView,
  Validator as ValidatorFrame,
} from "../../../gen/lab/v1/lab_plain.ts";
import { cancelAdvice } from "../diagnosis/cancel-advice.ts";
import { causeFrame } from "../diagnosis/cause-frame.ts";
import type { Texts } from "../texts.ts";
import { BlockTimes } from "./block-times.ts";
import { forksOf } from "./forks.ts";
import type { Observer } from "./observer.ts";
import { readinessOf } from "./readiness.ts";
import { readState, type StateView } from "./state-view.ts";

/** The world's part of a frame; the session adds the player's. */
export type WorldFrame = Omit<Frame, "revision" | "world" | "player" | "story">;

const PER_SECOND = Number(SECOND);

/**
 * Builds the frames of one simulation. Everything that depends only on the state is cached until
 * the state changes: a quiet chain costs a few small objects per frame at any height.
 */
export class FrameBuilder {
  readonly #sim: Simulation;
  readonly #observer: Observer;
  readonly #texts: Texts;
  #state: { readonly of: object; readonly view: StateView } | undefined;
  #fixed: Pick<Frame, "binaries" | "accounts"> | undefined;

  constructor(sim: Simulation, observer: Observer, words: Texts) {
    this.#sim = sim;
    this.#observer = observer;
    this.#texts = words;
  }

  build(request: LabRequest<"getFrame">): WorldFrame {
    setAddressPrefix(this.#sim.spec.prefix);
    const state = this.#readState();
    const chain = chainOf(this.#sim, state, this.#observer.burns.total);
    const { evidence, votes } = this.#sim.waitingEvidence();
    return {
      chain,
      validators: this.#validators(state),
      nodes: this.#nodes(state),
      chainStatus: this.#chainStatus(state, true),
      plan: planOf(this.#sim, state),
      ...this.#binariesAndAccounts(),
      moduleVersions: state.moduleVersions,
      proposals: this.#proposals(state),
      applied: state.applied,
      evidence: state.evidence,
      blocks: this.#observer.cellsAfter(request.blocksAfter ?? 0),
      activity: this.#observer.activityAfter(request.activityAfter ?? 0),
      samples: request.samples ? this.#observer.samples() : [],
      forks: this.forks(),
      faults: this.faults(),
      endedPlans: this.#observer.endedPlans,
      metForks: [...this.#observer.forks.rejoined],
      evidenceDecided: this.#observer.evidenceDecided,
      evidenceWaiting: evidence.length + votes.length,
      tampered: this.#sim.tampered,
    };
  }

  /** The cached state view; quiet blocks share one state object and read nothing. */
  #readState(): StateView {
    const of = this.#sim.state();
    if (this.#state?.of !== of) this.#state = { of, view: readState(this.#sim, this.#observer) };
    return this.#state.view;
  }

  /** True if blocks can be made now; lists the missing nodes with causes and remedies. */
  chainStatus(): ChainStatusFrame {
    return this.#chainStatus(this.#readState(), false);
  }

  /**
   * @param inFrame true if its cost must not grow with the chain; the page shows remedies only
   * while no block is made
   */
  #chainStatus(state: StateView, inFrame: boolean): ChainStatusFrame {
    const chainStatus = this.#sim.chainStatus();
    const tried = inFrame ? (chainStatus.state === "halted" ? "in-memory" : "none") : "all";
    const { votingPower, totalPower, neededPower } = chainStatus;
    return {
      state: chainStatus.state,
      votingPower,
      totalPower,
      neededPower,
      missing: chainStatus.missing.map((missing) => ({
        ...missing,
        cause: causeFrame(missing.cause),
      })),
      ...this.#texts.explainStatus(this.#sim, chainStatus, state.plan, tried),
    };
  }

  /** Every validator, in the order of their first vote. */
  validators(): readonly ValidatorFrame[] {
    return this.#validators(this.#readState());
  }

  /** Every node, with the names of the files on its disk. */
  nodes(): readonly NodeFrame[] {
    return this.#nodes(this.#readState()).map((node) => ({
      ...node,
      files: [...this.#sim.files(node.name).keys()].sort(),
    }));
  }

  /** Forks that the other partitions of the network make. */
  forks(): Frame["forks"] {
    return forksOf(this.#sim);
  }

  /** The injected faults, including those of later heights, and chaos. */
  faults(): InjectedFaults {
    const { faults, chaos } = this.#sim.faults();
    return {
      faults: faults.map(({ kind, node = "", groups, from, to = 0, planned }) => {
        return { kind, node, sides: groups.map((nodes) => ({ nodes })), from, to, planned };
      }),
      chaos,
    };
  }

  /** The cancellation deadline depends on block times, so it is not cached with the state. */
  #proposals({ proposals, openPlans }: StateView): readonly ProposalView[] {
    if (openPlans.size === 0) return proposals;
    const times = new BlockTimes(this.#sim);
    const { safetyDelta } = this.#sim.spec;
    return proposals.map((view) => {
      const planned = openPlans.get(view.id);
      return planned ? { ...view, advice: cancelAdvice(planned, safetyDelta, times) } : view;
    });
  }

  #validators(state: StateView): ValidatorFrame[] {
    const { validators, burns } = this.#observer;
    const { powers, nextPowers } = validators;
    const proposer = this.#sim.proposer();
    const signed = this.#sim.lastSigners();
    return validators.list.map((known, i) => {
      const { name, consensusAddress, operatorAddress, accountAddress } = known;
      const validator = state.validators.get(operatorAddress);
      const signing = state.signing.get(consensusAddress);
      const vote = signed(known.address);
      // All in one literal: a spread would create a slow object, one per validator and frame.
      return {
        name,
        operatorAddress,
        consensusAddress,
        accountAddress,
        power: powers[i] ?? 0,
        bond: validator?.status ?? "removed",
        jailed: validator?.jailed ?? false,
        tombstoned: signing?.tombstoned ?? false,
        tokens: String(validator?.tokens ?? 0),
        missedBlocks: signing?.missed ?? 0,
        burned: burns.of(consensusAddress).toString(),
        signed: vote === true,
        proposer: equal(known.address, proposer),
        absent: vote === false,
        nextPower: nextPowers[i] ?? 0,
      };
    });
  }

  #nodes(state: StateView): NodeFrame[] {
    return this.#sim.nodes().map((node) => ({
      name: node.name,
      validator: node.validator,
      process: node.process,
      binary: node.binary,
      staged: node.staged ?? "",
      height: node.height,
      appHash: toHexUpper(node.appHash),
      reason: node.reason,
      upgradeInfo: this.#sim.file(node.name, UPGRADE_INFO_PATH) ?? "",
      skipUpgradeHeights: node.skipUpgradeHeights,
      partition: node.partition,
      faults: node.faults.map(({ kind, from, to = 0 }) => ({ kind, from, to })),
      forPlan: readinessOf(this.#sim, node, state.plan),
      files: NO_FILES,
      cause: node.haltCause && causeFrame(node.haltCause),
      haltHeight: node.haltHeight,
      haltTime: node.haltTime === 0 ? "" : formatProtoTime(BigInt(node.haltTime) * SECOND),
      halted: consensusHalt(node) && true,
    }));
  }

  #binariesAndAccounts(): Pick<Frame, "binaries" | "accounts"> {
    const binaries = this.#sim.binaries();
    if (this.#fixed?.binaries.length === binaries.length) return this.#fixed;
    this.#fixed = {
      binaries: binaries.map(({ name, modules, handlers }) => ({
        name,
        modules: Object.entries(modules).map(([module, version]) => ({ name: module, version })),
        handlers: [...handlers],
      })),
      accounts: this.#sim.accountNames().map((name) => ({
        name,
        address: accAddress(this.#sim.account(name) ?? new Uint8Array()),
        module: MODULE_ACCOUNTS.includes(name),
      })),
    };
    return this.#fixed;
  }
}

const NO_FILES: readonly string[] = [];

function chainOf(sim: Simulation, state: StateView, burned: bigint): Chain {
  const { spec } = sim;
  return {
    chainId: spec.chainId,
    profile: spec.profile,
    denom: spec.staking.bondDenom,
    height: sim.height,
    decidedHeight: sim.decidedHeight,
    round: sim.round,
    time: formatProtoTime(sim.time),
    clock: formatProtoTime(sim.clock),
    appHash: toHexUpper(sim.appHash),
    seed: spec.seed,
    supply: state.supply.toString(),
    burned: burned.toString(),
    blockTimeMs: Number(spec.blockTime) / 1e6,
    unbondingSeconds: Number(durationOf(spec.staking.unbondingTime)) / PER_SECOND,
    maxEvidenceAgeSeconds: Number(spec.maxEvidenceAge) / PER_SECOND,
    votingSeconds: Number(durationOf(spec.gov.votingPeriod)) / PER_SECOND,
    safetySeconds: Number(spec.safetyDelta) / PER_SECOND,
    depositSeconds: Number(durationOf(spec.gov.maxDepositPeriod)) / PER_SECOND,
    slashFractionDoubleSign: decToText(paramsFromMessage(spec.slashing).slashFractionDoubleSign),
    genesisTime: formatProtoTime(spec.genesisTime),
    evidenceRoutes: [...spec.evidenceRoutes],
    initialHeight: sim.initialHeight,
    decidedShare: sim.decidedShare,
  };
}

function planOf(sim: Simulation, { plan }: StateView): PlanView | undefined {
  if (plan === undefined) return undefined;
  const blocksLeft = Math.max(plan.height - sim.height, 0);
  const expected = atMostLast(sim.time + BigInt(blocksLeft) * sim.spec.blockTime);
  return { ...plan, blocksLeft, expectedTime: formatProtoTime(expected) };
}
