import type { ScenarioStep } from "../store/actions.ts";
import type { Frame } from "../store/types.ts";

export interface Proposing {
  readonly kind: "upgrade" | "cancel";
  /** `pass`: all validators vote yes; `propose`: only the proposal. */
  readonly how: "pass" | "propose";
  /**
   * True if the chain makes no blocks automatically: with all votes, the step makes those until the
   * end of voting.
   */
  readonly rests: boolean;
  readonly name: string;
  readonly at: number | string;
  readonly info: string;
  readonly check: InfoCheck;
  readonly expedited: boolean;
  /** True to create a binary for the plan. */
  readonly build: boolean;
}

/** Validation of the info before it is proposed: as by the CLI, without checksums, or none. */
export type InfoCheck = "full" | "no_checksums" | "none";

/** A blank info has nothing to check; users who fill it in want it validated. */
export const usualCheck = (info: string): InfoCheck => (info.trim() === "" ? "none" : "full");

const VALIDATION: Readonly<Record<InfoCheck, object>> = {
  full: { validate_info: true },
  no_checksums: { validate_info: { checksum_required: false } },
  none: {},
};

/** The scenario step that proposes the upgrade in the form. */
export function proposalStep(form: Proposing): ScenarioStep {
  const { kind, how, rests, name, at, info, check, expedited, build } = form;
  const until = how === "propose" ? "proposed" : rests ? "decided" : "voted";
  const vote = { ...(expedited && { expedited }), until };
  if (kind === "cancel") return { upgrade: { cancel: true, ...vote } };
  const plan = { name, at, ...(info && { info }), ...(build && { build }) };
  return { upgrade: { ...plan, ...vote, ...VALIDATION[check] } };
}

/**
 * Minimum blocks for the user, in addition to two voting periods, which a plan and its cancellation
 * take.
 */
const LEAST_BLOCKS = 20;
/** Seconds of blocks that a fast chain makes while the user reads. */
const READING_SECONDS = 10;

/** Late enough that the plan can still be cancelled by vote; a round number. */
export function usualHeight(frame: Frame | undefined): number {
  const chain = frame?.chain;
  if (!chain) return 40;
  const voting = Math.ceil((chain.votingSeconds * 1000) / (chain.blockTimeMs || 5000));
  const people = Math.max(LEAST_BLOCKS, READING_SECONDS * (frame.player?.rate ?? 0));
  return Math.ceil((chain.height + 2 * voting + people) / 10) * 10;
}

/**
 * The first handler of a binary whose plan was neither executed nor proposed, else the name of the
 * next version.
 */
export function usualPlanName(frame: Frame | undefined): string {
  if (!frame) return "v2";
  const { binaries, proposals, applied, plan } = frame;
  const voted = proposals.filter(({ status }) => status === "voting" || status === "deposit");
  const taken = new Set([
    ...applied.map(({ name }) => name),
    ...voted.map(({ planName }) => planName),
    plan?.name,
  ]);
  const ready = binaries.flatMap(({ handlers }) => handlers).find((name) => !taken.has(name));
  if (ready !== undefined) return ready;
  const names = new Set([...taken, ...binaries.map(({ name }) => name)]);
  let version = 2;
  while (names.has(`v${version}`)) version += 1;
  return `v${version}`;
}
