import type { Fault } from "./faults.ts";
import type { Scenario } from "./scenario.ts";

/** Reads a scenario file (YAML or JSON). All faults are collected; nothing runs. */
export declare function parseScenario(
  text: string,
  file: string,
): { readonly scenario: Scenario } | { readonly faults: readonly Fault[] };
