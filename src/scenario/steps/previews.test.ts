import { describe, expect, test, vi } from "vitest";
import { Simulation } from "../../engine/simulation/simulation.ts";
import { genesisToJson } from "../../view/genesis.ts";
import type { StepContext } from "../step-context.ts";
import { contextOf, preview, take } from "../testing.ts";

/** Four validators of power 100 at height 5. */
function world(rest = ""): StepContext {
  const context = contextOf(`{ scenario: 1, name: test, ${rest} steps: [] }`);
  take(context, { run: 5 });
  return context;
}

/** A chain whose nodes wait for plan v9 at 20, with a binary v2 for another plan. */
function waiting(): StepContext {
  const context = world("binaries: { v2: { handlers: [v2] } },");
  take(context, { upgrade: { name: "v9", at: 20 } });
  take(context, { run: { until: "halted" } });
  return context;
}

/** A chain whose first block is 11: the state after block 10 of another one. */
function imported(): StepContext {
  const old = contextOf("{ scenario: 1, name: old, steps: [] }");
  take(old, { run: 10 });
  return contextOf(JSON.stringify(genesisToJson(old.sim.exportGenesis(undefined))));
}

const misbehavior = (height: number, more: object = {}) => ({
  misbehavior: { type: "duplicate_vote", validators: ["val-2"], height, ...more },
});

describe("the preview of misbehavior", () => {
  test("says when the application receives it, and what it costs", () => {
    expect(preview(world(), misbehavior(3))).toEqual({
      sentence:
        "In block 6 the application receives evidence that val-2 voted twice at height 3. " +
        "What counts costs 5 % of the stake it had then, and the validator is out for ever.",
      time: "2026-01-01T00:00:10Z",
      power: "100",
      path: "",
      message: "",
    });
  });

  test("takes time and power from the step where it gives them", () => {
    const time = "2026-01-01T00:00:13Z";
    const context = world();
    const step = misbehavior(3, { time, power: 7 });
    const found = preview(context, step);
    expect(found).toMatchObject({ time, power: "7" });
    expect(found.sentence).toContain("What counts costs 5 % of the stake of 7 power, and");
    take(context, step);
    take(context, { run: 1 });
    const json = { validator: { tokens: "99650000" } };
    const get = "/chain/staking/v1beta1/validators/$" + "{val-2.valoper}";
    expect(take(context, { expect: { get, json } }).message).toBe("");
  });

  test.each([
    ["documented", "2020-01-01T00:00:00Z", [14]],
    ["sdk-0.53", "2020-01-01T00:00:00Z", [14]],
    ["documented", "2026-01-01T00:01:10Z", [14]],
    ["sdk-0.53", "2026-01-01T00:01:10Z", [2, 14]],
    ["documented", undefined, [14]],
    ["sdk-0.53", undefined, [14]],
  ])(
    "by profile %s, of time %s, says what the application decides about its age: heights %j count",
    (profile, time, counting) => {
      const aged = () => {
        const genesis = `{ profile: ${profile}, max_evidence_age: 30s, max_evidence_age_blocks: 8 }`;
        const context = contextOf(`{ scenario: 1, name: test, genesis: ${genesis}, steps: [] }`);
        take(context, { run: 16 });
        return context;
      };
      for (const height of [2, 14]) {
        const step = misbehavior(height, time === undefined ? {} : { time });
        const { sentence } = preview(aged(), step);
        const ran = aged();
        take(ran, step);
        take(ran, { run: 1 });
        const counts = counting.includes(height);
        expect(sentence).not.toContain("ago");
        const isTombstoned = preview(ran, misbehavior(15)).sentence.includes("already tombstoned");
        expect(isTombstoned).toBe(counts);
        if (counts) expect(sentence).toMatch(/height \d+\. What counts costs 5 %/);
        else expect(sentence).toMatch(/val-2 goes unpunished: evidence .* is too old; /);
      }
    },
  );

  test("names the offence, and each validator once", () => {
    const of = (type: string, validators: string[]) =>
      preview(world(), misbehavior(3, { type, validators })).sentence;
    const penalty =
      "What counts costs 5 % of the stake it had then, and the validator is out for ever.";
    expect(of("light_client_attack", ["val-1", "val-2"])).toBe(
      `In block 6 the application receives evidence that val-1, val-2 attacked a light client at height 3. ${penalty}`,
    );
    expect(of("unknown", ["val-1", "val-2"])).toBe(
      "In block 6 the application receives evidence that val-1, val-2 did something of an unknown type at height 3. " +
        "It goes unpunished: the application does not know its type.",
    );
    expect(of("duplicate_vote", ["val-1", "val-1"])).toBe(
      `In block 6 the application receives evidence that val-1 voted twice at height 3. ${penalty}`,
    );
    const twins = world();
    take(twins, { nodes: { which: ["val-1"], twin: true } });
    const both = misbehavior(3, { validators: ["val-1-twin", "val-1"] });
    expect(preview(twins, both).sentence).toBe(
      `In block 6 the application receives evidence that val-1 voted twice at height 3. ${penalty}`,
    );
  });

  test("says that one who is tombstoned already goes unpunished, and so does what the application does not know", () => {
    const context = world();
    take(context, misbehavior(3));
    take(context, { run: 2 });
    const again = preview(context, misbehavior(4)).sentence;
    expect(again).toMatch(
      /val-2 goes unpunished: validator chainvalcons1\S+ already tombstoned\.$/,
    );
    expect(preview(context, { double_sign: { node: "val-2" } }).sentence).not.toContain("costs");
    const unknown = misbehavior(4, { type: "unknown", validators: ["val-1"] });
    expect(preview(context, unknown).sentence).toMatch(/the application does not know its type\.$/);
    expect(context.sim.height).toBe(7);
  });

  test("follows the chain's parameters as they are now", () => {
    const rest = 'genesis: { slashing: { slash_fraction_double_sign: "0.125" } },';
    expect(preview(world(rest), misbehavior(3)).sentence).toContain("costs 12.5 % of");
  });

  test("agrees with the run at every height of a chain that began from an exported state", () => {
    const context = imported();
    take(context, { run: 3 });
    for (const height of [11, 12, 13]) {
      expect(preview(context, misbehavior(height))).toMatchObject({ power: "100", message: "" });
      expect(take(context, misbehavior(height))).toMatchObject({ ok: true });
    }
  });

  test("agrees with the run on who was not in the set", () => {
    const context = world(
      "genesis: { staking: { max_validators: 1 }, validators: [{ name: val-1, stake: 200000000 }, { name: val-2 }] },",
    );
    const message = "val-2 was not in the validator set of height 3; give a power";
    expect(preview(context, misbehavior(3))).toMatchObject({
      message,
      path: "misbehavior.power",
      time: "2026-01-01T00:00:10Z",
      power: "",
      sentence: "",
    });
    expect(take(context, misbehavior(3))).toMatchObject({ ok: false, message });
  });

  test("agrees with the run on a height that has no block", () => {
    const context = world();
    const step = misbehavior(0, { height: "$" + "{height}0" });
    const message = "there is no block 50 to take the time from; give a time";
    expect(preview(context, step)).toMatchObject({ message, path: "misbehavior.height" });
    expect(take(context, step)).toMatchObject({ ok: false, message });
  });
});

