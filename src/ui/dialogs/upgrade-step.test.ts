import { describe, expect, test } from "vitest";
import { frameOf } from "../testing.ts";
import { proposalStep, usualCheck, usualHeight, usualPlanName } from "./upgrade-step.ts";

const frame = frameOf({
  chain: { height: 24, votingSeconds: 60, blockTimeMs: 5000 },
  nodes: [{ name: "val-0", binary: "v1" }],
  binaries: [{ name: "v1" }, { name: "v2", handlers: ["v2"] }],
});

describe("the step that a form becomes", () => {
  const text = {
    name: "v2",
    at: 40,
    info: "",
    check: "none",
    expedited: false,
    build: false,
    rests: false,
  } as const;
  test("everyone votes yes: the scenario verb upgrade, to the votes", () => {
    const step = proposalStep({ kind: "upgrade", how: "pass", ...text });
    expect(step).toEqual({ upgrade: { name: "v2", at: 40, until: "voted" } });
  });
  test("on a paused chain the voting period is part of the step, so that a pause at any time holds it", () => {
    const { upgrade } = proposalStep({ kind: "upgrade", how: "pass", ...text, rests: true });
    expect(upgrade).toMatchObject({ until: "decided" });
  });
  test("only proposing, and expedited", () => {
    const step = proposalStep({ kind: "cancel", how: "propose", ...text, expedited: true });
    expect(step).toEqual({ upgrade: { cancel: true, expedited: true, until: "proposed" } });
  });
  test("a binary is made where none has the Handler", () => {
    const { upgrade } = proposalStep({ kind: "upgrade", how: "pass", ...text, build: true });
    expect(upgrade).toMatchObject({ build: true });
  });
  test.each([
    ["full", true],
    ["no_checksums", { checksum_required: false }],
    ["none", undefined],
  ] as const)("checking the info: %s", (check, validation) => {
    const { upgrade } = proposalStep({ ...text, kind: "upgrade", how: "pass", info: "{}", check });
    expect(upgrade).toEqual({
      name: "v2",
      at: 40,
      info: "{}",
      until: "voted",
      ...(validation && { validate_info: validation }),
    });
  });
});

test("an info is checked as soon as there is one", () => {
  expect(usualCheck(" ")).toBe("none");
  expect(usualCheck("{}")).toBe("full");
});

test("the usual height leaves room for two votes and 20 blocks, on a round number", () => {
  expect(usualHeight(frame)).toBe(70);
  expect(usualHeight(frame)).toBeGreaterThanOrEqual(24 + 2 * 12 + 20);
});

test("the usual height of a fast chain is not past before it is read", () => {
  const { chain } = frame;
  expect(usualHeight(frameOf({ chain, player: { rate: 10_000 } } as never))).toBeGreaterThan(
    100_000,
  );
});

describe("the usual plan is", () => {
  test("one that a binary is ready for", () => {
    expect(usualPlanName(frame)).toBe("v2");
  });
  test.each([
    ["carried out", { applied: [{ name: "v2", height: 20 }] }],
    ["planned", { plan: { name: "v2", height: 60 } }],
    ["voted on", { proposals: [{ status: "voting", planName: "v2", planHeight: 60 }] }],
  ])("not one that was %s, but the next version", (_, more) => {
    const { chain, nodes, binaries } = frame;
    const proposals = [{ status: "rejected", planName: "v3" }];
    expect(usualPlanName(frameOf({ chain, nodes, binaries, proposals, ...more } as never))).toBe(
      "v3",
    );
  });
});
