import { create, type DescMessage, type MessageInitShape } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import {
  QueryAppliedPlanRequestSchema,
  QueryAuthorityRequestSchema,
  QueryCurrentPlanRequestSchema,
  QueryModuleVersionsRequestSchema,
} from "../../../gen/chain/upgrade/v1beta1/query_pb.ts";
import {
  MsgCancelUpgradeSchema,
  MsgSoftwareUpgradeSchema,
} from "../../../gen/chain/upgrade/v1beta1/tx_pb.ts";
import { typeUrl } from "../../framework/codec.ts";
import type { ChainError } from "../../framework/errors.ts";
import { thrownBy } from "../../framework/testing.ts";
import { AUTHORITY, planOf, upgradeChain } from "./testing.ts";

function services() {
  const setup = upgradeChain();
  const ctx = setup.chain.block(5);
  const send = <D extends DescMessage>(schema: D, init: MessageInitShape<D>) =>
    setup.router.message(typeUrl(schema))?.invoke(ctx, create(schema, init));
  const ask = <D extends DescMessage>(method: string, schema: D, init: MessageInitShape<D>) =>
    setup.router.query(`chain.upgrade.v1beta1.Query/${method}`)?.invoke(ctx, create(schema, init));
  return { ...setup, ctx, send, ask };
}

describe("messages (rules/upgrade 3.1, 3.3)", () => {
  test("the authority is the governance account", () => {
    expect(AUTHORITY).toBe("chain10d07y265gmmuvt4z0w9aw880jnsr700j0q8wax");
  });

  test("MsgSoftwareUpgrade schedules, MsgCancelUpgrade removes; neither emits an event", () => {
    const { send, keeper, ctx, chain } = services();
    send(MsgSoftwareUpgradeSchema, { authority: AUTHORITY, plan: planOf() });
    expect(keeper.getUpgradePlan(ctx)?.name).toBe("v2");
    send(MsgCancelUpgradeSchema, { authority: AUTHORITY });
    expect(keeper.getUpgradePlan(ctx)).toBeUndefined();
    expect(chain.takeEvents()).toEqual([]);
  });

  test("cancelling without a plan succeeds", () => {
    const { send, chain } = services();
    expect(() => send(MsgCancelUpgradeSchema, { authority: AUTHORITY })).not.toThrow();
    expect(chain.dump("upgrade")).toEqual({});
  });

  test("any other account is refused, before the plan is checked", () => {
    const { send } = services();
    for (const body of [
      () => send(MsgSoftwareUpgradeSchema, { authority: "chain1x" }),
      () => send(MsgCancelUpgradeSchema, { authority: "chain1x" }),
    ]) {
      const error = thrownBy(body) as ChainError;
      expect([error.codespace, error.code]).toEqual(["upgrade", 6]);
      expect(error.message).toBe(
        `expected ${AUTHORITY} got chain1x: expected authority account as only signer for proposal message`,
      );
    }
  });

  test("a message without a plan is one with an empty plan", () => {
    const { send } = services();
    expect(() => send(MsgSoftwareUpgradeSchema, { authority: AUTHORITY })).toThrow(
      "name cannot be empty: invalid request",
    );
  });
});

describe("queries (rules/upgrade 8.1)", () => {
  test("CurrentPlan answers nothing when there is none", () => {
    const { ask, send } = services();
    const plan = () => ask("CurrentPlan", QueryCurrentPlanRequestSchema, {});
    expect(plan()).not.toHaveProperty("plan");
    send(MsgSoftwareUpgradeSchema, { authority: AUTHORITY, plan: planOf() });
    expect(plan()).toMatchObject({ plan: { name: "v2", height: 10n } });
  });

  test("AppliedPlan answers height 0 for a name that was not applied", () => {
    const { ask, keeper, ctx } = services();
    keeper.setDone(ctx, { name: "v1", height: 3 });
    const height = (name: string) => ask("AppliedPlan", QueryAppliedPlanRequestSchema, { name });
    expect(height("v1")).toMatchObject({ height: 3n });
    expect(height("v9")).toMatchObject({ height: 0n });
    expect(height("")).toMatchObject({ height: 0n });
  });

  test("ModuleVersions answers all by name, or the one asked for", () => {
    const { ask, keeper, ctx } = services();
    keeper.setModuleVersionMap(
      ctx,
      new Map([
        ["gov", 5],
        ["bank", 4],
      ]),
    );
    const versions = (moduleName: string) =>
      ask("ModuleVersions", QueryModuleVersionsRequestSchema, { moduleName });
    expect(versions("")).toMatchObject({
      moduleVersions: [
        { name: "bank", version: 4n },
        { name: "gov", version: 5n },
      ],
    });
    expect(versions("gov")).toMatchObject({ moduleVersions: [{ name: "gov", version: 5n }] });
    const error = thrownBy(() => versions("ibc")) as ChainError;
    expect([error.codespace, error.code, error.message]).toEqual([
      "upgrade",
      2,
      "x/upgrade: QueryModuleVersions module ibc not found: module version not found",
    ]);
  });

  test("Authority answers the keeper's", () => {
    const { ask } = services();
    expect(ask("Authority", QueryAuthorityRequestSchema, {})).toMatchObject({ address: AUTHORITY });
  });
});
