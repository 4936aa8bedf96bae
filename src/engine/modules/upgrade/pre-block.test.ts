import { describe, expect, test } from "vitest";
import { type TestBlock, thrownBy } from "../../framework/testing.ts";
import { PLAN_KEY } from "./keys.ts";
import { UPGRADE_TEXTS } from "./step-texts.ts";
import { planOf, upgradeChain } from "./testing.ts";
import { upgradeInfoJson } from "./upgrade-info.ts";

type Setup = ReturnType<typeof upgradeChain>;

const at = ({ module, chain }: Setup, height: number, options?: TestBlock): void =>
  module.preBlock?.(chain.block(height, options));

function planned(handlers: readonly string[], init: Parameters<typeof planOf>[0] = {}): Setup {
  const setup = upgradeChain(...handlers);
  setup.keeper.scheduleUpgrade(setup.chain.block(5), planOf(init));
  setup.chain.takeSteps(UPGRADE_TEXTS);
  return setup;
}

const done = (setup: Setup, name: string): Setup => {
  setup.keeper.setDone(setup.chain.block(3), { name, height: 3 });
  return setup;
};

const START: TestBlock = { node: { firstBlock: true } };
const SKIP: TestBlock = { node: { skipUpgradeHeights: new Set([10]) } };
const WRONG = "wrong app version 0, upgrade handler is missing for v1 upgrade plan";

describe("PreBlocker decision table (rules/upgrade 4.1, 4.2)", () => {
  test("row 0: a plan that cannot be read stops the node", () => {
    const setup = upgradeChain("v2");
    setup.chain.block(5).store("upgrade").set(PLAN_KEY, Uint8Array.of(0x0a, 0xff));
    expect(() => at(setup, 6)).toThrow();
  });

  test("row 1, no plan: a process that lacks the last upgrade's Handler stops on its first block", () => {
    const setup = done(upgradeChain(), "v1");
    expect(thrownBy(() => at(setup, 6, START)).message).toBe(WRONG);
    expect(() => at(setup, 6)).not.toThrow();
    expect(setup.chain.takeSteps(UPGRADE_TEXTS)).toEqual([
      'binary: lacks the Handler of "v1", the last upgrade [halt]',
    ]);
  });

  test("row 1, no plan: a process that has the last upgrade's Handler does not stop", () => {
    const setup = done(upgradeChain("v1"), "v1");
    expect(() => at(setup, 6, START)).not.toThrow();
    expect(setup.chain.takeSteps(UPGRADE_TEXTS)).toEqual([
      'binary: carries the Handler of "v1", the last upgrade [ok]',
    ]);
  });

  test("row 1, no plan: before any upgrade a process needs no Handler", () => {
    const setup = upgradeChain();
    expect(() => at(setup, 6, START)).not.toThrow();
    expect(setup.chain.takeSteps(UPGRADE_TEXTS)).toEqual([]);
  });

  test("row 1, not ready", () => {
    const setup = done(planned([]), "v1");
    expect(thrownBy(() => at(setup, 9, START)).message).toBe(WRONG);
  });

  test("row 1, ready and skipped: the plan stays", () => {
    const setup = done(planned([]), "v1");
    const both = { node: { ...START.node, ...SKIP.node } };
    expect(thrownBy(() => at(setup, 10, both)).message).toBe(WRONG);
    expect(setup.keeper.getUpgradePlan(setup.chain.block(10))).toBeDefined();
  });

  test("row 1 never fires when the plan is ready: the old binary gets row 4", () => {
    const setup = done(planned([]), "v1");
    expect(thrownBy(() => at(setup, 10, START)).message).toBe(
      'UPGRADE "v2" NEEDED at height: 10: ',
    );
  });

  test("row 2, no plan: nothing is said and nothing written", () => {
    const setup = upgradeChain("v2", "v3");
    at(setup, 6);
    expect(setup.chain.takeSteps(UPGRADE_TEXTS)).toEqual([]);
    expect(setup.chain.dump("upgrade")).toEqual({});
  });

  test("row 3, skipped: the plan is cleared, not done, and its Handler does not run", () => {
    const setup = planned(["v2"], { info: "later" });
    at(setup, 10, SKIP);
    expect(setup.chain.takeLogs()).toEqual(['info: UPGRADE "v2" SKIPPED at 10: later']);
    expect(setup.chain.takeSteps(UPGRADE_TEXTS)).toEqual([
      'plan "v2": due at height 10 [ok]',
      "skip height: 10 is set on this node [ignored]",
      'plan cleared: "v2" at height 10 [ok]',
    ]);
    expect(setup.chain.dump("upgrade")).toEqual({});
    expect(setup.ran).toEqual([]);
  });

  test("row 4, no Handler: upgrade-info.json, then the log line, then the stop", () => {
    const setup = planned([], { info: "look & see" });
    const text = 'UPGRADE "v2" NEEDED at height: 10: look & see';
    expect(thrownBy(() => at(setup, 10)).message).toBe(text);
    expect([...setup.chain.files]).toEqual([
      [
        "data/upgrade-info.json",
        '{"name":"v2","time":"0001-01-01T00:00:00Z","height":10,"info":"look \\u0026 see"}',
      ],
    ]);
    expect(setup.chain.takeLogs()).toEqual([`error: ${text}`]);
    expect(setup.chain.trace.steps.at(-1)?.data).toEqual({ height: 10 });
    expect(setup.chain.takeSteps(UPGRADE_TEXTS)).toEqual([
      'plan "v2": due at height 10 [ok]',
      "skip height: not set on this node [info]",
      'Handler "v2": not in this binary [halt]',
      "upgrade-info.json: written for height 10 [ok]",
      "node: stops here, the block is decided but not applied [halt]",
    ]);
  });

  test("row 4, a disk that cannot be written", () => {
    const setup = planned([]);
    const error = thrownBy(() => at(setup, 10, { node: { diskWritable: false } }));
    expect(error.message).toBe(
      "unable to write upgrade info to filesystem: open data/upgrade-info.json: permission denied",
    );
    expect(setup.chain.files.size).toBe(0);
    expect(setup.chain.takeLogs()).toEqual([]);
    expect(setup.chain.trace.steps.at(-1)).toMatchObject({
      kind: "upgrade_info",
      outcome: "halt",
      data: { height: 10, error: "open data/upgrade-info.json: permission denied" },
    });
  });

  test("row 5, Handler: run, versions, protocol version, plan cleared, done mark, in this order", () => {
    const setup = planned(["v2", "v3"]);
    setup.keeper.setModuleVersionMap(setup.chain.block(1), new Map([["bank", 4]]));
    at(setup, 10);
    expect(setup.ran).toEqual(["v2"]);
    expect(setup.chain.takeLogs()).toEqual(['info: applying upgrade "v2" at height: 10']);
    expect(setup.chain.dump("upgrade")).toEqual({
      "017632": "000000000000000a",
      "0262616e6b": "0000000000000005",
      "03": "0000000000000001",
    });
    expect(setup.chain.takeSteps(UPGRADE_TEXTS).slice(2)).toEqual([
      'Handler "v2": in this binary [ok]',
      'Handler "v2": has run [ok]',
      "module versions: bank 4 → 5 [ok]",
      "protocol version: 1 [ok]",
      'plan cleared: "v2" at height 10 [ok]',
      'done mark: "v2" at height 10 [ok]',
    ]);
    at(setup, 11);
    expect(setup.ran).toHaveLength(1);
  });

  test("row 5 upstream: the same records, but for the done mark, which begins with the height", () => {
    const setup = planned(["v2"]);
    setup.keeper.setModuleVersionMap(setup.chain.block(1), new Map([["bank", 4]]));
    const plan = "0a027632120b088092b8c398feffffff01180a";
    expect(setup.chain.dump("upgrade")).toEqual({ "00": plan, "0262616e6b": "0000000000000004" });
    at(setup, 10, { profile: { doneKey: "height-and-name", lastUpgrade: "height-then-name" } });
    expect(setup.chain.dump("upgrade")).toEqual({
      "01000000000000000a7632": "01",
      "0262616e6b": "0000000000000005",
      "03": "0000000000000001",
    });
  });

  test("row 5, a Handler that fails: nothing is stored", () => {
    const setup = planned(["broken"], { name: "broken" });
    const before = setup.chain.dump("upgrade");
    expect(thrownBy(() => at(setup, 10)).message).toBe("the migration broke");
    expect(setup.chain.dump("upgrade")).toEqual(before);
  });

  test("row 6, Handler here too early: every node of this binary stops", () => {
    const setup = planned(["v2"]);
    const text =
      'BINARY UPDATED BEFORE TRIGGER! UPGRADE "v2" - in binary but not executed on chain. Downgrade your binary';
    expect(thrownBy(() => at(setup, 9)).message).toBe(text);
    expect(setup.chain.takeLogs()).toEqual([`error: ${text}`]);
    expect(setup.chain.takeSteps(UPGRADE_TEXTS)).toEqual([
      'Handler "v2": in this binary already, but due at height 10 [halt]',
    ]);
  });

  test("row 7, not ready and no Handler: nothing happens", () => {
    const setup = planned(["v3"]);
    at(setup, 9);
    expect(setup.chain.takeSteps(UPGRADE_TEXTS)).toEqual([
      'plan "v2": due at height 10, this is 9 [info]',
    ]);
  });
});

