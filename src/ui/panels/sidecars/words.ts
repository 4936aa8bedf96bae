/** Labels and appearance of the states of sidecars and of their steps. */
import type { SidecarStep } from "../../store/types.ts";
import type { IconName } from "../../widgets/Icon.tsx";
import type { State } from "../../widgets/states.ts";

const STATES: Readonly<Record<string, State>> = {
  failed: { label: "failed", meaning: "its upgrade failed", tone: "bad", icon: "cross" },
  gone: { label: "gone", meaning: "it does not run any more", tone: "bad", icon: "ring" },
  unready: {
    label: "not ready",
    meaning: "it would fail at the plan",
    tone: "warn",
    icon: "square",
  },
  working: { label: "upgrading", meaning: "it is at it", tone: "plain", icon: "half" },
  ready: { label: "ready", meaning: "it will switch at the plan", tone: "ok", icon: "disc" },
  watching: { label: "watching", meaning: "it watches its node's disk", tone: "ok", icon: "disc" },
  stopped: { label: "stopped", meaning: "its operator stopped it", tone: "off", icon: "ring" },
};

const UNKNOWN: State = { label: "unknown", meaning: "", tone: "off", icon: "ring" };

export const sidecarState = (state: string): State => STATES[state] ?? UNKNOWN;

/** States that require the operator. */
export const needsPerson = (state: string): boolean =>
  state === "failed" || state === "gone" || state === "unready";

const STEPS: Readonly<Record<string, string>> = {
  watch: "Watches the disk",
  stop: "Stops the app",
  delay: "Waits",
  backup: "Backs up data/",
  script: "Runs its operator's script",
  binary: "Finds the binary",
  download: "Downloads it",
  checksum: "Checks its SHA-256",
  switch: "Switches the link",
  pre_upgrade: "Runs pre-upgrade",
  restart: "Starts the new binary",
};

export const stepTitle = ({ step }: SidecarStep): string => STEPS[step] ?? step;

/** Labels of step states, also for their icons; a pending one has none. */
export const STEP_STATES: Readonly<Record<string, { word: string; icon: IconName }>> = {
  done: { word: "done", icon: "check" },
  now: { word: "now", icon: "play" },
  failed: { word: "failed", icon: "cross" },
  left_out: { word: "left out", icon: "minus" },
  later: { word: "", icon: "ring" },
};
