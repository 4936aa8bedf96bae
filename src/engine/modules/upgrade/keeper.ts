import { PlanSchema } from "../../../gen/chain/upgrade/v1beta1/upgrade_pb.ts";
import { protoCodec } from "../../framework/codec.ts";
import type { Context } from "../../framework/context.ts";
import { plainError, sdkErrors } from "../../framework/errors.ts";
import type { VersionMap } from "../../framework/migrations.ts";
import { compare, fromUtf8, readU64be, u64be, utf8 } from "../../primitives/bytes.ts";
import type { KVStore } from "../../store/kv-store.ts";
import {
  DONE_PREFIX,
  type Done,
  doneEntry,
  PLAN_KEY,
  PROTOCOL_VERSION_KEY,
  parseDone,
  VERSION_PREFIX,
  versionKey,
} from "./keys.ts";
import type { UpgradeHandlers } from "./needs.ts";
import { MODULE_NAME, normalized, type Plan, validatePlan } from "./types.ts";

export const planCodec = protoCodec(PlanSchema);

/** The plan, what was done, and the versions of all modules. Upgrade document §2, facts §3.6–3.7. */
export class UpgradeKeeper {
  /** Account (as text) that alone may schedule and cancel. */
  readonly authority: string;
  readonly #handlers: UpgradeHandlers;

  constructor(authority: string, handlers: UpgradeHandlers) {
    this.authority = authority;
    this.#handlers = handlers;
  }

  /**
   * Schedules a plan, in the place of any other. The current height is allowed: it fires next block.
   * @throws ErrInvalidRequest by the rules of facts §3.6, in their order
   */
  scheduleUpgrade(ctx: Context, plan: Plan): void {
    validatePlan(plan);
    if (plan.height < BigInt(ctx.height)) {
      throw sdkErrors.invalidRequest.wrap("upgrade cannot be scheduled in the past");
    }
    if (this.getDoneHeight(ctx, plan.name) !== 0) {
      throw sdkErrors.invalidRequest.wrap(
        `upgrade with name ${plan.name} has already been completed`,
      );
    }
    const old = this.getUpgradePlan(ctx);
    this.#store(ctx).write(PLAN_KEY, planCodec, normalized(plan));
    const replaced = old && `, in the place of "${old.name}" at height ${old.height}`;
    ctx.step(
      MODULE_NAME,
      "schedule",
      `"${plan.name}" at height ${plan.height}${replaced ?? ""}`,
      "ok",
    );
  }

  /** Removes the plan; without one it does nothing. */
  clearUpgradePlan(ctx: Context): void {
    const plan = this.getUpgradePlan(ctx);
    if (plan === undefined) {
      ctx.step(MODULE_NAME, "plan cleared", "there was none", "info");
      return;
    }
    this.#store(ctx).delete(PLAN_KEY);
    ctx.step(MODULE_NAME, "plan cleared", `"${plan.name}" at height ${plan.height}`, "ok");
  }

  getUpgradePlan(ctx: Context): Plan | undefined {
    return this.#store(ctx).read(PLAN_KEY, planCodec);
  }

  hasHandler(name: string): boolean {
    return this.#handlers.has(name);
  }

  /** Whether this node was told to skip (`--unsafe-skip-upgrades`) the upgrade of a height. */
  isSkipHeight(ctx: Context, height: number): boolean {
    return ctx.env.node.skipUpgradeHeights.has(height);
  }

