import type { BinarySpec } from "../engine/app/binary.ts";
import type { WorldSpec } from "../engine/simulation/genesis/world-spec.ts";
import type { LabAnswer } from "../gen/lab/v1/lab_plain.ts";
import { changeableValues } from "../scenario/changed-genesis.ts";

/**
 * Genesis settings that can be changed, with their current values, and all possible values where
 * they can be listed.
 */
export function offeredValues(
  spec: WorldSpec,
  binaries: readonly BinarySpec[],
): LabAnswer<"getBeginning">["values"] {
  const choices: Readonly<Record<string, readonly string[]>> = {
    binary: [...new Set(binaries.map(({ name }) => name))],
    profile: ["documented", "sdk-0.53"],
    commits: ["compact", "full"],
  };
  return changeableValues(spec).map(({ name, value }) => ({
    ...{ name, value },
    choices: [...(choices[name] ?? (/^(true|false)$/.test(value) ? ["true", "false"] : []))],
  }));
}
