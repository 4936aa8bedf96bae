import { powerBy, READY, readiness, votingBinary } from "../store/power.ts";
import type { Frame } from "../store/types.ts";
import type { PowerPart } from "./PowerBar.tsx";

const LABEL: Readonly<Record<(typeof READY)[number], string>> = {
  handler: "runs the Handler",
  staged: "has it on disk, its sidecar switches",
  skips: "skips the upgrade",
};

/** The power of a halted chain: voting power by binary, then missing power. */
export function votingParts(frame: Frame): PowerPart[] {
  const { missing = [], totalPower = 0 } = frame.chainStatus ?? {};
  const absent = new Set(missing.flatMap(({ nodes }) => nodes));
  const powers = powerBy(frame, (holder) => votingBinary(holder, absent));
  const parts: PowerPart[] = frame.binaries.flatMap(({ name }, binary) => {
    const power = powers.get(name);
    return power === undefined ? [] : [{ label: `votes on ${name}`, power, binary }];
  });
  const rest = totalPower - parts.reduce((sum, { power }) => sum + power, 0);
  return rest > 0 ? [...parts, { label: "does not vote", power: rest, binary: undefined }] : parts;
}

/** The power that currently passes the height of a plan, by how it passes. */
export function readyParts(frame: Frame, plan: string): PowerPart[] {
  const withHandler = frame.binaries.findIndex(({ handlers }) => handlers.includes(plan));
  const powers = powerBy(frame, readiness);
  return READY.flatMap((way) => {
    const power = powers.get(way);
    const binary = way === "skips" ? 0 : Math.max(0, withHandler);
    return power === undefined ? [] : [{ label: LABEL[way], power, binary }];
  });
}
