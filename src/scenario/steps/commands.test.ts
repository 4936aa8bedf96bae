import { describe, expect, test } from "vitest";
import type { Command } from "../../engine/simulation/command.ts";
import { parseScenario } from "../parse.ts";
import type { StepContext } from "../step-context.ts";
import { contextOf, take } from "../testing.ts";

/** Four validators of power 100 at height 5. */
function world(): StepContext {
  const context = contextOf(
    "{ scenario: 1, name: test, binaries: { v2: { handlers: [v2] } }, steps: [] }",
  );
  take(context, { run: 5 });
  return context;
}

/**
 * Runs a step and returns its commands in order. Throws an Error with the step's message if it
 * fails.
 */
function commandsOf(context: StepContext, step: object): readonly Command[] {
  const before = context.sim.journal.length;
  const { ok, message } = take(context, step);
  if (!ok) throw new Error(message);
  return context.sim.journal.slice(before).map(({ command }) => command);
}

describe("a fault", () => {
  const GROUPS = [["val-0"], ["val-1", "val-2"]];
  test.each<[object, object]>([
    [
      { node: "val-1", kind: "mute" },
      { type: "fault", node: "val-1", kind: "mute" },
    ],
    [
      { node: "val-1", kind: "slow", at: 9, for: 3 },
      { type: "fault", node: "val-1", kind: "slow", at: 9, for: 3 },
    ],
    [
      { node: "val-1", kind: "clock", by: "-3s" },
      { type: "fault", node: "val-1", kind: "clock", by: -3_000_000_000n },
    ],
    [
      { node: "val-1", kind: "flaky", probability: 0 },
      { type: "fault", node: "val-1", kind: "flaky", probability: 0 },
    ],
    [
      { node: "val-1", kind: "flaky", probability: 1 },
      { type: "fault", node: "val-1", kind: "flaky", probability: 1 },
    ],
    [
      { kind: "partition", groups: GROUPS, at: 8, for: 2 },
      { type: "fault", kind: "partition", groups: GROUPS, at: 8, for: 2 },
    ],
    [
      { kind: "partition", groups: GROUPS },
      { type: "fault", kind: "partition", groups: GROUPS },
    ],
    [
      { chaos: 2, for: 7 },
      { type: "chaos", level: 2, for: 7 },
    ],
    [{ clear: "all" }, { type: "clear_faults" }],
    [{ clear: "val-1" }, { type: "clear_faults", node: "val-1" }],
  ])("as written is one command: %j", (fault, command) => {
    expect(commandsOf(world(), { fault })).toStrictEqual([command]);
  });
});

describe("what is done to nodes", () => {
  test.each<[object, object]>([
    [{ stop: true }, { kind: "stop" }],
    [{ start: true }, { kind: "start" }],
    [{ binary: "v2" }, { kind: "install", binary: "v2" }],
    [{ stage: "v2" }, { kind: "stage", binary: "v2" }],
    [{ sidecar: { mode: "staged" } }, { kind: "sidecar", sidecar: { mode: "staged" } }],
    [
      {
        sidecar: {
          mode: "download",
          restart_after_upgrade: false,
          restart_delay: "1s",
          shutdown_grace: "2s",
          shutdown_takes: "3s",
          poll_interval: "4s",
          must_have_checksum: true,
          backup: false,
          backup_dir: "/mnt/backups",
          custom_pre_upgrade: "pre.sh",
          recase: false,
          pre_upgrade_max_retries: 0,
          pre_upgrade_exits: [31, 0],
        },
      },
      {
        kind: "sidecar",
        sidecar: {
          mode: "download",
          restartAfterUpgrade: false,
          restartDelay: 1_000_000_000n,
          shutdownGrace: 2_000_000_000n,
          shutdownTakes: 3_000_000_000n,
          pollInterval: 4_000_000_000n,
          mustHaveChecksum: true,
          backup: false,
          backupDir: "/mnt/backups",
          customPreUpgrade: "pre.sh",
          recase: false,
          preUpgradeMaxRetries: 0,
          preUpgradeExits: [31, 0],
        },
      },
    ],
    [{ skip_upgrades: [] }, { kind: "skip_upgrades", heights: [] }],
    [{ skip_upgrades: [10, 20] }, { kind: "skip_upgrades", heights: [10, 20] }],
    [
      { skip_upgrades: { heights: [10], form: "equals" } },
      { kind: "skip_upgrades", heights: [10], form: "equals" },
    ],
    [{ halt_height: 0 }, { kind: "halt_height", height: 0 }],
    [{ halt_time: 0 }, { kind: "halt_time", time: 0 }],
    [{ halt_time: "2026-01-01T02:01:30.0+02:00" }, { kind: "halt_time", time: 1_767_225_690 }],
    [{ twin: true }, { kind: "twin" }],
    [{ lose_signer_state: true }, { kind: "lose_signer_state" }],
    [{ state_sync: "val-0" }, { kind: "state_sync", from: "val-0" }],
    [{ wipe: true }, { kind: "wipe" }],
    [{ disk: { writable: false } }, { kind: "disk", writable: false }],
    [
      { write_file: { path: "a/b", content: "c" } },
      { kind: "write_file", path: "a/b", content: "c" },
    ],
    [{ remove_file: "a/b" }, { kind: "remove_file", path: "a/b" }],
  ])("is one command for each of them: %j", (action, command) => {
    expect(commandsOf(world(), { nodes: { which: ["val-3", "val-1"], ...action } })).toEqual([
      { type: "node", node: "val-3", action: command },
      { type: "node", node: "val-1", action: command },
    ]);
  });

  test("reaches all of them, also those that came later", () => {
    const context = world();
    take(context, { nodes: { which: ["val-0"], twin: true } });
    const commands = commandsOf(context, { nodes: { which: "all", stop: true } });
    expect(commands.map((command) => "node" in command && command.node)).toEqual([
      "val-0",
      "val-1",
      "val-2",
      "val-3",
      "val-0-twin",
    ]);
    expect(commandsOf(context, { nodes: { which: ["val-1"], roll_back: 2 } })).toEqual([
      { type: "node", node: "val-1", action: { kind: "roll_back", blocks: 2 } },
    ]);
    expect(commandsOf(context, { nodes: { which: ["val-0"], twin: false } })).toEqual([
      { type: "node", node: "val-0", action: { kind: "remove_twin" } },
    ]);
  });
});