  /** Height at which an upgrade was applied; 0 if it was not. */
  getDoneHeight(ctx: Context, name: string): number {
    if (ctx.profile.doneKey === "name") {
      const [key] = doneEntry("name", { name, height: 0 });
      const value = this.#store(ctx).get(key);
      return value === undefined ? 0 : Number(readU64be(value));
    }
    for (const done of this.#done(ctx)) if (done.name === name) return done.height;
    return 0;
  }

  /** The newest done mark; undefined before the first upgrade. */
  getLastCompletedUpgrade(ctx: Context): Done | undefined {
    const byName = ctx.profile.lastUpgrade === "height-then-name";
    let last: Done | undefined;
    for (const done of this.#done(ctx)) {
      const newer = last === undefined || done.height > last.height;
      const tie = byName && done.height === last?.height && laterName(done.name, last.name);
      if (newer || tie) last = done;
    }
    return last;
  }

  /**
   * Runs the Handler, then stores versions, protocol version and done mark and clears the plan. If
   * the Handler throws nothing is stored and the block fails. Facts §3.7.
   */
  applyUpgrade(ctx: Context, plan: Plan): void {
    if (!this.hasHandler(plan.name)) {
      throw plainError("ApplyUpgrade should never be called without first checking HasHandler");
    }
    const fromVM = this.getModuleVersionMap(ctx);
    const versions = this.#handlers.run(ctx, plan, fromVM);
    ctx.step(MODULE_NAME, `Handler "${plan.name}"`, "has run", "ok");
    this.setModuleVersionMap(ctx, versions);
    ctx.step(MODULE_NAME, "module versions", changes(fromVM, versions), "ok");
    const protocolVersion = this.getProtocolVersion(ctx) + 1;
    this.setProtocolVersion(ctx, protocolVersion);
    ctx.step(MODULE_NAME, "protocol version", `${protocolVersion}`, "ok");
    this.clearUpgradePlan(ctx);
    this.setDone(ctx, { name: plan.name, height: ctx.height });
    ctx.step(MODULE_NAME, "done mark", `"${plan.name}" at height ${ctx.height}`, "ok");
  }

  setDone(ctx: Context, done: Done): void {
    this.#store(ctx).set(...doneEntry(ctx.profile.doneKey, done));
  }

  /** Writes versions in order of names. Never deletes: a module that is gone stays listed. */
  setModuleVersionMap(ctx: Context, versions: VersionMap): void {
    const sorted = [...versions].sort(([a], [b]) => compare(utf8(a), utf8(b)));
    for (const [name, version] of sorted) this.#store(ctx).set(versionKey(name), u64be(version));
  }

  /** Module name to consensus version, in order of names. */
  getModuleVersionMap(ctx: Context): VersionMap {
    const versions = new Map<string, number>();
    for (const { key, value } of this.#store(ctx).prefix(VERSION_PREFIX)) {
      versions.set(fromUtf8(key.subarray(1)), Number(readU64be(value)));
    }
    return versions;
  }

  /** Consensus version of one module; undefined if none is stored. */
  getModuleVersion(ctx: Context, module: string): number | undefined {
    const value = this.#store(ctx).get(versionKey(module));
    return value && Number(readU64be(value));
  }

  getProtocolVersion(ctx: Context): number {
    const value = this.#store(ctx).get(PROTOCOL_VERSION_KEY);
    return value === undefined ? 0 : Number(readU64be(value));
  }

  setProtocolVersion(ctx: Context, version: number): void {
    this.#store(ctx).set(PROTOCOL_VERSION_KEY, u64be(version));
  }

  /** Writes every record anew. The format stays, so code of either version reads both. */
  rewriteAll(ctx: Context): void {
    const plan = this.getUpgradePlan(ctx);
    if (plan !== undefined) this.#store(ctx).write(PLAN_KEY, planCodec, plan);
    for (const done of [...this.#done(ctx)]) this.setDone(ctx, done);
    this.setModuleVersionMap(ctx, this.getModuleVersionMap(ctx));
    const protocolVersion = this.getProtocolVersion(ctx);
    if (protocolVersion > 0) this.setProtocolVersion(ctx, protocolVersion);
  }

  *#done(ctx: Context): Iterable<Done> {
    const layout = ctx.profile.doneKey;
    for (const entry of this.#store(ctx).prefix(DONE_PREFIX)) yield parseDone(layout, entry);
  }

  #store(ctx: Context): KVStore {
    return ctx.store(MODULE_NAME);
  }
}

const laterName = (a: string, b: string): boolean => compare(utf8(a), utf8(b)) > 0;

function changes(from: VersionMap, to: VersionMap): string {
  const changed = [...to].filter(([name, version]) => from.get(name) !== version);
  if (changed.length === 0) return "unchanged";
  return changed
    .map(([name, version]) => `${name} ${from.get(name) ?? "new"} → ${version}`)
    .join(", ");
}
