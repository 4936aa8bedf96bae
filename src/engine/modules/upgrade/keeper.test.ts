import { create } from "@bufbuild/protobuf";
import { AnySchema, TimestampSchema } from "@bufbuild/protobuf/wkt";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { propertyRuns } from "../../../base/property.testing.ts";
import type { Plan } from "../../../gen/chain/upgrade/v1beta1/upgrade_pb.ts";
import type { Profile } from "../../framework/profile.ts";
import { refusalOf, thrownBy } from "../../framework/testing.ts";
import { planOf, upgradeChain } from "./testing.ts";

const UPSTREAM: Partial<Profile> = { doneKey: "height-and-name", lastUpgrade: "height-then-name" };

describe("stored state (rules/upgrade 2.1)", () => {
  const plans: [Plan, string][] = [
    [planOf({ name: "test", height: 11n }), "0a0474657374120b088092b8c398feffffff01180b"],
    [
      planOf({ name: "all-good", height: 123_450_000n, info: "some text here" }),
      "0a08616c6c2d676f6f64120b088092b8c398feffffff011890e5ee3a220e736f6d6520746578742068657265",
    ],
  ];
  test.each(
    [{}, UPSTREAM].flatMap((profile) => plans.map(([plan, bytes]) => ({ plan, bytes, profile }))),
  )("plan $plan.name under 0x00 is byte-exact in either profile", ({ plan, bytes, profile }) => {
    const { chain, keeper } = upgradeChain();
    keeper.scheduleUpgrade(chain.block(5, { profile }), plan);
    expect(chain.dump("upgrade")).toEqual({ "00": bytes });
  });

  test.each([
    ["test", 11, "01000000000000000b74657374"],
    ["test-v0.10", 15, "01000000000000000f746573742d76302e3130"],
  ])("done mark of %s at %i, upstream: 0x01 ‖ height ‖ name → 0x01", (name, height, key) => {
    const { chain, keeper } = upgradeChain();
    keeper.setDone(chain.block(height, { profile: UPSTREAM }), { name, height });
    expect(chain.dump("upgrade")).toEqual({ [key]: "01" });
  });

  test("done mark by the document: 0x01 ‖ name → big-endian height", () => {
    const { chain, keeper } = upgradeChain();
    keeper.setDone(chain.block(11), { name: "test", height: 11 });
    expect(chain.dump("upgrade")).toEqual({ "0174657374": "000000000000000b" });
  });

  test.each([
    ["the document's", {}],
    ["upstream's", UPSTREAM],
  ])(
    "versions under 0x02, protocol version under 0x03, both big-endian, in %s profile",
    (_, profile) => {
      const { chain, keeper } = upgradeChain();
      keeper.setModuleVersionMap(chain.block(5, { profile }), new Map([["bank", 4]]));
      keeper.setProtocolVersion(chain.block(5, { profile }), 3);
      expect(chain.dump("upgrade")).toEqual({
        "0262616e6b": "0000000000000004",
        "03": "0000000000000003",
      });
    },
  );

  test("setting versions never deletes one", () => {
    const { chain, keeper } = upgradeChain();
    const ctx = chain.block();
    keeper.setModuleVersionMap(
      ctx,
      new Map([
        ["mint", 2],
        ["bank", 4],
      ]),
    );
    keeper.setModuleVersionMap(ctx, new Map([["bank", 5]]));
    keeper.setModuleVersionMap(ctx, new Map());
    expect([...keeper.getModuleVersionMap(ctx)]).toEqual([
      ["bank", 5],
      ["mint", 2],
    ]);
  });
});

describe("done marks (rules/upgrade 2.2, 2.3)", () => {
  test.each([
    ["the document's", {}],
    ["upstream's", UPSTREAM],
  ])("in %s layout the newest is the highest, not the last by name", (_whose, profile) => {
    const { chain, keeper } = upgradeChain();
    const ctx = chain.block(30, { profile });
    expect(keeper.getLastCompletedUpgrade(ctx)).toBeUndefined();
    keeper.setDone(ctx, { name: "v0.9", height: 10 });
    keeper.setDone(ctx, { name: "v0.10", height: 20 });
    expect(keeper.getLastCompletedUpgrade(ctx)).toEqual({ name: "v0.10", height: 20 });
    expect(keeper.getDoneHeight(ctx, "v0.9")).toBe(10);
    expect(keeper.getDoneHeight(ctx, "v0")).toBe(0);
    expect(keeper.getDoneHeight(ctx, "")).toBe(0);
  });

  test("of two at one height the greater name is last upstream", () => {
    const { chain, keeper } = upgradeChain();
    const ctx = chain.block(30, { profile: UPSTREAM });
    keeper.setDone(ctx, { name: "b", height: 10 });
    keeper.setDone(ctx, { name: "a", height: 10 });
    expect(keeper.getLastCompletedUpgrade(ctx)?.name).toBe("b");
  });

  test("both layouts give the same answers about any marks", () => {
    const marks = fc.uniqueArray(
      fc.record({
        name: fc.string({ minLength: 1, unit: "grapheme-ascii" }),
        height: fc.integer({ min: 1, max: 10_000 }),
      }),
      { selector: ({ name }) => name },
    );
    fc.assert(
      fc.property(marks, (done) => {
        for (const profile of [{}, UPSTREAM]) {
          const { chain, keeper } = upgradeChain();
          const ctx = chain.block(20_000, { profile });
          for (const mark of done) keeper.setDone(ctx, mark);
          for (const { name, height } of done) expect(keeper.getDoneHeight(ctx, name)).toBe(height);
          const last = keeper.getLastCompletedUpgrade(ctx)?.height;
          expect(last).toBe(done.length === 0 ? undefined : Math.max(...done.map((d) => d.height)));
        }
      }),
      { numRuns: propertyRuns(30) },
    );
  });
});