test("the preview of a double sign names both heights and the power at stake", () => {
  expect(preview(world(), { double_sign: { node: "val-1" } })).toMatchObject({
    sentence:
      "val-1 signs two conflicting precommits at height 6; an honest node that receives both puts evidence into block 7. " +
      "What counts costs 5 % of the stake it had then, and the validator is out for ever.",
    power: "100",
  });
});

test("the preview of a fault that is a double sign says what comes of it", () => {
  const fault = (more: object = {}) => ({ fault: { node: "val-2", kind: "double_sign", ...more } });
  const context = world();
  const penalty =
    "What counts costs 5 % of the stake it had then, and the validator is out for ever.";
  const signs = "val-2 signs two conflicting votes.";
  expect(preview(context, fault()).sentence).toBe(`Once, from height 6 on, ${signs} ${penalty}`);
  expect(preview(context, fault({ for: 2 })).sentence).toBe(
    `From height 6 to height 7, ${signs} ${penalty}`,
  );
  expect(preview(context, fault({ at: 90 })).sentence).toBe(`Once, from height 90 on, ${signs}`);
  take(context, { nodes: { which: ["val-2"], stop: true } });
  expect(preview(context, fault()).message).toBe("val-2 is stopped and signs nothing");
  take(context, { nodes: { which: ["val-2"], start: true } });
  take(context, misbehavior(3));
  take(context, { run: 1 });
  const again = preview(context, fault()).sentence;
  expect(again).not.toContain("costs");
  expect(again).toMatch(/tombstoned\.$/);
});

describe("the preview of an offence on a chain that stands still says that no block comes", () => {
  const offences = [
    { fault: { node: "val-2", kind: "double_sign" } },
    { double_sign: { node: "val-2" } },
    { double_sign: { node: "val-3" } },
    ...["duplicate_vote", "unknown"].map((type) => misbehavior(3, { type })),
    ...["lunatic", "amnesia"].map((kind) => ({
      light_client_attack: { kind, by: ["val-0", "val-1", "val-2"] },
    })),
  ];
  test.each(offences)("%j", (step) => {
    const context = world();
    take(context, { nodes: { which: ["val-0", "val-1"], stop: true } });
    const { sentence, message } = preview(context, step);
    expect(message).toBe("");
    expect(sentence).toMatch(
      / No block comes: the chain is halted at block 6: 200 of 400 power votes, .*operator\.$/,
    );
    expect(sentence).not.toMatch(/block [67] (the|punishes|accuses)|into block/);
  });

  test("and that evidence waits, where nodes halt first", () => {
    const halting = world();
    take(halting, { nodes: { which: "all", halt_height: 6 } });
    expect(preview(halting, misbehavior(3)).sentence).toBe(
      "Once a block comes, the application receives evidence that val-2 voted twice at height 3. " +
        "val-0, val-1, val-2, val-3 halt before it is decided: halt per configuration height 6 time 0.",
    );
    const upgrading = world();
    take(upgrading, { upgrade: { name: "v9", at: 20 } });
    take(upgrading, { run: { to: 19 } });
    expect(preview(upgrading, misbehavior(3)).sentence).toMatch(
      /^Once a block comes, .*decided: UPGRADE "v9" NEEDED at height: 20\.$/,
    );
    take(upgrading, { run: 1 });
    expect(preview(upgrading, misbehavior(3)).sentence).toMatch(
      /^Once a block comes, the application receives evidence that .* at height 3\. No block comes: /,
    );
  });

  test("and names the block that halts nodes", () => {
    const context = world();
    const everyone = misbehavior(3, { validators: ["val-0", "val-1", "val-2", "val-3"] });
    expect(preview(context, everyone).sentence).toBe(
      "In block 6 the application receives evidence that val-0, val-1, val-2, val-3 voted twice at height 3. " +
        "val-0, val-1, val-2, val-3 would halt over it: error changing validator set: applying the validator changes would result in empty set.",
    );
    take(context, everyone);
    take(context, { run: { rounds: 2 } });
    expect(context.sim).toMatchObject({ height: 5, decidedHeight: 6 });
  });

  test("but not if what halts it ends by itself", () => {
    const muted = world();
    for (const node of ["val-0", "val-1"]) take(muted, { fault: { node, kind: "mute", for: 8 } });
    const switching = world("binaries: { v2: { handlers: [v2] } },");
    const sidecar = { mode: "staged", restart_delay: "5m" };
    take(switching, { nodes: { which: "all", stage: "v2" } });
    take(switching, { nodes: { which: "all", sidecar } });
    take(switching, { upgrade: { name: "v2", at: 20 } });
    take(switching, { run: { to: 19 } });
    take(switching, { run: { rounds: 2 } });
    // The block of the plan was decided before the nodes ended: the evidence is in the one after it.
    for (const [context, next] of [
      [muted, 6],
      [switching, 21],
    ] as const) {
      expect(context.sim.chainStatus().state).toBe("halted");
      expect(preview(context, misbehavior(3)).sentence).toMatch(
        new RegExp(`^In block ${next} the application receives .*out for ever\\.$`),
      );
      take(context, misbehavior(3));
      take(context, { run: { to: next } });
      expect(preview(context, misbehavior(4)).sentence).toContain("tombstoned");
    }
  });

  test("though a fault is planned for later", () => {
    const context = world();
    take(context, { fault: { node: "val-3", kind: "mute", at: 40, for: 2 } });
    take(context, { nodes: { which: ["val-0", "val-1"], stop: true } });
    expect(preview(context, misbehavior(3)).sentence).toContain("No block comes: the chain is");
  });

  test("and one that is slow is waited for", () => {
    const context = world();
    take(context, { nodes: { which: ["val-0"], stop: true } });
    take(context, { fault: { node: "val-1", kind: "flaky", probability: 0.93 } });
    expect(preview(context, misbehavior(3)).sentence).toMatch(/^In block 6 .*out for ever\.$/);
  });

  test("and at the first block as well", () => {
    const context = contextOf("{ scenario: 1, name: test, steps: [] }");
    take(context, { nodes: { which: ["val-0", "val-1"], stop: true } });
    expect(preview(context, { double_sign: { node: "val-2" } }).sentence).toContain(
      "No block comes: the chain is halted at block 1: ",
    );
  });

  test("and a node that sends no votes brings no evidence into a block", () => {
    const context = world();
    take(context, { fault: { node: "val-3", kind: "mute" } });
    const { sentence } = preview(context, { double_sign: { node: "val-3" } });
    expect(sentence).not.toContain("at height 6");
    expect(sentence).toMatch(/No evidence of it is decided in the next 6 blocks\.$/);
  });
});

