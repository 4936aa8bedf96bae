/** A minimal simulation for the diagnosis, and statuses of its chain. */
import type { BinarySpec } from "../../../engine/app/binary.ts";
import { SIGNER_STATE } from "../../../engine/network/node/signer-state.ts";
import { type AbsenceCause, absenceText } from "../../../engine/network/round/absence.ts";
import type { Simulation } from "../../../engine/simulation/simulation.ts";
import type { ChainStatus, NodeView } from "../../../engine/simulation/views.ts";

export const view = (name: string, fields: Partial<NodeView> = {}): NodeView =>
  ({
    name,
    validator: name,
    process: "running",
    binary: "v1",
    power: 100,
    height: 19,
    skipUpgradeHeights: [],
    skipFlag: { heights: fields.skipUpgradeHeights ?? [], form: "comma" },
    haltHeight: 0,
    haltTime: 0,
    diskWritable: true,
    ...fields,
  }) as NodeView;

interface Given {
  readonly nodes: readonly NodeView[];
  readonly binaries?: readonly BinarySpec[];
  readonly files?: Readonly<Record<string, string>>;
  readonly stores?: readonly string[];
  readonly height?: number;
  readonly decidedHeight?: number;
  readonly round?: number;
}

/** At height 19 by default, with the same files on every disk. */
export function simulated(input: Given): Simulation {
  const { nodes, binaries = [], files = {}, height = 19, round = 0 } = input;
  const { decidedHeight = height, stores = ["bank"] } = input;
  const on = {
    nodes: () => nodes,
    binaries: () => binaries,
    file: (_: string, path: string) => files[path],
    lacksSigner: () => !files[SIGNER_STATE]?.startsWith("{"),
    stateOf: () => ({ storeNames: stores }),
    block: () => ({ binary: "v1" }),
    height,
    decidedHeight,
    round,
  };
  return on as unknown as Simulation;
}

/** A halted chain with a power of 400 in which nodes are missing for these causes. */
export function halted(...missing: readonly (readonly [AbsenceCause, ...string[]])[]): ChainStatus {
  return {
    state: "halted",
    votingPower: 100,
    totalPower: 400,
    neededPower: 267,
    missing: missing.map(([cause, ...nodes]) => {
      return { nodes, power: 100 * nodes.length, cause, reason: absenceText(cause) };
    }),
  };
}
