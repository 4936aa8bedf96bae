import type { NodeFaultKind } from "../../client/fault-kinds.ts";
import type { ScenarioStep } from "../store/actions.ts";
import { count, plural } from "../widgets/format.ts";
import { asNumber } from "./form-text.ts";

/** A kind of fault of one node, or another action of the form. */
export type FaultAction =
  | NodeFaultKind
  | "roll_back"
  | "state_sync"
  | "wipe"
  | "partition"
  | "heal"
  | "chaos"
  | "clear";

/** Field values as typed; empty ones are omitted from the step. */
export interface FaultFields {
  readonly what: FaultAction;
  readonly node: string;
  readonly at: string;
  readonly lasts: string;
  readonly probability: string;
  readonly by: string;
  readonly blocks: string;
  readonly from: string;
  readonly level: string;
  /** The nodes of the other partition. */
  readonly otherSide: readonly string[];
}

export function faultStep(form: FaultFields, nodes: readonly string[]): ScenarioStep {
  const { what, node } = form;
  const when = { ...input("at", form.at), ...input("for", form.lasts) };
  switch (what) {
    case "wipe":
      return { nodes: { which: [node], wipe: true } };
    case "roll_back":
      return { nodes: { which: [node], roll_back: asNumber(form.blocks) } };
    case "state_sync":
      return { nodes: { which: [node], state_sync: form.from } };
    case "partition": {
      const here = nodes.filter((name) => !form.otherSide.includes(name));
      const groups = [here, form.otherSide].filter((side) => side.length > 0);
      return { fault: { kind: "partition", groups, ...when } };
    }
    case "heal":
      return { partition: "heal" };
    case "chaos":
      return { fault: { chaos: asNumber(form.level), for: asNumber(form.lasts) } };
    case "clear":
      return { fault: { clear: "all" } };
    case "mute":
    case "slow":
    case "flaky":
    case "crash":
    case "clock":
    case "stop":
    case "double_sign":
    case "twin":
    case "lose_signer_state":
      return {
        fault: {
          node,
          kind: what,
          ...when,
          ...(what === "flaky" && input("probability", form.probability)),
          ...(what === "clock" && form.by !== "" && { by: form.by }),
        },
      };
    default:
      return what satisfies never;
  }
}

/** Returns the message after the step ran at a height; effects from a later block are announced. */
export function faultDone({ what, node, at, blocks }: FaultFields, height: number): string {
  const begins = `is to begin with block ${count(Number(at) || height + 1)}.`;
  switch (what) {
    case "wipe":
      return `${node} has lost its data.`;
    case "roll_back":
      return `${node} has gone back by ${plural(Number(blocks), "block")}.`;
    case "state_sync":
      return `${node} syncs its state.`;
    case "heal":
      return "The network is healed.";
    case "clear":
      return "All faults are cleared.";
    case "partition":
      return `The partition ${begins}`;
    case "chaos":
      return `Chaos ${begins}`;
    default:
      return `The fault of ${node} ${begins}`;
  }
}

const input = (field: string, text: string): ScenarioStep =>
  text === "" ? {} : { [field]: asNumber(text) };