describe("the preview of an upgrade", () => {
  const upgrade = (at: number) => ({ upgrade: { name: "v2", at } });

  test("says when voting ends, and which nodes stop", () => {
    const rest = "binaries: { v2: { handlers: [v2] }, v3: { from: v2 } },";
    expect(preview(world(rest), upgrade(18)).sentence).toBe(
      "Everyone votes yes; voting takes 1 min, until about block 18. " +
        'At height 18 every node whose binary has no "v2" handler will stop. Binary v2, v3 has one.',
    );
    expect(preview(world(), upgrade(30)).sentence).toContain("No binary has one.");
  });

  test("refuses a height that is past or comes before the end of voting, beside its field", () => {
    expect(preview(world(), upgrade(5))).toMatchObject({
      path: "upgrade.at",
      message: "the chain is at 5: expected a later height",
    });
    expect(preview(world(), upgrade(17))).toMatchObject({
      path: "upgrade.at",
      message: "voting would end at about block 18: expected that height or a later one",
    });
  });

  test("refuses the name of a plan that was carried out", () => {
    const context = world("binaries: { v2: { handlers: [v2] } },");
    take(context, upgrade(20));
    take(context, { run: { until: "halted" } });
    take(context, { nodes: { which: "all", binary: "v2" } });
    take(context, { run: { to: 21 } });
    expect(preview(context, upgrade(60))).toMatchObject({
      path: "upgrade.name",
      message: "v2 was carried out at 20: expected another name",
    });
  });

  test("says that it replaces the plan that there is, or that that one comes first", () => {
    const context = world();
    take(context, upgrade(40));
    const next = (at: number) => preview(context, { upgrade: { name: "v3", at } }).sentence;
    expect(next(90)).toMatch(/ Once passed, it replaces v2, due at 40\.$/);
    take(context, { run: { to: 30 } });
    expect(next(90)).toMatch(/ v2, due at 40, comes first\.$/);
  });

  test("says with what threshold and until when an expedited one is voted on", () => {
    const step = { upgrade: { name: "v2", at: 18, expedited: true } };
    expect(preview(world(), step).sentence).toContain(
      "Everyone votes yes; expedited voting takes 30 s, until about block 12. More than 66.7 % must vote yes.",
    );
  });

  test("of one for which a binary is made names the binary", () => {
    const step = { upgrade: { name: "v2", at: 18, build: true } };
    expect(preview(world(), step).sentence).toContain("Binary v2, which is made for it, has one.");
  });
});

describe("the preview of what is only proposed says what it would do if it passed", () => {
  const proposed =
    "It is only proposed; voting takes 1 min, until about block 18, and votes decide.";

  test("of a plan", () => {
    const context = world("binaries: { v2: { handlers: [v2] } },");
    const step = { upgrade: { name: "v2", at: 90, until: "proposed" } };
    expect(preview(context, step).sentence).toBe(
      `${proposed} If it passes, at height 90 every node whose binary has no "v2" handler will stop. Binary v2 has one.`,
    );
    take(context, step);
    expect(context.sim.height).toBe(6);
    take(context, { run: 20 });
    expect(preview(context, { upgrade: { cancel: true } }).sentence).toContain("No upgrade is");
  });

  test("of a plan that can no longer be carried out by then, which the step proposes all the same", () => {
    for (const at of [3, 17]) {
      const context = world();
      const step = { upgrade: { name: "v2", at, until: "proposed" } };
      expect(preview(context, step)).toMatchObject({
        message: "",
        sentence: `${proposed} If it passes, its message fails: upgrade cannot be scheduled in the past: invalid request.`,
      });
      expect(take(context, step)).toMatchObject({ ok: true });
    }
  });

  test("of an expedited one, with its threshold", () => {
    const step = { upgrade: { name: "v2", at: 90, expedited: true, until: "proposed" } };
    expect(preview(world(), step).sentence).toMatch(
      /^It is only proposed; expedited voting takes 30 s, until about block 12, and votes decide\. More than 66\.7 % must vote yes\. If it passes, at/,
    );
  });

  test("of a cancellation, in time or too late", () => {
    const context = world();
    take(context, { upgrade: { name: "v2", at: 90 } });
    const cancel = { upgrade: { cancel: true, until: "proposed" } };
    const only =
      /^It is only proposed; voting takes 1 min, until about block \d+, and votes decide\./;
    const { sentence } = preview(context, cancel);
    expect(sentence).toMatch(only);
    expect(sentence).toMatch(/ decide\. If it passes, v2, due at 90, is cancelled\.$/);
    take(context, { run: { to: 85 } });
    const late = preview(context, cancel).sentence;
    expect(late).toMatch(only);
    expect(late).toMatch(/ v2 is due at 90 and comes first\./);
  });

  test("of any proposal", () => {
    const question = { title: "A question", metadata: "Words.", messages: [] };
    const text =
      "In block 6 it becomes proposal 1. If every validator votes yes, proposal 1 is passed at block 18.";
    for (const step of [
      { pass: { ...question, until: "proposed" } },
      { propose: { from: "val-0", ...question } },
    ])
      expect(preview(world(), step).sentence).toBe(text);
    expect(preview(world(), { pass: { ...question, until: "voted" } }).sentence).toBe(
      "If every validator votes yes, proposal 1 is passed at block 18.",
    );
  });
});

test("the preview of an upgrade of a chain that stands still says that no block comes", () => {
  const context = world();
  take(context, { upgrade: { name: "v2", at: 90, until: "voted" } });
  take(context, { nodes: { which: ["val-0", "val-1"], stop: true } });
  for (const until of ["proposed", "decided"])
    for (const what of [{ cancel: true }, { name: "v3", at: 95 }])
      expect(preview(context, { upgrade: { ...what, until } }).sentence).toMatch(
        / No block comes: the chain is halted at block 8: 200 of 400 power votes, /,
      );
});

