import { describe, expect, test } from "vitest";
import { drain } from "../base/drain.ts";
import { createContext } from "./create-context.ts";
import { parseScenario, parseStep } from "./parse.ts";
import { previewStep } from "./preview.ts";
import { runStep, type StepResult } from "./runner.ts";
import type { ScenarioStep } from "./scenario.ts";
import type { StepContext } from "./step-context.ts";

const SEALED =
  "https://r.example/v2?checksum=sha256:fb04dcb6970e4c3d1873de51fd5a50d7bb46b3383113602665c350ec40b5f990";
const GOOD = JSON.stringify({ binaries: { "linux/amd64": SEALED } });
const NO_CHECKSUM = JSON.stringify({ binaries: { any: "https://r.example/v2" } });

function worldServing(serves: string): StepContext {
  const read = parseScenario(
    "{ scenario: 1, name: test, binaries: { v2: { handlers: [v2] } }, steps: [] }",
    "test.yaml",
  );
  if ("problems" in read) throw new Error(JSON.stringify(read.problems));
  const world = createContext(read.scenario);
  take(world, { release: { name: "v2", url: "https://r.example/v2", serves } });
  return world;
}

function read(world: StepContext, step: object): ScenarioStep {
  const parsed = parseStep(JSON.stringify(step), world);
  if ("problems" in parsed) throw new Error(JSON.stringify(parsed.problems));
  return parsed.step;
}

const take = (world: StepContext, step: object): StepResult =>
  drain(runStep(world, read(world, step), 0));

const upgrade = (info: string, validate_info?: object | true) => ({
  upgrade: { name: "v2", at: 500, info, ...(validate_info && { validate_info }) },
});

const propose = (info: string, validate_info?: object | true) => ({
  propose: {
    from: "val-0",
    title: "Upgrade",
    messages: [
      {
        "@type": "/chain.upgrade.v1beta1.MsgSoftwareUpgrade",
        authority: "$" + "{gov}",
        plan: { name: "v2", height: "500", info },
      },
    ],
    ...(validate_info && { validate_info }),
  },
});

describe("a plan's info before it is proposed (rules/sidecar 5.4)", () => {
  test("is sent as it is unless the command line's check is asked for", () => {
    expect(take(worldServing("binary"), upgrade("rubbish"))).toMatchObject({ ok: true });
    expect(take(worldServing("binary"), propose("rubbish"))).toMatchObject({ ok: true });
  });

  test.each([
    [upgrade, "upgrade.info"],
    [propose, "propose.messages[0].plan.info"],
  ])("is refused with the command line's words, and nothing is proposed", (step, path) => {
    const world = worldServing("binary");
    expect(take(world, step("{}", true))).toMatchObject({
      ok: false,
      path,
      message: 'no "binaries" entries found',
    });
    expect(take(world, step(NO_CHECKSUM, true)).message).toContain(
      "missing checksum query parameter",
    );
    expect(world.sim.height).toBe(0);
    expect(take(world, step(GOOD, true))).toMatchObject({ ok: true });
    expect(take(world, step(NO_CHECKSUM, { checksum_required: false })).ok).toBe(true);
  });

  test("the downloads take their time before the proposal is sent", () => {
    const world = worldServing("slow");
    const began = world.sim.clock;
    take(world, propose(GOOD, true));
    expect(world.sim.clock - began >= 120_000_000_000n).toBe(true);
  });

  test("a refusal may be what is expected", () => {
    const world = worldServing("wrong_checksum");
    expect(take(world, upgrade(GOOD, { refused: "Checksums did not match" }))).toMatchObject({
      ok: true,
      height: 0,
    });
    expect(take(world, upgrade(GOOD, { refused: "404" })).message).toMatch(
      /^expected "404", found "error downloading binary for os\/arch linux\/amd64: Checksums did not match/,
    );
    const open = { refused: "404", checksum_required: false };
    expect(take(world, upgrade(NO_CHECKSUM, open)).message).toBe(
      'expected "404", found nothing wrong',
    );
  });
});

describe("a preview", () => {
  const preview = (step: object) => {
    const world = worldServing("binary");
    return previewStep(world, read(world, step));
  };

  test("says what the command line would refuse, beside the info", () => {
    expect(preview(upgrade("", true))).toMatchObject({
      path: "upgrade.info",
      message: "plan info must not be blank",
    });
    expect(preview(propose("v2", true))).toMatchObject({
      path: "propose.messages[0].plan.info",
      message: "could not parse plan info: invalid character 'v' looking for beginning of value",
    });
  });

  test("says nothing of an info that is sent unchecked, or is good", () => {
    expect(preview(upgrade("")).message).toBe("");
    expect(preview(propose("")).message).toBe("");
    expect(preview(upgrade(GOOD, true)).message).toBe("");
    expect(preview(propose(GOOD, true)).message).toBe("");
  });
});
