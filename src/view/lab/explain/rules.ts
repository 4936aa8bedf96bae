/**
 * Maps each decision to its rule in docs/rules: of a step, of a halt, of a message. A kind without
 * a rule does not compile.
 */
import type { ModuleStep } from "../../../engine/app/steps.ts";
import type { HaltCause } from "../../../engine/framework/halt.ts";

type Module = ModuleStep["module"];
type StepOf<M extends Module> = Extract<ModuleStep, { module: M }>;

/** A rule, or a function that finds it from the step and the other steps of its block. */
type Rule<Step> = string | ((step: Step, among: readonly ModuleStep[]) => string);

type Rules = {
  readonly [M in Module]: {
    readonly [Kind in StepOf<M>["kind"]]: Rule<Extract<StepOf<M>, { kind: Kind }>>;
  };
};

const STEPS: Rules = {
  app: { transaction: "rules/consensus 8.5" },
  evidence: {
    misbehavior: "rules/evidence 5.1",
    unknown_misbehavior: "rules/evidence 5.1",
    outcome: "rules/evidence 5.2",
    infraction_block: "rules/evidence 5.5",
    basic_validation: ({ phase }) =>
      phase === "begin-block" ? "rules/evidence 5.8" : "rules/evidence 4.1",
    duplicate_check: "rules/evidence 4.2",
    route: ({ data }) => (data.found === "no_router" ? "rules/evidence 3.3" : "rules/evidence 4.2"),
    claims_hold: (_, among) =>
      isCounterfactual(among) ? "rules/evidence 5.9" : "rules/evidence 5.7",
    signatures_hold: "rules/evidence 5.9",
    other_block: "rules/evidence 5.9",
    handler: "rules/evidence 4.2",
    event: "rules/evidence 4.3",
    persistence: "rules/evidence 2.1",
    unknown_validator: "rules/evidence 5.3",
    validator: "rules/evidence 5.3",
    public_key: "rules/evidence 5.4",
    age: "rules/evidence 5.5",
    signing_info: "rules/evidence 5.2",
    tombstoned: "rules/evidence 5.2",
    stake: "rules/evidence 5.6",
    already_jailed: "rules/evidence 5.6",
  },
  gov: {
    submitted: "rules/gov 2.2",
    cancelled: "rules/gov 5.1",
    cancel_cost: "rules/gov 5.1",
    deposit: "rules/gov 3.1",
    deposits_refunded: ({ data }, among) => endOfDeposits(data.proposalId, among),
    deposits_burned: ({ data }, among) => endOfDeposits(data.proposalId, among),
    voting: "rules/gov 3.1",
    vote: "rules/gov 4.1",
    nothing_bonded: "rules/gov 6.2",
    turnout: "rules/gov 6.2",
    all_abstained: "rules/gov 6.2",
    veto: "rules/gov 6.2",
    yes: "rules/gov 6.2",
    closed: ({ data }) => (data.closing.result === "failed" ? "rules/gov 7.3" : "rules/gov 7.2"),
    dropped: "rules/gov 7.1",
    unsupported: "rules/gov 7.4",
    execute: ({ data }) => (data.error === undefined ? "rules/gov 7.2" : "rules/gov 7.3"),
  },
  slashing: {
    liveness: "rules/slashing 4.1",
    unknown_voter: "rules/slashing 4.2",
    downtime: "rules/slashing 4.1",
    tombstoned_key: "rules/slashing 5.2",
    slash: "rules/slashing 2.1",
    jail_refused: "rules/slashing 2.2",
    jail_until: "rules/slashing 2.3",
    tombstone: "rules/slashing 2.3",
    low_self_delegation: "rules/slashing 6.1",
    not_jailed: "rules/slashing 6.1",
    tombstoned: "rules/slashing 6.1",
    jail_not_over: "rules/slashing 6.1",
  },
  staking: {
    validator_power: "rules/staking 5.3",
    validator_leaves: "rules/staking 5.3",
    unbonding_over: "rules/staking 5.4",
    remove_validator: ({ phase }) =>
      phase === "end-block" ? "rules/staking 5.4" : "rules/staking 3.4",
    jail: "rules/staking 5.1",
    unjail: "rules/slashing 6.1",
    low_self_delegation: "rules/staking 3.4",
    slash_amount: "rules/staking 4.1",
    slash_unbonding: "rules/staking 4.2",
    slash_redelegation: "rules/staking 4.3",
    slash_departed: "rules/staking 4.1",
    slash_validator: "rules/staking 4.1",
    no_validator: "rules/staking 4.1",
  },
  upgrade: {
    module_added: "rules/upgrade 7.1",
    version_kept: "rules/upgrade 7.1",
    version_higher: "rules/upgrade 7.3",
    migration: ({ data }) => (data.failed ? "rules/upgrade 7.2" : "rules/upgrade 7.1"),
    schedule: "rules/upgrade 3.2",
    plan_cleared({ phase }, among) {
      if (phase !== "pre-block") return "rules/upgrade 3.3";
      return among.some(({ kind }) => kind === "handler_run")
        ? "rules/upgrade 4.5"
        : "rules/upgrade 4.1";
    },
    plan: "rules/upgrade 1.3",
    skip_height: "rules/upgrade 4.4",
    handler: ({ data }) => (data.found ? "rules/upgrade 4.1" : "rules/upgrade 4.3"),
    early_handler: "rules/upgrade 4.8",
    last_upgrade: "rules/upgrade 4.2",
    upgrade_info: "rules/upgrade 5.1",
    node_stops: "rules/upgrade 4.3",
    handler_run: "rules/upgrade 4.5",
    module_versions: "rules/upgrade 4.5",
    protocol_version: "rules/upgrade 4.5",
    done: "rules/upgrade 2.2",
  },
};