test("the preview of an upgrade of a chain that halts for another reason says so, and not that a plan comes first", () => {
  const context = world();
  take(context, { upgrade: { name: "v2", at: 90, until: "decided" } });
  take(context, { nodes: { which: "all", halt_height: 25 } });
  for (const what of [{ cancel: true }, { name: "v3", at: 95 }])
    expect(preview(context, { upgrade: what }).sentence).toMatch(
      / The chain halts at block 25, before the vote ends\.$/,
    );
});

describe("the preview of a cancellation says", () => {
  const cancel = (more: object = {}) => ({ upgrade: { cancel: true, ...more } });
  const planned = (at: number) => {
    const context = world();
    take(context, { upgrade: { name: "v2", at } });
    return context;
  };

  test("that there is nothing to cancel", () => {
    expect(preview(world(), cancel()).sentence).toBe(
      "Everyone votes yes; voting takes 1 min, until about block 18. No upgrade is planned then that it could cancel.",
    );
  });

  test("which plan is cancelled, where the vote on that ends before it", () => {
    const context = world();
    take(context, { upgrade: { name: "v2", at: 40, until: "voted" } });
    expect(preview(context, cancel()).sentence).toContain("Then v2, due at 40, is cancelled.");
    const early = world();
    take(early, { upgrade: { name: "v2", at: 19, until: "voted" } });
    expect(preview(early, cancel()).sentence).toContain("v2 is due at 19 and comes first.");
    const unvoted = world();
    take(unvoted, { upgrade: { name: "v2", at: 40, until: "proposed" } });
    expect(preview(unvoted, cancel()).sentence).toContain("No upgrade is planned then");
    expect(unvoted.sim.height).toBe(6);
  });

  test("which plan is cancelled", () => {
    expect(preview(planned(32), cancel()).sentence).toContain("Then v2, due at 32, is cancelled.");
  });

  test("that it comes too late, and what an expedited one could still do", () => {
    expect(preview(planned(31), cancel()).sentence).toBe(
      "Too late: voting ends at about block 31, v2 is due at 31 and comes first. " +
        "An expedited vote would end at about block 25, in time.",
    );
    expect(preview(planned(31), cancel({ expedited: true })).sentence).toContain(
      "Then v2, due at 31, is cancelled.",
    );
    expect(preview(planned(25), cancel()).sentence).toContain(
      "An expedited vote is too late as well: it would end at about block 25.",
    );
  });
});

describe("the preview of a fault", () => {
  test.each([
    [{ node: "val-1", kind: "mute", at: 9, for: 3 }, /^From height 9 to height 11, val-1 follows/],
    [{ node: "val-1", kind: "crash" }, /^From height 6 until it is cleared, val-1 dies/],
    [{ node: "val-1", kind: "double_sign" }, /^Once, from height 6 on, val-1 signs two/],
    [{ node: "val-1", kind: "double_sign", for: 2 }, /^From height 6 to height 7, val-1 signs two/],
    [
      { kind: "partition", groups: [["val-0"]], at: 8, for: 1 },
      /^From height 8 to height 8 .*The sides hold 100 and 300 of 400 power; a block needs more than 2\/3: 267 of 400. One has/,
    ],
    [{ chaos: 3, for: 10 }, /^Until height 15 .*never hold a third of the power together\.$/],
    [{ chaos: 4, for: 10 }, /^Until height 15 [^.]*\.$/],
    [{ clear: "all" }, /^The faults of every .* end/],
    [{ clear: "val-3" }, /^The faults of val-3 end/],
    [{ clear: "val-1" }, /^val-1 has no fault\.$/],
  ])("%j", (fault, sentence) => {
    const context = world();
    take(context, { fault: { node: "val-3", kind: "slow", at: 20 } });
    expect(preview(context, { fault }).sentence).toMatch(sentence);
  });

  test("says that there is none to clear", () => {
    expect(preview(world(), { fault: { clear: "all" } }).sentence).toBe("No node has a fault.");
  });
});

describe("the preview of a partition", () => {
  test.each([
    [[["val-0", "val-1"], ["val-2"]], "hold 200 and 100 and 100 of 400", "None has enough"],
    [[["val-0"]], "hold 100 and 300 of 400", "One has enough and makes blocks"],
    [[["val-0", "val-1", "val-2", "val-3"]], "hold 400 of 400", "One has enough"],
  ])("%j", (partition, held, end) => {
    const { sentence } = preview(world(), { partition });
    expect(sentence).toContain(held);
    expect(sentence).toContain(end);
  });

  test("says that just the power needed is enough, and one less is not", () => {
    const sentenceOf = (stake: number, other: number) => {
      const validators = `[{ name: val-0, stake: ${stake}000000 }, { name: val-1, stake: ${other}000000 }]`;
      const context = world(`genesis: { validators: ${validators} },`);
      return preview(context, { partition: [["val-0"]] }).sentence;
    };
    expect(sentenceOf(267, 133)).toContain("267 of 400. One has enough");
    expect(sentenceOf(266, 134)).toContain("267 of 400. None has enough");
  });

  test("counts a key once per side, and both sides of a key", () => {
    const context = world();
    take(context, { nodes: { which: ["val-0", "val-1"], twin: true } });
    const groups = [["val-0", "val-0-twin", "val-1", "val-2"]];
    expect(preview(context, { partition: groups }).sentence).toContain(
      "hold 300 and 200 of 400 power",
    );
    const split = [["val-0", "val-1", "val-2"]];
    expect(preview(context, { partition: split }).sentence).toContain(
      "hold 300 and 300 of 400 power; a block needs more than 2/3: 267 of 400. More than one has enough",
    );
  });

  test("counts who votes, and says where no block comes", () => {
    const context = world();
    take(context, { nodes: { which: ["val-3"], stop: true } });
    expect(preview(context, { partition: [["val-0"]] }).sentence).toBe(
      "The sides hold 100 and 200 of 400 power, not counting val-3, which cannot vote; a block needs more than 2/3: 267 of 400. None has enough, and the chain halts.",
    );
    const halted = waiting();
    expect(preview(halted, { partition: [["val-0"]] }).sentence).toMatch(
      /hold 0 and 0 of 400 power, not counting val-0, val-1, val-2, val-3, .* None has enough/,
    );
    const soon = world();
    take(soon, { fault: { node: "val-3", kind: "mute", for: 1 } });
    expect(preview(soon, { partition: [["val-0"]] }).sentence).toMatch(
      / None has enough at first; later one makes blocks\.$/,
    );
    const due = world();
    take(due, { nodes: { which: "all", halt_height: 6 } });
    expect(preview(due, { partition: [["val-0"]] }).sentence).toMatch(
      / One has enough, but no block comes\.$/,
    );
  });

  test("that is a fault counts those without other faults, while it lasts", () => {
    const context = world();
    take(context, { fault: { node: "val-3", kind: "mute" } });
    const step = (more: object) => ({ fault: { kind: "partition", groups: [["val-0"]], ...more } });
    for (const more of [{ for: 3 }, { at: 8, for: 3 }, {}])
      expect(preview(context, step(more)).sentence).toMatch(
        / hold 100 and 200 of 400 power, not counting val-3, .* None has enough/,
      );
    take(context, { fault: { clear: "val-3" } });
    for (const more of [{ for: 1 }, { at: 8, for: 1 }, {}])
      expect(preview(context, step(more)).sentence).toMatch(/One has enough and makes blocks\.$/);
    take(context, { nodes: { which: ["val-2", "val-3"], stop: true } });
    expect(preview(context, step({ at: 8 })).sentence).toMatch(
      / Its effect at height 8 was not tried out\.$/,
    );
  });

  test("healed", () => {
    const heal = { partition: "heal" };
    const context = world();
    expect(preview(context, heal).sentence).toBe("The network is not partitioned.");
    take(context, { nodes: { which: ["val-0", "val-1"], twin: true } });
    take(context, { partition: [["val-3"]] });
    expect(preview(context, heal).sentence).toBe("All nodes are connected again.");
    take(context, { partition: [["val-0", "val-1", "val-2"]] });
    take(context, { run: 3 });
    expect(preview(context, heal).sentence).toMatch(
      /^All nodes are connected again\. (val-\S+, )*val-\S+ halt at block \d+: wrong Block\.Header\.LastBlockID\./,
    );
  });
});

