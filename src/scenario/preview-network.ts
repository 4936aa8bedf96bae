/** Previews of the steps that inject faults, partition the network or attack light clients: a sentence each. */
import { faultText, type MachineFaultKind } from "../engine/network/faults/kinds.ts";
import type { Simulation } from "../engine/simulation/simulation.ts";
import type { StepPreview } from "../gen/lab/v1/lab_plain.ts";
import { resolveNumber } from "./references.ts";
import type { StepContext } from "./step-context.ts";

type Groups = readonly (readonly string[])[];

interface FaultArgs {
  readonly node: string;
  readonly kind: MachineFaultKind;
  readonly at?: number;
  readonly for?: number;
}

type CutArgs = Omit<FaultArgs, "node" | "kind"> & { readonly groups: Groups };

export function fault(
  context: StepContext,
  args:
    | FaultArgs
    | CutArgs
    | { readonly chaos: number; readonly for: number }
    | { readonly clear: string },
): Partial<StepPreview> {
  const { sim } = context;
  if ("clear" in args) {
    const whose = args.clear === "all" ? "of every node" : `of ${args.clear}`;
    return { sentence: `The faults ${whose} end; what had crashed is started again.` };
  }
  if ("chaos" in args) {
    const safe =
      args.chaos <= 3 ? " The nodes with faults never hold a third of the power together." : "";
    return {
      sentence: `Until height ${sim.decidedHeight + args.for} faults are drawn from the seed.${safe}`,
    };
  }
  const from = args.at ?? sim.decidedHeight + 1;
  const to = args.for === undefined ? "until it is taken back" : `to height ${from + args.for - 1}`;
  if ("groups" in args) {
    const { sentence } = partition(context, args.groups);
    return { sentence: `From height ${from} ${to} the network is cut. ${sentence}` };
  }
  if (args.kind === "double_sign" && args.for === undefined) {
    return { sentence: `Once, from height ${from} on, ${args.node} ${faultText(args.kind).does}.` };
  }
  return { sentence: `From height ${from} ${to}, ${args.node} ${faultText(args.kind).does}.` };
}

export function partition({ sim }: StepContext, groups: "heal" | Groups): Partial<StepPreview> {
  if (groups === "heal") return { sentence: "All machines hear one another again." };
  const named = new Set(groups.flat());
  const rest = sim.nodes().flatMap(({ name }) => (named.has(name) ? [] : [name]));
  const sides = [...groups, rest].filter((side) => side.length > 0);
  const { totalPower, neededPower: needed } = sim.chainStatus();
  const counted = sides.map((side) => powerOf(sim, side));
  const going = counted.filter((power) => power >= needed).length;
  const end = [
    "none has enough, and the chain stands still",
    "one has enough and goes on",
    "more than one has enough, since keys are on both sides, and the chain splits",
  ][Math.min(going, 2)];
  return {
    sentence: `The sides hold ${counted.join(" and ")} of ${totalPower} power and ${needed} are needed: ${end}.`,
  };
}

/** Of the keys on these machines: two machines with one key vote as one. */
function powerOf(sim: Simulation, names: readonly string[]): number {
  const keys = new Map(
    sim
      .nodes()
      .filter(({ name }) => names.includes(name))
      .map(({ consensusAddress, power }) => [consensusAddress.join(), power]),
  );
  return [...keys.values()].reduce((sum, power) => sum + power, 0);
}

type NodesArgs = { readonly which: "all" | readonly string[] } & Readonly<Record<string, unknown>>;

const ACTION: Readonly<Record<string, (who: string, value: unknown) => string>> = {
  stop: (who) => `The process of ${who} ends.`,
  start: (who) => `The process of ${who} is started.`,
  twin: (who, starts) =>
    starts === false
      ? `The second machine with the key of ${who} is taken away.`
      : `A second machine with the key of ${who} joins. Both sign: if they ever sign different blocks, that is a double sign.`,
  lose_signer_state: (who) =>
    `The signer of ${who} forgets what it has signed, and signs whatever it is asked next.`,
  roll_back: (who, blocks) =>
    `${who} takes back ${blocks} blocks and will apply them anew when it is started.`,
  state_sync: (who, from) => `${who} throws its state away and takes over that of ${from}.`,
  wipe: (who) => `${who} loses its data and begins at the first block.`,
};

export function nodes(_: StepContext, { which, ...given }: NodesArgs): Partial<StepPreview> {
  const who = which === "all" ? "every node" : which.join(", ");
  const [action = "", value] = Object.entries(given).find(([, one]) => one !== undefined) ?? [];
  return { sentence: ACTION[action]?.(who, value) ?? "" };
}

interface AttackArgs {
  readonly kind: "lunatic" | "equivocation" | "amnesia";
  readonly by: readonly string[];
  readonly height?: number | string;
}

const ATTACK: Readonly<Record<AttackArgs["kind"], readonly [does: string, then: string]>> = {
  lunatic: ["a block with a state and a set of their own", "punishes whoever signed"],
  equivocation: [
    "a block with other transactions, in the same round",
    "punishes whoever signed both",
  ],
  amnesia: [
    "a block with other transactions, in a later round",
    "punishes nobody: the votes do not show who broke the rules",
  ],
};

export function lightClientAttack(context: StepContext, args: AttackArgs): Partial<StepPreview> {
  const { sim } = context;
  const { kind, by } = args;
  const height = args.height === undefined ? sim.height : resolveNumber(context, args.height);
  const [does, then] = ATTACK[kind];
  return {
    sentence: `${by.join(", ")}, ${powerOf(sim, by)} of ${sim.chainStatus().totalPower} power, sign ${does}, against block ${height}. An honest node sees it; the evidence in block ${sim.decidedHeight + 1} ${then}.`,
  };
}