const isCounterfactual = (among: readonly ModuleStep[]): boolean =>
  among.some(
    ({ module, kind, data }) =>
      module === "evidence" &&
      kind === "route" &&
      (data as { readonly route: string }).route === "counterfactual",
  );

/** Deposits end with their proposal: dropped, withdrawn, unsupported by this binary, or counted. */
function endOfDeposits(id: bigint, among: readonly ModuleStep[]): string {
  const ends = (name: string): boolean =>
    among.some(
      ({ module, kind, data }) =>
        module === "gov" &&
        kind === name &&
        (data as { readonly proposalId?: bigint }).proposalId === id,
    );
  if (ends("dropped")) return "rules/gov 7.1";
  if (ends("unsupported")) return "rules/gov 7.4";
  return ends("cancelled") ? "rules/gov 5.1" : "rules/gov 7.2";
}

/** Without the folder, as on the wire. */
const short = (rule: string): string => rule.slice("rules/".length);

/** The rule of a step; `among` are all steps of its block. */
export function ruleOfStep(step: ModuleStep, among: readonly ModuleStep[]): string {
  // A union of tables cannot be indexed by a union of kinds.
  const rules = STEPS[step.module] as Readonly<Record<string, Rule<ModuleStep>>>;
  const rule = rules[step.kind] as Rule<ModuleStep>;
  return short(typeof rule === "string" ? rule : rule(step, among));
}