describe("the preview of what is done to nodes", () => {
  test.each([
    [
      { which: ["val-0", "val-1", "val-3"], stop: true },
      "The process of val-0, val-1, val-3 ends.",
    ],
    [{ which: ["val-1"], twin: true }, "val-1 has a twin already."],
    [{ which: ["val-2"], twin: true }, "A second node with the key of val-2 joins."],
    [
      { which: ["val-2", "val-0", "val-1"], start: true },
      "The process of val-2 is started. val-0, val-1 are running already.",
    ],
    [
      { which: ["val-2", "val-0"], stop: true },
      "val-2 is stopped already. The process of val-0 ends.",
    ],
    [{ which: ["val-1"], twin: false }, "The second node with the key of val-1 is removed."],
    [{ which: ["val-0"], twin: true }, /^A second node with the key of val-0 joins\./],
    [{ which: ["val-0"], lose_signer_state: true }, /^The signer of val-0 forgets/],
    [{ which: ["val-2"], roll_back: 2 }, /^val-2 takes back 2 blocks/],
    [
      { which: ["val-0", "val-2"], state_sync: "val-1" },
      "The state of val-0 is replaced with that of val-1. The state of val-2 is replaced with that of val-1. The process of val-2 is started.",
    ],
    [
      { which: ["val-0", "val-2"], wipe: true },
      "The data of val-0 is deleted. val-0 begins at the first block. The data of val-2 is deleted. val-2 stays stopped.",
    ],
    [
      { which: ["val-0", "val-1"], remove_file: "x" },
      "x is deleted from the disk of val-0. There is no x on the disk of val-1.",
    ],
    [
      { which: "all", write_file: { path: "data/a", content: "1" } },
      "data/a is written on the disk of every node.",
    ],
    [
      { which: ["val-0"], disk: { writable: false } },
      "val-0 can no longer write upgrade-info.json to disk.",
    ],
    [{ which: ["val-0"], binary: "v1" }, "Binary v1 is installed on val-0 and started."],
    [{ which: ["val-0"], stage: "v1" }, "Binary v1 is placed on the disk of val-0."],
    [
      { which: ["val-0"], sidecar: { mode: "staged" } },
      "A sidecar watches over val-0, with binaries from the disk.",
    ],
    [{ which: ["val-0"], sidecar: { mode: "manual" } }, "No sidecar watches over val-0."],
    [
      { which: ["val-2"], sidecar: { mode: "download" } },
      "A sidecar watches over val-2, with binaries that it may download, once it is started.",
    ],
    [
      { which: ["val-0"], skip_upgrades: { heights: [8, 9], form: "space" } },
      "Starts val-0 again with --unsafe-skip-upgrades 8 9.",
    ],
    [{ which: ["val-0"], skip_upgrades: [] }, "Starts val-0 again without skip heights."],
  ])("%j", (nodes, sentence) => {
    const context = world();
    take(context, { nodes: { which: ["val-1"], twin: true } });
    take(context, { nodes: { which: ["val-2"], stop: true } });
    take(context, { nodes: { which: ["val-0"], write_file: { path: "x", content: "" } } });
    const found = preview(context, { nodes }).sentence;
    if (sentence instanceof RegExp) expect(found).toMatch(sentence);
    else expect(found).toBe(sentence);
  });
});

