import { V1 } from "../engine/app/binary.ts";
import { newWorldSpec } from "../engine/simulation/genesis/new-world.ts";
import type { Scenario } from "../scenario/scenario.ts";
import type { Origin } from "./running-world.ts";

/**
 * The default world: four equal validators on v1, and a v2 that is ready for an upgrade. An object
 * literal: parsing a file would delay the first screen.
 */
export const FIRST_WORLD: Scenario = {
  name: "first-world",
  title: "Four validators",
  about: "",
  steps: [],
  spec: newWorldSpec({
    accounts: [
      { name: "alice", amount: 1_000_000_000n },
      { name: "bob", amount: 500_000_000n },
    ],
    binaries: [
      V1,
      {
        ...V1,
        name: "v2",
        modules: { ...V1.modules, bank: 5, oracle: 1 },
        handlers: ["v2"],
        stores: { v2: { added: ["oracle"], renamed: [], deleted: [] } },
      },
    ],
  }),
};

export const FIRST_ORIGIN: Origin = { scenario: FIRST_WORLD, file: "", text: "" };