test("a partition and its end are one command each", () => {
  const context = world();
  const groups = [["val-0"], ["val-1"]];
  expect(commandsOf(context, { partition: groups })).toEqual([{ type: "partition", groups }]);
  expect(commandsOf(context, { partition: "heal" })).toEqual([{ type: "heal" }]);
});

function resultOf(context: StepContext, step: object) {
  const as = `result-${context.results.size}`;
  commandsOf(context, { ...step, as });
  const result = context.results.get(as);
  if (result === undefined) throw new Error("the step has no result");
  return result;
}

/** Hashes of the evidence stored on chain, in block order. */
const stored = ({ sim, follow }: StepContext): readonly string[] => {
  const { evidence } = follow().frames.build({});
  if (evidence.some(({ block }) => block > sim.height)) throw new Error("evidence from the future");
  return evidence.map(({ hash }) => hash);
};

describe("the evidence of a double sign", () => {
  test("is what the chain has stored against the node once it has", () => {
    const context = world();
    const { evidence } = resultOf(context, { double_sign: { node: "val-1" } });
    expect(evidence).toThrow("no evidence against val-1 is stored yet");
    take(context, { run: 2 });
    expect(stored(context)).toEqual([evidence?.()]);
  });

  test("is not another node's, and none of an infraction before", () => {
    const context = world();
    take(context, { misbehavior: { type: "duplicate_vote", validators: ["val-1"], height: 5 } });
    const { evidence } = resultOf(context, { double_sign: { node: "val-1" } });
    take(context, {
      misbehavior: {
        type: "duplicate_vote",
        validators: ["val-2"],
        height: 6,
        time: "2026-01-01T00:00:20Z",
        power: 1,
      },
    });
    take(context, { run: 3 });
    expect(stored(context)).toHaveLength(2);
    expect(evidence).toThrow("no evidence against val-1 is stored yet");
  });
});