describe("the preview of what ends a node says so, with the reason, as it does then", () => {
  test.each([
    ["waiting", { start: true }, "exits: error during handshake"],
    ["waiting", { halt_height: 40 }, "exits: error during handshake"],
    ["waiting", { wipe: true }, "exits at block 20: UPGRADE"],
    ["waiting", { binary: "v2" }, "exits: "],
    [
      "running",
      { binary: "v2" },
      "Binary v2 is installed on val-1. val-1 exits at block 19: BINARY",
    ],
    ["running", { halt_height: 25 }, 'val-1 exits at block 20: UPGRADE "v2" NEEDED at height: 20.'],
    ["running", { halt_time: "2026-01-01T01:00:00Z" }, "val-1 exits at block 20: UPGRADE"],
    [
      "running",
      { sidecar: { mode: "staged", backup_dir: "/mnt/none" } },
      'val-1 exits: "/mnt/none" must be a valid directory: stat /mnt/none: no such file or directory.',
    ],
  ])("%s: %j", (state, action, sentence) => {
    const context =
      state === "waiting" ? waiting() : world("binaries: { v2: { handlers: [v2] } },");
    if (state === "running") take(context, { upgrade: { name: "v2", at: 20 } });
    const nodes = { which: ["val-1"], ...action };
    const found = preview(context, { nodes }).sentence;
    expect(found).toContain(sentence);
    take(context, { nodes });
    take(context, { run: { rounds: 20 } });
    const { process, reason = "" } = context.sim.node("val-1") ?? {};
    expect(process).not.toBe("running");
    expect(found).toContain(reason.replace(/[:.]? *$/, "."));
    expect(found).not.toContain("started");
  });

  test("and of what is done to all of them names each node once", () => {
    const all = (action: object) =>
      preview(world(), { nodes: { which: "all", ...action } }).sentence;
    expect(all({ twin: true })).toMatch(/^A second node with the key of every node joins\. Both/);
    expect(all({ stop: true })).toBe("The process of every node ends.");
    expect(all({ start: true })).toBe("Every node is running already.");
  });

  test("and of a sidecar that ends alone, once", () => {
    const context = world();
    take(context, { nodes: { which: ["val-1"], sidecar: { mode: "staged" } } });
    const write = (path: string) =>
      preview(context, { nodes: { which: ["val-1"], write_file: { path, content: "{" } } });
    expect(write("data/upgrade-info.json").sentence).toMatch(
      /^data\/\S+ is written on the disk of val-1\. The sidecar of val-1 ends: .+\.$/,
    );
    const file = { path: "data/upgrade-info.json", content: "{" };
    take(context, { nodes: { which: ["val-1"], write_file: file } });
    take(context, { run: 2 });
    expect(context.sim.sidecar("val-1")?.end?.kind).toBe("panic");
    expect(write("x").sentence).toBe("x is written on the disk of val-1.");
  });

  test("and blames no halt on it that would come without it", () => {
    const context = world("binaries: { v2: { handlers: [v2] } },");
    take(context, { upgrade: { name: "v2", at: 20 } });
    take(context, { run: { to: 19 } });
    expect(preview(context, { nodes: { which: "all", stage: "v2" } }).sentence).toBe(
      "Binary v2 is placed on the disk of every node.",
    );
  });

  test("and the halt height of a chain that stands still, or one far ahead, is no promise", () => {
    const context = world();
    const halt = (at: number) =>
      preview(context, { nodes: { which: ["val-2"], halt_height: at } }).sentence;
    expect(halt(5_000)).toBe("Block 5000 halts val-2, if it comes.");
    take(context, { nodes: { which: ["val-0", "val-1"], stop: true } });
    expect(halt(9)).toBe("Block 9 halts val-2, if it comes.");
  });
});

describe("the preview of a halt names the block that halts the nodes, as it does then", () => {
  test.each([
    [{ which: ["val-1"], halt_height: 2 }, "Block 6 halts val-1, as height 2 has passed.", 6],
    [{ which: ["val-1"], halt_height: 5 }, "Block 6 halts val-1, as height 5 has passed.", 6],
    [{ which: ["val-1"], halt_height: 6 }, "Block 6 halts val-1.", 6],
    [{ which: ["val-1", "val-0"], halt_height: 9 }, "Block 9 halts val-1, val-0.", 9],
    [{ which: "all", halt_height: 2 }, "Block 6 halts every node, as height 2 has passed.", 6],
    [{ which: ["val-1"], halt_height: 0 }, "The halt height of val-1 is removed.", undefined],
    [{ which: "all", halt_time: 0 }, "The halt time of every node is removed.", undefined],
    [
      { which: ["val-1"], halt_time: "2026-01-01T00:00:33Z", halt_height: 20 },
      "The first block of 2026-01-01T00:00:33Z or later halts val-1.",
      8,
    ],
  ])("%j", (nodes, sentence, at) => {
    const context = world();
    expect(preview(context, { nodes })).toMatchObject({ sentence, message: "" });
    take(context, { nodes });
    take(context, { run: { rounds: 6 } });
    const { haltCause, height } = context.sim.node("val-1") ?? {};
    expect(haltCause && (height ?? 0) + 1).toBe(at);
  });

  test("and of nodes that stand at other heights, the block of each", () => {
    for (const [context, first] of [
      [world(), 1],
      [imported(), 11],
    ] as const) {
      take(context, { run: { to: 14 } });
      take(context, { nodes: { which: ["val-0"], stop: true } });
      take(context, { nodes: { which: ["val-0"], wipe: true } });
      take(context, { run: 1 });
      const nodes = { which: ["val-0", "val-1", "val-2"], halt_height: first };
      expect(preview(context, { nodes }).sentence).toBe(
        `Block ${first} halts val-0. Block 16 halts val-1, val-2, as height ${first} has passed.`,
      );
    }
  });
});

describe("the preview of a light client attack", () => {
  const attack = (more: object) => ({ light_client_attack: { by: ["val-0", "val-1"], ...more } });

  test.each([
    [
      { kind: "lunatic" },
      /^val-0, val-1, 200 of 400 power, sign .* of their own, against block 5\./,
    ],
    [
      { kind: "equivocation", height: 3, by: ["val-0", "val-1", "val-2"] },
      /against block 3\..* block 6 accuses those who signed both/,
    ],
    [
      { kind: "amnesia", by: ["val-0", "val-1", "val-2"] },
      /in a later round.*block 6 punishes no validator/,
    ],
  ])("%j", (more, sentence) => {
    expect(preview(world(), attack(more)).sentence).toMatch(sentence);
  });
});

test("the preview of a light client attack whose evidence is in no block names none", () => {
  for (const kind of ["lunatic", "equivocation", "amnesia"]) {
    const context = world();
    take(context, { nodes: { which: "all", halt_height: 6 } });
    const by = ["val-0", "val-1", "val-2"];
    const { sentence } = preview(context, { light_client_attack: { kind, by } });
    expect(sentence).not.toContain("block 6");
    expect(sentence).toMatch(
      / against block 5\. An honest node sees it\. val-0, .* halt before it is decided: halt per/,
    );
  }
});

test("the preview of a light client attack that no one would believe is the refusal", () => {
  const context = world();
  const step = { light_client_attack: { by: ["val-0"], kind: "equivocation", height: 3 } };
  const { message } = take(context, step);
  expect(message).toContain("insufficient voting power");
  expect(preview(context, step)).toMatchObject({ message, sentence: "" });
});

test("a verb without a preview says nothing, and nothing is wrong", () => {
  const nothing = { sentence: "", path: "", message: "", time: "", power: "" };
  expect(preview(world(), { run: 3 })).toEqual(nothing);
});

