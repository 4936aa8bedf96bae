import { describe, expect, test } from "vitest";
import { frameOf } from "../testing.ts";
import { proposalStep, usualCheck, usualHeight, usualPlanName } from "./upgrade-step.ts";

const frame = frameOf({
  chain: { height: 24, votingSeconds: 60, blockTimeMs: 5000 },
  nodes: [{ name: "val-0", binary: "v1" }],
  binaries: [{ name: "v1" }, { name: "v2", handlers: ["v2"] }],
});

describe("the step that a form becomes", () => {
  const said = { name: "v2", at: 40, info: "", check: "none" } as const;
  test("everyone votes yes: the scenario verb upgrade", () => {
    const step = proposalStep({ kind: "upgrade", how: "pass", ...said }, frame);
    expect(step).toEqual({ upgrade: { name: "v2", at: 40 } });
  });
  test("only proposing: the message itself, from the first validator's account", () => {
    const { propose } = proposalStep({ kind: "cancel", how: "propose", ...said }, frame);
    expect(propose).toMatchObject({
      from: "val-0",
      messages: [{ "@type": "/chain.upgrade.v1beta1.MsgCancelUpgrade" }],
    });
  });
  test.each([
    ["full", true],
    ["no_checksums", { checksum_required: false }],
    ["none", undefined],
  ] as const)("checking the info: %s", (check, validation) => {
    const asked = { ...said, kind: "upgrade", info: "{}", check } as const;
    const { upgrade } = proposalStep({ ...asked, how: "pass" }, frame);
    expect(upgrade).toEqual({
      name: "v2",
      at: 40,
      info: "{}",
      ...(validation && { validate_info: validation }),
    });
    const { propose } = proposalStep({ ...asked, how: "propose" }, frame);
    expect((propose as { validate_info?: unknown }).validate_info).toEqual(validation);
  });
  test("there is nothing to check when a plan is cancelled", () => {
    const asked = { ...said, kind: "cancel", check: "full" } as const;
    expect(proposalStep({ ...asked, how: "pass" }, frame)).toEqual({ upgrade: { cancel: true } });
    const { propose } = proposalStep({ ...asked, how: "propose" }, frame);
    expect(propose).not.toHaveProperty("validate_info");
  });
});

test("an info is checked as soon as there is one", () => {
  expect(usualCheck(" ")).toBe("none");
  expect(usualCheck("{}")).toBe("full");
});

test("the usual height lies behind the end of voting, on a round number", () => {
  expect(usualHeight(frame)).toBe(60);
  expect(usualHeight(frame)).toBeGreaterThan(24 + 12);
});

test("the usual plan is one that a binary is ready for", () => {
  expect(usualPlanName(frame)).toBe("v2");
});
