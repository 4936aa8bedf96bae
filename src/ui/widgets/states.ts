/** Labels of the states of nodes and validators, with their meanings. */
import type { Node, Validator } from "../store/types.ts";
import type { Holder } from "../store/validators.ts";

type Tone = "ok" | "warn" | "bad" | "off" | "plain";

export interface State {
  readonly label: string;
  /** Explains the label. */
  readonly meaning: string;
  readonly tone: Tone;
  readonly icon: StateIcon;
}
type StateIcon = "disc" | "square" | "ring" | "cross" | "half" | "lock" | "stone";

const PROCESS: Readonly<Record<string, State>> = {
  running: { label: "running", meaning: "the process is up", tone: "ok", icon: "disc" },
  halted: {
    label: "halted",
    meaning: "consensus stopped, the process is up",
    tone: "warn",
    icon: "square",
  },
  stopped: { label: "stopped", meaning: "its operator stopped it", tone: "off", icon: "ring" },
  exited: { label: "exited", meaning: "the process ended", tone: "off", icon: "cross" },
  syncing: { label: "syncing", meaning: "catching up", tone: "plain", icon: "half" },
};

const UNKNOWN: State = { label: "unknown", meaning: "", tone: "off", icon: "ring" };

/** The state of a validator whose key no node has. */
export const NO_NODE: State = {
  label: "no node",
  meaning: "no node here has its key",
  tone: "off",
  icon: "ring",
};

/** A node whose process exits together with its consensus. */
const HALTED_AND_EXITED: State = {
  label: "halted, exited",
  meaning: "consensus stopped, and the process ended with it",
  tone: "warn",
  icon: "cross",
};

/** The state of a node's process. */
export const processState = ({ process, halted }: Pick<Node, "process" | "halted">): State =>
  halted && process === "exited" ? HALTED_AND_EXITED : (PROCESS[process] ?? UNKNOWN);

/** A validator's state on chain; undefined while it is bonded. */
export function validatorState({ tombstoned, jailed, bond }: Validator): State | undefined {
  if (tombstoned) {
    return {
      label: "tombstoned",
      meaning: "jailed for good with this key",
      tone: "bad",
      icon: "stone",
    };
  }
  if (jailed)
    return {
      label: "jailed",
      meaning: "out of the validator set, may unjail",
      tone: "bad",
      icon: "lock",
    };
  if (bond === "unbonding") {
    return {
      label: "unbonding",
      meaning: "leaving; its stake can still be slashed",
      tone: "off",
      icon: "half",
    };
  }
  if (bond === "unbonded") {
    return { label: "unbonded", meaning: "not in the set", tone: "off", icon: "ring" };
  }
  if (bond === "removed") {
    return { label: "removed", meaning: "no longer a validator", tone: "off", icon: "cross" };
  }
  return undefined;
}

/**
 * The validator's state, else that of a node that may vote for it, its own first: for a ring or a
 * single cell.
 */
export function mainState({ validator, nodes }: Holder): State {
  const node = nodes.find(({ process }) => process === "running") ?? nodes[0];
  return validatorState(validator) ?? (node ? processState(node) : NO_NODE);
}

export const faultLabel = (kind: string): string =>
  kind === "double_sign" ? "signs twice" : kind.replaceAll("_", " ");

/** A partition of the network, by its number from 1. */
export const partitionName = (partition: number): string => `partition ${sideLetter(partition)}`;

export const sideLetter = (partition: number): string => String.fromCharCode(64 + partition);