describe("misbehavior", () => {
  const step = (more: object) => ({
    misbehavior: { type: "duplicate_vote", validators: ["val-2"], height: 3, ...more },
  });

  test.each([
    ["duplicate_vote", 1],
    ["light_client_attack", 2],
    ["unknown", 0],
  ])("of type %s is handed over as %d, once for every validator", (type, kind) => {
    const validators = ["val-2", "val-0"];
    expect(commandsOf(world(), step({ type, validators }))).toEqual(
      validators.map((validator) => ({ type: "misbehavior", kind, validator, height: 3 })),
    );
  });

  test("is handed over with time and power where they are given", () => {
    const input = { time: "2026-01-01T00:00:13Z", power: 0 };
    expect(commandsOf(world(), step(input))).toEqual([
      {
        type: "misbehavior",
        kind: 1,
        validator: "val-2",
        height: 3,
        time: 1_767_225_613_000_000_000n,
        power: 0,
      },
    ]);
  });

  test("has the same hash before it is stored and after, that of its first validator", () => {
    const context = world();
    const { evidence } = resultOf(context, step({ validators: ["val-2", "val-0"] }));
    const before = evidence?.();
    take(context, { run: 1 });
    expect(evidence?.()).toBe(before);
    expect(stored(context)).toHaveLength(2);
    expect(stored(context)).toContain(before);
  });

  test("is told apart by height, time and power while nothing is stored", () => {
    const hashes = [
      {},
      { height: 4 },
      { time: "2026-01-01T00:00:13Z" },
      { power: 7 },
      { validators: ["val-1"] },
    ].map((more) => resultOf(world(), step(more)).evidence?.());
    expect(new Set(hashes).size).toBe(5);
    const truth = { time: "2026-01-01T00:00:10Z", power: 100 };
    expect(resultOf(world(), step(truth)).evidence?.()).toBe(hashes[0]);
  });

  test("at two heights is stored as it was handed over", () => {
    const context = world();
    const first = resultOf(context, step({ height: 2, type: "unknown" }));
    const second = resultOf(context, step({ height: 4 }));
    take(context, { run: 1 });
    expect(stored(context)).toEqual([second.evidence?.()]);
    expect(first.evidence?.()).not.toBe(second.evidence?.());
  });
});

describe("a light client attack", () => {
  const by = ["val-0", "val-1", "val-2"];
  const attack = (more: object) => ({ light_client_attack: { kind: "equivocation", by, ...more } });

  test("is one command, with the height where one is given", () => {
    const command = { type: "light_client_attack", kind: "equivocation", by };
    expect(commandsOf(world(), attack({}))).toEqual([command]);
    expect(commandsOf(world(), attack({ height: 3 }))).toEqual([{ ...command, height: 3 }]);
  });

  test.each([{ height: 3 }, {}])("has evidence once the chain has stored it: %j", (more) => {
    const context = world();
    const { evidence } = resultOf(context, attack(more));
    expect(evidence).toThrow("no evidence against val-0, val-1, val-2 is stored yet");
    take(context, { run: 1 });
    expect(stored(context)).toHaveLength(3);
    expect(stored(context)).toContain(evidence?.());
  });
});

describe("an upgrade", () => {
  const planOf = ({ follow }: StepContext) => follow().frames.build({}).plan;

  test("is passed as it is written, gives the proposal's id, and is cancelled by another", () => {
    const context = world();
    const upgrade = { name: "v2", at: 60, info: "look" };
    expect(resultOf(context, { upgrade }).value).toBe("1");
    expect(planOf(context)).toMatchObject({ name: "v2", height: 60, info: "look" });
    const titles = () => follow(context).map(({ title }) => title);
    const follow = (of: StepContext) => of.follow().frames.build({}).proposals;
    expect(titles()).toEqual(["Upgrade to v2"]);
    expect(resultOf(context, { upgrade: { cancel: true } }).value).toBe("2");
    expect(planOf(context)).toBeUndefined();
    expect(titles().toSorted()).toEqual(["Cancel the scheduled upgrade", "Upgrade to v2"]);
  });

  test("ends where it is told to: with the proposal, or with the votes in the block after it", () => {
    const context = world();
    const proposals = () => context.follow().frames.build({}).proposals;
    const { height } = context.sim;
    take(context, { upgrade: { name: "v2", at: 60, until: "proposed" } });
    expect(context.sim.height).toBe(height + 1);
    expect(proposals()[0]).toMatchObject({ status: "voting", yes: "0" });
    const result = take(context, { upgrade: { name: "v3", at: 70, until: "voted" } });
    expect(result).toMatchObject({ ok: true, height: height + 3, value: "2" });
    expect(proposals()[1]).toMatchObject({ status: "voting", yes: "400000000" });
  });

  test("may be expedited", () => {
    const context = world();
    const { height } = context.sim;
    take(context, { upgrade: { name: "v2", at: 60, expedited: true } });
    expect(context.sim.height).toBe(height + 1 + 6);
    expect(planOf(context)).toMatchObject({ name: "v2" });
  });

  test("makes the binaries that it needs: the second and the third plan succeed", () => {
    const context = world();
    for (const [name, at] of [
      ["v2", 40],
      ["v3", 80],
      ["two words", 120],
    ] as const) {
      const { value } = resultOf(context, { upgrade: { name, at, build: true } });
      expect(value).toBe(String(at / 40));
      const binary = context.sim.binaries().at(-1)?.name ?? "";
      take(context, { run: { until: "halted" } });
      expect(take(context, { nodes: { which: "all", binary } }).ok).toBe(true);
      expect(take(context, { run: { until: { plan_applied: name } } }).ok).toBe(true);
    }
    expect(context.sim.binaries().map(({ name }) => name)).toEqual(["v1", "v2", "v3", "v4"]);
  });
});

