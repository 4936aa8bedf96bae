/** Scenario and genesis files: bundled ones, changed at random, read and, if accepted, run for a while. */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import { assertInvariant } from "../../src/engine/simulation/invariants.testing.ts";
import {
  soundsLikeLanguageError,
  WorldInvariants,
} from "../../src/engine/simulation/world-invariants.testing.ts";
import { createContext } from "../../src/scenario/create-context.ts";
import { parseScenario } from "../../src/scenario/parse.ts";
import { runStep } from "../../src/scenario/runner.ts";
import type { StepContext } from "../../src/scenario/step-context.ts";
import { genesisToJson } from "../../src/view/genesis.ts";
import type { Draw } from "./draw.ts";
import { mutateText, mutateValue } from "./mutate.ts";
import { type Target, tried } from "./target.ts";

const SCENARIOS = fileURLToPath(new URL("../../public/scenarios/", import.meta.url));
/** Rounds that an accepted file runs. */
const ROUNDS = 25;

let bundled: readonly string[] | undefined;

/** The bundled scenarios, and the genesis file that each of some leads to. */
function files(): readonly string[] {
  bundled ??= readdirSync(SCENARIOS)
    .filter((name) => name.endsWith(".yaml"))
    .map((name) => readFileSync(`${SCENARIOS}${name}`, "utf8"))
    .flatMap((text, i) => (i % 6 === 0 ? [text, genesisOf(text)] : [text]));
  return bundled;
}

function genesisOf(text: string): string {
  const read = parseScenario(text, "bundled.yaml");
  if ("problems" in read) throw new Error("a bundled scenario is refused");
  const { sim } = createContext(read.scenario);
  for (let i = 0; i < ROUNDS; i++) sim.advance();
  return JSON.stringify(genesisToJson(sim.exportGenesis()), null, 1);
}

/** A case is the file: its content as data, or as text where the text itself is broken. */
export const filesTarget: Target = {
  name: "files",
  about: "scenario and genesis files changed at random, read and, if accepted, run",

  async draw(draw: Draw) {
    const text = draw.pick(files());
    const given = draw.chance(0.7) ? mutateValue(draw, parse(text)) : mutateText(draw, text);
    await tried(filesTarget, given);
  },

  run(given) {
    const text = typeof given === "string" ? given : JSON.stringify(given, null, 1);
    const read = parseScenario(text ?? "", "case.yaml");
    if ("problems" in read) {
      assertInvariant("a refusal says why", read.problems.length > 0, () => "no problem is named");
      for (const { message, line } of read.problems) {
        assertInvariant("a problem has its line", line >= 1, () => `${line}: ${message}`);
        proper(message);
      }
      return;
    }
    const { scenario } = read;
    let context: StepContext;
    try {
      context = createContext(scenario);
    } catch (error) {
      // An impossible beginning is refused with a sentence.
      if (!(error instanceof Error) || error.constructor !== Error) throw error;
      return proper(error.message);
    }
    const { sim } = context;
    // A changed export may hold what no chain leads to, as upstream's own checks let it.
    const invariants = scenario.spec.start === undefined ? new WorldInvariants(sim) : undefined;
    for (const [index, step] of scenario.steps.entries()) {
      const run = runStep(context, step, index);
      for (let next = run.next(); ; next = run.next()) {
        invariants?.look();
        if (next.done) {
          proper(next.value.message);
          break;
        }
        if (sim.rounds >= ROUNDS) return;
      }
      if (sim.rounds >= ROUNDS) return;
    }
  },
};

function proper(message: string): void {
  assertInvariant("texts are for people", !soundsLikeLanguageError(message), () => message);
}
