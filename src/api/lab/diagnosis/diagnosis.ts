import type { Simulation } from "../../../engine/simulation/simulation.ts";
import type { ChainStatus, NodeView } from "../../../engine/simulation/views.ts";

/** Why nodes take no part, as far as it decides what would help. */
export type Cause =
  | { readonly kind: "upgrade"; readonly plan: string; readonly height: number }
  | { readonly kind: "too-early"; readonly plan: string }
  | { readonly kind: "wrong-binary"; readonly plan: string }
  | { readonly kind: "fault"; readonly fault: string }
  | { readonly kind: "backup-dir"; readonly dir: string }
  | {
      readonly kind:
        | "stopped"
        | "cut"
        | "diverged"
        | "app-hash"
        | "forked"
        | "halt-height"
        | "crashed"
        | "disk"
        | "bad-info"
        | "signer"
        | "launch"
        | "sidecar-skips"
        | "stores"
        | "other";
    };

/** Nodes that are missing for one reason. */
export interface Diagnosis {
  readonly cause: Cause;
  readonly nodes: readonly NodeView[];
  readonly power: number;
  readonly words: string;
}

/** Sorts what is missing by what would help; the greatest power first. */
export function diagnose(sim: Simulation, chainStatus: ChainStatus): readonly Diagnosis[] {
  const byName = new Map(sim.nodes().map((node) => [node.name, node]));
  const missing = new Set(chainStatus.missing.flatMap(({ nodes }) => nodes));
  const votingGroup = [...byName.values()].find(({ name }) => !missing.has(name));
  const found = new Map<
    string,
    { cause: Cause; nodes: NodeView[]; power: number; words: string }
  >();
  for (const { nodes, words } of chainStatus.missing) {
    for (const node of nodes.flatMap((name) => byName.get(name) ?? [])) {
      const cause = causeOf(node, words, votingGroup);
      const key = Object.values(cause).join();
      const known = found.get(key) ?? { cause, nodes: [], power: 0, words };
      known.nodes.push(node);
      known.power += node.power;
      found.set(key, known);
    }
  }
  return [...found.values()].sort((a, b) => b.power - a.power);
}

/** The words that nodes stop with, wherever they stand in their reason (upgrade document §2). */
const WORDS: readonly (readonly [RegExp, (match: RegExpExecArray) => Cause])[] = [
  [
    /UPGRADE "(.*?)" NEEDED at height: (\d+)/,
    ([, plan = "", height]) => ({ kind: "upgrade", plan, height: Number(height) }),
  ],
  [
    /BINARY UPDATED BEFORE TRIGGER! UPGRADE "(.*?)"/,
    ([, plan = ""]) => ({ kind: "too-early", plan }),
  ],
  [
    /upgrade handler is missing for (.*) upgrade plan/,
    ([, plan = ""]) => ({ kind: "wrong-binary", plan }),
  ],
  [/unable to write upgrade info/, () => ({ kind: "disk" })],
  [/failed to read upgrade info/, () => ({ kind: "bad-info" })],
  [/data\/priv_validator_state\.json/, () => ({ kind: "signer" })],
  [/^"(.*?)\/*" must be a valid directory/, ([, dir = ""]) => ({ kind: "backup-dir", dir })],
  [/^cosmovisor stopped the app at upgrade height/, () => ({ kind: "sidecar-skips" })],
  [/^launching process|^current binary is invalid/, () => ({ kind: "launch" })],
  [/failed to load latest version/, () => ({ kind: "stores" })],
  [/^killed while applying block/, () => ({ kind: "crashed" })],
  [/halt per configuration height/, () => ({ kind: "halt-height" })],
  [/wrong Block\.Header\.AppHash/, () => ({ kind: "app-hash" })],
  [/wrong Block\.Header\.LastBlockID/, () => ({ kind: "forked" })],
];

function causeOf(node: NodeView, words: string, votingGroup: NodeView | undefined): Cause {
  if (node.process === "stopped") return { kind: "stopped" };
  const fault = node.faults.find(({ kind }) => words.startsWith(`${kind}: `));
  if (fault?.kind === "signer") return { kind: "signer" };
  if (fault !== undefined) return { kind: "fault", fault: fault.kind };
  if (node.process === "running") {
    return { kind: votingGroup && votingGroup.partition === node.partition ? "diverged" : "cut" };
  }
  for (const [pattern, cause] of WORDS) {
    const match = pattern.exec(words);
    if (match !== null) return cause(match);
  }
  return { kind: "other" };
}

/** Names as a person would say them. */
export function namesOf(nodes: readonly NodeView[]): string {
  const names = nodes.map(({ name }) => name);
  if (names.length <= 6) return names.join(", ");
  return `${names.slice(0, 5).join(", ")} and ${names.length - 5} more`;
}