describe("what is wrong with a step is named, with its place", () => {
  const problemsOf = (step: object): readonly string[] => {
    const file = { scenario: 1, name: "test", steps: [{ run: 5 }, step] };
    const read = parseScenario(JSON.stringify(file), "test.yaml");
    return "problems" in read
      ? read.problems.map(({ path, message }) => `${path}: ${message}`)
      : [];
  };
  const unknown = (name: string) =>
    `there is no node "${name}": expected val-0, val-1, val-2, val-3`;

  test.each<[object, readonly string[]]>([
    [{ double_sign: { node: "x" } }, [`steps[1].double_sign.node: ${unknown("x")}`]],
    [{ fault: { node: "x", kind: "mute" } }, [`steps[1].fault.node: ${unknown("x")}`]],
    [{ fault: { clear: "x" } }, [`steps[1].fault.clear: ${unknown("x")}`]],
    [{ fault: { clear: "all" } }, []],
    [{ fault: { node: "val-0", kind: "clock", by: "3s" } }, []],
    [{ fault: { node: "val-0", kind: "flaky", probability: 0.5 } }, []],
    [
      { fault: { node: "val-0", kind: "flaky", by: "3s" } },
      ["steps[1].fault.by: expected only of a clock that it is off by a time"],
    ],
    [
      { fault: { node: "val-0", kind: "clock", probability: 0.5 } },
      ["steps[1].fault.probability: expected only of a flaky node"],
    ],
    [
      { nodes: { which: ["val-0", "x"], stop: true } },
      [`steps[1].nodes.which[1]: ${unknown("x")}`],
    ],
    [{ nodes: { which: "all", stop: true } }, []],
    [{ nodes: { which: "all", state_sync: "x" } }, [`steps[1].nodes.state_sync: ${unknown("x")}`]],
    [{ partition: [["val-0"], ["x"]] }, [`steps[1].partition[1][0]: ${unknown("x")}`]],
    [
      { partition: [["val-0"], ["val-1", "val-0"]] },
      ["steps[1].partition[1][1]: val-0 is in two groups"],
    ],
    [{ partition: "heal" }, []],
    [
      { light_client_attack: { kind: "amnesia", by: ["val-0", "x", "val-0"] } },
      [
        `steps[1].light_client_attack.by[1]: ${unknown("x")}`,
        "steps[1].light_client_attack.by[2]: val-0 is named twice",
      ],
    ],
    [{ light_client_attack: { kind: "lunatic", by: ["val-0"], height: 99 } }, []],
    [
      { misbehavior: { type: "unknown", validators: ["val-0", "x"], height: 3 } },
      [`steps[1].misbehavior.validators[1]: ${unknown("x")}`],
    ],
    [
      {
        misbehavior: {
          type: "unknown",
          validators: ["val-0"],
          height: 99,
          time: "2026-01-01T00:00:00Z",
        },
      },
      [],
    ],
  ])("%j", (step, problems) => {
    expect(problemsOf(step)).toEqual(problems);
  });

  test("a height that no block can have by then, where its time is wanted", () => {
    const far = { type: "unknown", validators: ["val-0"], height: 99 };
    const attack = { kind: "amnesia", by: ["val-0"], height: 99 };
    for (const step of [{ misbehavior: far }, { light_client_attack: attack }]) {
      expect(problemsOf(step)).toHaveLength(1);
    }
  });

  test("more than one thing that is done to a node, or none", () => {
    expect(problemsOf({ nodes: { which: "all" } })[0]).toContain("exactly one of stop, start");
    const two = { which: "all", stop: true, start: true };
    expect(problemsOf({ nodes: two })[0]).toContain("exactly one of stop, start");
  });

  test("a binary that there is none of", () => {
    for (const verb of ["binary", "stage"]) {
      const [problem] = problemsOf({ nodes: { which: "all", [verb]: "v9" } });
      expect(problem).toMatch(new RegExp(`^steps\\[1\\]\\.nodes\\.${verb}: .*"v9"`));
    }
  });
});