describe("ScheduleUpgrade (rules/upgrade 3.2) and Plan.ValidateBasic (rules/upgrade 1.2), in order", () => {
  const epoch = create(TimestampSchema);
  const client = create(AnySchema);
  test.each([
    [
      planOf({ time: epoch, upgradedClientState: client, name: "", height: 0n }),
      "time-based upgrades have been deprecated in the SDK",
    ],
    [
      planOf({ upgradedClientState: client, name: "", height: 0n }),
      "upgrade logic for IBC has been moved to the IBC module",
    ],
    [planOf({ name: "", height: 0n }), "name cannot be empty"],
    [planOf({ height: 0n }), "height must be greater than 0"],
    [planOf({ height: -1n }), "height must be greater than 0"],
    [planOf({ name: "v1", height: 19n }), "upgrade cannot be scheduled in the past"],
    [planOf({ name: "v1", height: 20n }), "upgrade with name v1 has already been completed"],
  ] as [Plan, string][])("%# is refused", (plan, text) => {
    const { chain, keeper } = upgradeChain();
    const ctx = chain.block(20);
    keeper.setDone(ctx, { name: "v1", height: 5 });
    expect(refusalOf(() => keeper.scheduleUpgrade(ctx, plan))).toBe(
      `sdk/18 ${text}: invalid request`,
    );
    expect(keeper.getUpgradePlan(ctx)).toBeUndefined();
  });

  test("year one as time, a name of spaces and the current height are fine", () => {
    const { chain, keeper } = upgradeChain();
    const time = create(TimestampSchema, { seconds: -62_135_596_800n });
    keeper.scheduleUpgrade(chain.block(20), planOf({ name: " ", height: 20n, time }));
    expect(keeper.getUpgradePlan(chain.block(20))?.name).toBe(" ");
  });

  test("a new plan takes the place of the old one: later or earlier, under any name", () => {
    const { chain, keeper } = upgradeChain();
    const ctx = chain.block(5);
    keeper.scheduleUpgrade(ctx, planOf({ height: 10n }));
    keeper.scheduleUpgrade(ctx, planOf({ height: 30n }));
    expect(keeper.getUpgradePlan(ctx)?.height).toBe(30n);
    keeper.scheduleUpgrade(ctx, planOf({ name: "v3", height: 7n }));
    expect(keeper.getUpgradePlan(ctx)?.name).toBe("v3");
    keeper.clearUpgradePlan(ctx);
    expect(chain.dump("upgrade")).toEqual({});
  });
});

test("ApplyUpgrade never runs without a Handler", () => {
  const { chain, keeper } = upgradeChain();
  expect(thrownBy(() => keeper.applyUpgrade(chain.block(10), planOf())).message).toBe(
    "ApplyUpgrade should never be called without first checking HasHandler",
  );
});

test("migration 2 → 3 writes every record anew and changes none", () => {
  const { chain, module, keeper } = upgradeChain();
  const ctx = chain.block(5);
  keeper.scheduleUpgrade(ctx, planOf());
  keeper.setDone(ctx, { name: "v1", height: 3 });
  keeper.setModuleVersionMap(ctx, new Map([["bank", 4]]));
  keeper.setProtocolVersion(ctx, 1);
  const before = chain.dump("upgrade");
  const hash = chain.commit();
  module.migrations.find((m) => m.from === 2)?.run(chain.block(6));
  expect(chain.dump("upgrade")).toEqual(before);
  expect(chain.commit()).not.toBe(hash);
});

describe("Keeper.setUpgradeHandler (rules/upgrade 4.7)", () => {
  test("registers the Handler of a plan name, the last one that was given", () => {
    const { chain, keeper } = upgradeChain();
    expect(keeper.hasHandler("v2")).toBe(false);
    keeper.setUpgradeHandler("v2", () => new Map([["bank", 8]]));
    keeper.setUpgradeHandler("v2", (ctx, plan, fromVM) => {
      expect([ctx.height, plan.name, [...fromVM]]).toEqual([10, "v2", [["bank", 4]]]);
      return new Map([["bank", 9]]);
    });
    expect([keeper.hasHandler("v2"), keeper.hasHandler("v3")]).toEqual([true, false]);
    const ctx = chain.block(10);
    keeper.setModuleVersionMap(ctx, new Map([["bank", 4]]));
    keeper.applyUpgrade(ctx, planOf());
    expect(keeper.getModuleVersion(ctx, "bank")).toBe(9);
  });
});