describe("a plan for the height at which it was passed fires one block later (rules/upgrade 4.4)", () => {
  const upstream: TestBlock = { profile: { upgradeHeight: "block" } };
  const skip = (height: number): TestBlock => ({
    node: { skipUpgradeHeights: new Set([height]) },
  });

  test("by the documents the file and the skip flag go by the plan's height", () => {
    const setup = planned([]);
    expect(thrownBy(() => at(setup, 11)).message).toBe('UPGRADE "v2" NEEDED at height: 10: ');
    expect([...setup.chain.files.values()][0]).toContain('"height":10}');
    expect(() => at(setup, 11, skip(11))).toThrow("NEEDED");
    expect(() => at(setup, 11, skip(10))).not.toThrow();
  });

  test("upstream both go by the block's height", () => {
    const setup = planned([]);
    expect(() => at(setup, 11, upstream)).toThrow("NEEDED at height: 10");
    expect([...setup.chain.files.values()][0]).toContain('"height":11}');
    expect(() => at(setup, 11, { ...upstream, ...skip(10) })).toThrow("NEEDED");
    expect(() => at(setup, 11, { ...upstream, ...skip(11) })).not.toThrow();
  });

  test("the done mark has the height of the block", () => {
    const setup = planned(["v2"]);
    at(setup, 11);
    expect(setup.keeper.getDoneHeight(setup.chain.block(12), "v2")).toBe(11);
  });
});

test("upgrade-info.json is Go's JSON: no info if empty, markup escaped", () => {
  expect(upgradeInfoJson(49, planOf())).toBe(
    '{"name":"v2","time":"0001-01-01T00:00:00Z","height":49}',
  );
  expect(upgradeInfoJson(49, planOf({ name: '<"\u2028>', info: "a\nb\\" }))).toBe(
    '{"name":"\\u003c\\"\\u2028\\u003e","time":"0001-01-01T00:00:00Z","height":49,"info":"a\\nb\\\\"}',
  );
});