const HALTS: { readonly [Kind in HaltCause["kind"]]: string } = {
  upgrade_needed: "rules/upgrade 4.3",
  binary_too_early: "rules/upgrade 4.8",
  handler_missing: "rules/upgrade 4.2",
  upgrade_info_not_written: "rules/upgrade 4.3",
  halt_height: "rules/upgrade 4.6",
  halt_time: "rules/upgrade 4.6",
  application_error: "rules/consensus 7.1",
  wrong_app_hash: "rules/consensus 7.2",
  wrong_last_results_hash: "rules/consensus 7.2",
  wrong_last_block_id: "rules/consensus 7.2",
  validator_set_error: "rules/consensus 7.4",
  time_out_of_range: "rules/consensus 5.7",
  crashed: "rules/consensus 9.2",
  upgrade_info_unreadable: "rules/upgrade 5.2",
  store_version_mismatch: "rules/upgrade 6.3",
  signer_state_missing: "rules/consensus 6.1",
  signer_state_unreadable: "rules/consensus 6.1",
  backup_dir_missing: "rules/sidecar 1.2",
  launch_failed: "rules/sidecar 3.1",
  sidecar_skips: "rules/sidecar 3.5",
  sidecar_waits: "rules/sidecar 3.4",
  sidecar_restart_off: "rules/sidecar 3.4",
  sidecar_failed: "rules/sidecar 3.4",
};

export const ruleOfHalt = ({ kind }: HaltCause): string => short(HALTS[kind]);

/** Rules by which a message can be refused, by its type. */
const MESSAGES: Readonly<Record<string, string>> = {
  "bank.v1beta1.MsgSend": "rules/staking 7.1",
  "evidence.v1beta1.MsgSubmitEvidence": "rules/evidence 4.1",
  "gov.v1.MsgSubmitProposal": "rules/gov 2.1",
  "gov.v1.MsgExecLegacyContent": "rules/gov 9.1",
  "gov.v1.MsgVote": "rules/gov 4.1",
  "gov.v1.MsgVoteWeighted": "rules/gov 4.1",
  "gov.v1.MsgDeposit": "rules/gov 3.1",
  "gov.v1.MsgUpdateParams": "rules/gov 1.1",
  "gov.v1.MsgCancelProposal": "rules/gov 5.1",
  "gov.v1beta1.MsgSubmitProposal": "rules/gov 9.1",
  "gov.v1beta1.MsgVote": "rules/gov 4.1",
  "gov.v1beta1.MsgVoteWeighted": "rules/gov 4.1",
  "gov.v1beta1.MsgDeposit": "rules/gov 3.1",
  "slashing.v1beta1.MsgUnjail": "rules/slashing 6.1",
  "slashing.v1beta1.MsgUpdateParams": "rules/slashing 1.3",
  "staking.v1beta1.MsgCreateValidator": "rules/staking 3.8",
  "staking.v1beta1.MsgEditValidator": "rules/staking 3.8",
  "staking.v1beta1.MsgDelegate": "rules/staking 2.1",
  "staking.v1beta1.MsgBeginRedelegate": "rules/staking 3.2",
  "staking.v1beta1.MsgUndelegate": "rules/staking 3.1",
  "staking.v1beta1.MsgCancelUnbondingDelegation": "rules/staking 3.7",
  "staking.v1beta1.MsgUpdateParams": "rules/staking 1.3",
  "upgrade.v1beta1.MsgSoftwareUpgrade": "rules/upgrade 3.2",
  "upgrade.v1beta1.MsgCancelUpgrade": "rules/upgrade 3.1",
};

/**
 * The rule that decides about a message; undefined for a type that no module of this chain handles.
 */
export function ruleOfMessage(typeUrl: string): string | undefined {
  const rule = MESSAGES[typeUrl.replace(/^\/(?:chain|cosmos)\./, "")];
  return rule && short(rule);
}

interface Refusal {
  readonly code: number;
  readonly codespace: string;
}

/**
 * The rule of a refusal before the messages run (ante handler); undefined for a refusal of a
 * message.
 */
export function ruleOfTransaction(
  { code, codespace }: Refusal,
  inMessage: boolean,
): string | undefined {
  if (codespace === "undefined" && code === PANIC) return short("rules/consensus 8.4");
  if (inMessage) return undefined;
  return codespace === "sdk" && SIGNED.includes(code)
    ? short("rules/clients 6.2")
    : short("rules/consensus 8.5");
}

const PANIC = 111_222;
/** Codes of codespace sdk: a wrong sequence, and a height above the transaction's timeout. */
const SIGNED = [30, 32];