describe("the preview of a transaction runs it on the newest state, as the next block would", () => {
  const ALICE = "genesis: { accounts: { alice: 1000000stake } },";
  const tx = (from: string, type: string, message: object, more: object = {}) => ({
    tx: { from, msgs: [{ "@type": `/chain.${type}`, ...message }], ...more },
  });
  const ref = (name: string): string => `$${"{"}${name}}`;
  const delegate = (amount: string, more: object = {}) =>
    tx(
      "alice",
      "staking.v1beta1.MsgDelegate",
      {
        delegator_address: ref("alice"),
        validator_address: ref("val-1.valoper"),
        amount: { denom: "stake", amount },
      },
      more,
    );
  const unjail = tx("val-3", "slashing.v1beta1.MsgUnjail", {
    validator_addr: ref("val-3.valoper"),
  });
  const text = (more: object = {}) => ({
    propose: { from: "val-0", title: "A question", metadata: "Words.", messages: [], ...more },
  });

  test("says nothing of one that succeeds, and the chain's error of one that fails", () => {
    const context = world(ALICE);
    expect(preview(context, delegate("1000"))).toMatchObject({ message: "", path: "" });
    const message = preview(context, delegate("9".repeat(20))).message;
    expect(message).toMatch(
      /^failed to delegate; 1000000stake is smaller than .*: insufficient funds$/,
    );
    expect(take(context, delegate("9".repeat(20))).message).toContain(message);
  });

  test("of one that is expected to fail, or is not waited for, says nothing", () => {
    const context = world(ALICE);
    for (const more of [{ expect: { code: 5 } }, { wait: false }]) {
      expect(preview(context, delegate("9".repeat(20), more)).message).toBe("");
    }
  });

  test("of one that ends otherwise than expected says so, as its run does", () => {
    const context = world(ALICE);
    for (const [amount, outcome, message] of [
      ["1000", { code: 5 }, /^expected code 5, found 0 \(no log\)$/],
      ["9".repeat(20), { code: 7 }, /^expected code 7, found 5 \(.*insufficient funds\)$/],
      ["1000", { log: "no funds" }, /^expected log "no funds", found ""$/],
    ] as const) {
      const step = delegate(amount, { expect: outcome });
      const found = preview(context, step);
      expect(found.message).toMatch(message);
      expect(found.path).toBe(`tx.expect.${Object.keys(outcome)[0]}`);
      expect(take(context, step).message).toBe(found.message);
    }
    expect(preview(context, delegate("9".repeat(20), { expect: {} }))).toMatchObject({
      message: expect.stringMatching(/^failed to delegate; .*: insufficient funds$/),
      path: "",
    });
  });

  test("judges an unjailing at the time of the next block", () => {
    const context = world(ALICE);
    take(context, { nodes: { which: ["val-3"], stop: true } });
    take(context, { run: 110 });
    expect(preview(context, unjail).message).toContain("still jailed");
    while (preview(context, unjail).message !== "") take(context, { run: 1 });
    expect(take(context, unjail)).toMatchObject({ ok: true });
  });

  test("refuses a vote where none is held, and a proposal whose text is too long", () => {
    const context = world(ALICE);
    const vote = { vote: { proposal: 1, option: "yes", by: ["val-1"] } };
    expect(preview(context, vote).message).toContain("inactive proposal");
    expect(preview(context, text()).message).toBe("");
    expect(preview(context, text({ metadata: "a".repeat(300) })).message).toContain("metadata");
    take(context, text());
    expect(preview(context, vote).message).toBe("");
    expect(preview(context, { vote: { proposal: 1, option: "yes" } }).message).toBe("");
  });
});

