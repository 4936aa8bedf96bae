import type { ScenarioStep } from "../store/actions.ts";
import type { Frame } from "../store/types.ts";

export interface Proposing {
  readonly kind: "upgrade" | "cancel";
  /** `pass`: all validators vote yes and the voting period runs; `propose`: only the proposal. */
  readonly how: "pass" | "propose";
  readonly name: string;
  readonly at: number | string;
  readonly info: string;
  readonly check: InfoCheck;
}

/** How the info is validated before it is proposed: as the command line does, without checksums, or not. */
export type InfoCheck = "full" | "no_checksums" | "none";

/** A blank info has nothing to check; people who fill it in want to know if it is right. */
export const usualCheck = (info: string): InfoCheck => (info.trim() === "" ? "none" : "full");

const VALIDATION: Readonly<Record<InfoCheck, object>> = {
  full: { validate_info: true },
  no_checksums: { validate_info: { checksum_required: false } },
  none: {},
};

/** A reference that the scenario runner resolves: the governance module's account. */
const GOV = "$" + "{gov}";

/** The scenario step that proposes what the form says. */
export function proposalStep(
  { kind, how, name, at, info, check }: Proposing,
  frame: Frame | undefined,
): ScenarioStep {
  if (how === "pass") {
    const upgrade = { name, at, ...(info && { info }), ...VALIDATION[check] };
    return { upgrade: kind === "cancel" ? { cancel: true } : upgrade };
  }
  const from = frame?.nodes[0]?.name ?? "";
  if (kind === "cancel") {
    const message = { "@type": "/chain.upgrade.v1beta1.MsgCancelUpgrade", authority: GOV };
    return { propose: { from, title: "Cancel the upgrade", messages: [message] } };
  }
  const message = {
    "@type": "/chain.upgrade.v1beta1.MsgSoftwareUpgrade",
    authority: GOV,
    plan: { name, height: String(at), info },
  };
  const proposal = { from, title: `Upgrade to ${name}`, messages: [message] };
  return { propose: { ...proposal, ...VALIDATION[check] } };
}

/** Far enough that the vote ends first, with room to change one's mind; a round number. */
export function usualHeight(frame: Frame | undefined): number {
  const chain = frame?.chain;
  if (!chain) return 40;
  const voting = Math.ceil((chain.votingSeconds * 1000) / (chain.blockTimeMs || 5000));
  return Math.ceil((chain.height + voting + 15) / 10) * 10;
}

/** The first Handler of a binary that not all nodes run: the likely upgrade. */
export function usualPlanName(frame: Frame | undefined): string {
  const next = frame?.binaries.find(
    (binary) =>
      binary.handlers.length > 0 && frame.nodes.some((node) => node.binary !== binary.name),
  );
  return next?.handlers[0] ?? "v2";
}