describe("a preview is what the next blocks of a copy show", () => {
  const tx = (from: string, type: string, message: object) => ({
    tx: { from, msgs: [{ "@type": `/chain.${type}`, ...message }] },
  });
  const ref = (name: string): string => `$${"{"}${name}}`;
  const send = (amount: string, more: object = {}) => {
    const coins = { amount: [{ denom: "stake", amount }] };
    const { tx: sent } = tx("alice", "bank.v1beta1.MsgSend", {
      from_address: ref("alice"),
      to_address: ref("val-0"),
      ...coins,
    });
    return { tx: { ...sent, ...more } };
  };
  const ALICE = "genesis: { accounts: { alice: 1000stake } },";
  const short = "genesis: { gov: { voting_period: 30s } },";
  const question = { from: "val-0", title: "A question", metadata: "Words.", messages: [] };
  const vote = (option: string, more: object = {}) => ({ vote: { proposal: 1, option, ...more } });

  test("a transaction comes behind those that wait already", () => {
    const context = world(ALICE);
    take(context, send("900", { wait: false }));
    const { message } = preview(context, send("200"));
    expect(message).toMatch(/^spendable balance 100stake is smaller than 200stake/);
    expect(take(context, send("200")).message).toContain(message);
  });

  test("a transaction and a vote of a halted chain wait, and say for what", () => {
    const context = world(ALICE);
    take(context, { propose: question });
    take(context, { nodes: { which: ["val-0", "val-1"], stop: true } });
    for (const step of [send("200"), vote("yes"), { propose: question }]) {
      expect(preview(context, step)).toMatchObject({
        message: "",
        sentence:
          "It waits for a block: the chain is halted at block 7: 200 of 400 power votes, a block needs more than 2/3: 267 of 400; val-0, val-1: stopped by its operator.",
      });
    }
  });

  test("a vote is followed to the proposal's end, with the votes that there are by then", () => {
    const context = world(short);
    take(context, { propose: question });
    take(context, vote("yes", { by: ["val-0"] }));
    expect(preview(context, vote("yes", { by: ["val-1"] })).sentence).toBe(
      "As the votes stand then, proposal 1 is passed at block 12.",
    );
    expect(preview(context, vote("no", { by: ["val-1", "val-2"] })).sentence).toBe(
      "As the votes stand then, proposal 1 is rejected at block 12.",
    );
    take(context, vote("yes", { by: ["val-1"] }));
    take(context, { run: { to: 12 } });
    const json = { proposal: { status: "PROPOSAL_STATUS_PASSED" } };
    expect(take(context, { expect: { get: "/chain/gov/v1/proposals/1", json } }).message).toBe("");
  });

  test("a vote counts in the block that ends the voting, and is refused after it", () => {
    const context = world(short);
    take(context, { propose: question });
    take(context, { run: { to: 11 } });
    expect(preview(context, vote("yes")).sentence).toContain("is passed at block 12");
    take(context, { run: 1 });
    const { message } = preview(context, vote("yes"));
    expect(message).toContain("inactive proposal");
    expect(take(context, vote("yes")).message).toContain(message);
  });

  test("a proposal is followed to its end, its messages included", () => {
    const context = world(short);
    expect(preview(context, { propose: question }).sentence).toBe(
      "In block 6 it becomes proposal 1. If every validator votes yes, proposal 1 is passed at block 12.",
    );
    const cannot = {
      "@type": "/chain.bank.v1beta1.MsgSend",
      from_address: ref("gov"),
      to_address: ref("val-0"),
      amount: [{ denom: "stake", amount: `9${"0".repeat(20)}` }],
    };
    expect(preview(context, { propose: { ...question, messages: [cannot] } }).sentence).toMatch(
      /proposal 1 is passed at block 12, but its messages fail: .*insufficient funds/,
    );
    const { title, metadata, messages } = { ...question, messages: [cannot] };
    expect(preview(context, { pass: { title, metadata, messages } }).sentence).toMatch(
      /^If every validator votes yes, proposal 1 is passed at block 12, but its messages fail: /,
    );
    const little = { propose: { ...question, deposit: "100000stake" } };
    expect(preview(context, little).sentence).toBe(
      "In block 6 it becomes proposal 1. Voting begins when its deposit is complete.",
    );
  });

  test("a vote of too many blocks is not followed, and a preview says so", () => {
    const context = world("genesis: { gov: { voting_period: 48h } },");
    take(context, { propose: question });
    const far = "The vote takes more than 1000 blocks, so its end was not tried out.";
    expect(preview(context, vote("yes")).sentence).toBe(`Voting ends at about block 34566. ${far}`);
    for (const upgrade of [{ name: "v2", at: 90_000 }, { cancel: true }])
      expect(preview(context, { upgrade }).sentence).toContain(far);
  });

  /**
   * A chain with a proposal in voting; its blocks need two nodes that are often mute from height 9.
   */
  const flaky = (probability: number, genesis: string) => {
    const context = world(`genesis: { ${genesis} },`);
    take(context, { propose: question });
    for (const node of ["val-0", "val-1"])
      take(context, { fault: { node, kind: "flaky", probability, at: 9 } });
    return context;
  };

  test("a vote in which no block comes is not followed, and a preview says so and not that it takes many blocks", () => {
    const context = flaky(0.99999, "gov: { voting_period: 120s, expedited_voting_period: 60s }");
    const none = "No block comes in 60 rounds, so the end of the vote was not tried out.";
    expect(preview(context, vote("yes")).sentence).toBe(none);
    for (const upgrade of [{ name: "v2", at: 900 }, { cancel: true }])
      expect(preview(context, { upgrade }).sentence).toMatch(new RegExp(` ${none}$`));
  });

  test("a vote of few blocks and many rounds is followed for so many rounds in all", () => {
    const context = flaky(0.8, "block_time: 60s, gov: { voting_period: 16h }");
    const advance = vi.spyOn(Simulation.prototype, "advance");
    const { sentence } = preview(context, vote("yes"));
    const rounds = advance.mock.calls.length;
    advance.mockRestore();
    expect(sentence).toBe(
      "The vote ends after more than 1500 rounds, so its end was not tried out.",
    );
    expect(rounds).toBe(1500);
  });

  test("the verdict is on the evidence in question, whatever else the same blocks decide", () => {
    const context = world();
    take(context, misbehavior(3));
    take(context, { run: 2 });
    // val-2 is tombstoned: other evidence against it is pending while some against val-1 is
    // previewed.
    take(context, misbehavior(4));
    const other = { misbehavior: { type: "duplicate_vote", validators: ["val-1"], height: 4 } };
    expect(preview(context, other).sentence).not.toContain("unpunished");
    expect(preview(context, { double_sign: { node: "val-1" } }).sentence).toMatch(
      /What counts costs 5 % of the stake it had then, and the validator is out for ever\.$/,
    );
    take(context, other);
    const again = misbehavior(4, { validators: ["val-1"] });
    expect(preview(context, again).sentence).toMatch(/val-1 goes unpunished: .*tombstoned\.$/);
    expect(preview(context, again).sentence).not.toContain("costs");
  });

  test("an upgrade at a height that the end of voting has passed by then, however late blocks are, is refused", () => {
    const context = world();
    const upgrade = { upgrade: { name: "v2", at: 17 } };
    expect(preview(context, upgrade).path).toBe("upgrade.at");
    // Failed rounds take time: the vote ends some blocks earlier than without failures.
    take(context, { fault: { node: "val-1", kind: "mute", for: 12 } });
    expect(preview(context, upgrade)).toMatchObject({ path: "", message: "" });
    expect(take(context, upgrade)).toMatchObject({ ok: true });
    expect(context.sim.height).toBeLessThanOrEqual(17);
  });

  test("a node that halts for another reason is no verdict while the chain goes on", () => {
    const context = world("binaries: { v2: { handlers: [v2] } },");
    take(context, { upgrade: { name: "v2", at: 40 } });
    take(context, { nodes: { which: ["val-3"], binary: "v2" } });
    expect(preview(context, misbehavior(3)).sentence).toMatch(/out for ever\.$/);
  });
});

describe("the preview of what is done at once runs it in one copy only", () => {
  test.each([
    misbehavior(3),
    { double_sign: { node: "val-1" } },
    { light_client_attack: { kind: "lunatic", by: ["val-0", "val-1", "val-2"] } },
    { nodes: { which: "all", stop: true } },
    { fault: { node: "val-3", kind: "mute" } },
  ])("%j", (step) => {
    const context = world();
    const apply = vi.spyOn(Simulation.prototype, "apply");
    preview(context, step);
    const copies = new Set(apply.mock.contexts);
    apply.mockRestore();
    expect(copies.size).toBe(1);
  });
});

describe("the preview of what is done at once refuses what the engine refuses", () => {
  test.each([
    [{ fault: { node: "val-3", kind: "slow", at: 4 } }, "height 4 is past"],
    [
      { nodes: { which: ["val-0"], halt_time: "2025-01-01T00:00:00Z" } },
      "expected 0 or a time from",
    ],
    [{ nodes: { which: ["val-0"], twin: false } }, "twin"],
    [{ run: { to: 5 } }, "the chain is at 5: expected a later height"],
  ])("%j", (step, message) => {
    const context = world();
    const before = context.sim.nodes();
    expect(preview(context, step).message).toContain(message);
    expect(context.sim.nodes()).toEqual(before);
  });
});
