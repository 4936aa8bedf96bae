import { compare, fromUtf8, readU64be, u64be, utf8 } from "../../../base/bytes.ts";
import { PlanSchema } from "../../../gen/chain/upgrade/v1beta1/upgrade_pb.ts";
import { protoCodec } from "../../framework/codec.ts";
import type { Context, StateStores } from "../../framework/context.ts";
import { plainError, sdkErrors } from "../../framework/errors.ts";
import type { VersionMap } from "../../framework/migrations.ts";
import type { KVStore } from "../../store/kv-store.ts";
import {
  DONE_PREFIX,
  doneEntry,
  PLAN_KEY,
  PROTOCOL_VERSION_KEY,
  parseDone,
  VERSION_PREFIX,
  versionKey,
} from "./keys.ts";
import { note, type UpgradeSteps } from "./steps.ts";
import {
  type Done,
  MODULE_NAME,
  normalized,
  type Plan,
  type UpgradeHandler,
  type UpgradeState,
  validatePlan,
} from "./types.ts";

export const planCodec = protoCodec(PlanSchema);

/** The plan, the completed upgrades, and the versions of all modules (rules/upgrade 2.1). */
export class UpgradeKeeper {
  /** The only account (as text) that may schedule and cancel. */
  readonly authority: string;
  readonly #handlers = new Map<string, UpgradeHandler>();

  constructor(authority: string) {
    this.authority = authority;
  }

  /** Registers the handler of a plan name; a later one replaces an earlier one. */
  setUpgradeHandler(name: string, handler: UpgradeHandler): void {
    this.#handlers.set(name, handler);
  }

  /**
   * Schedules a plan, replacing any other. The current height is allowed: the plan is then due in
   * the next block.
   * @throws ErrInvalidRequest with the first reason of rules/upgrade 3.2
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
    note(ctx, "schedule", { name: plan.name, height: plan.height, replaced: old }, "ok");
  }

  /** Removes the plan; without one it does nothing. */
  clearUpgradePlan(ctx: Context): void {
    const plan = this.getUpgradePlan(ctx);
    if (plan === undefined) {
      note(ctx, "plan_cleared", { plan });
      return;
    }
    this.#store(ctx).delete(PLAN_KEY);
    note(ctx, "plan_cleared", { plan }, "ok");
  }

  getUpgradePlan(ctx: Context): Plan | undefined {
    return this.#store(ctx).read(PLAN_KEY, planCodec);
  }

  isPlanned(state: StateStores): boolean {
    return state.store(MODULE_NAME).has(PLAN_KEY);
  }

  hasHandler(name: string): boolean {
    return this.#handlers.has(name);
  }

  /** Returns true if this node skips the upgrade of a height (`--unsafe-skip-upgrades`). */
  isSkipHeight(ctx: Context, height: number): boolean {
    return ctx.env.node.skipUpgradeHeights.has(height);
  }

  /** Height at which an upgrade was applied; 0 if it was not (rules/upgrade 2.2). */
  getDoneHeight(ctx: Context, name: string): number {
    if (ctx.profile.doneKey === "name") {
      const [key] = doneEntry("name", { name, height: 0 });
      const value = this.#store(ctx).get(key);
      return value === undefined ? 0 : Number(readU64be(value));
    }
    for (const done of this.#done(ctx)) if (done.name === name) return done.height;
    return 0;
  }

  /** Last completed upgrade; undefined before the first (rules/upgrade 2.3). */
  getLastCompletedUpgrade(ctx: Context): Done | undefined {
    let last: Done | undefined;
    for (const done of this.#done(ctx)) {
      const ahead = done.height - (last?.height ?? 0);
      if (ahead < 0) continue;
      if (last === undefined || ahead > 0) last = done;
      else if (ctx.profile.lastUpgrade === "height-then-name" && laterName(done.name, last.name)) {
        last = done;
      }
    }
    return last;
  }

  /**
   * Runs the handler, then stores versions, protocol version and the record of completion, and
   * clears the plan. If the handler throws, nothing is stored and the block fails (rules/upgrade
   * 4.5).
   */
  applyUpgrade(ctx: Context, plan: Plan): void {
    const handler = this.#handlers.get(plan.name);
    if (handler === undefined) {
      throw plainError("ApplyUpgrade should never be called without first checking HasHandler");
    }
    const fromVM = this.getModuleVersionMap(ctx);
    const versions = handler(ctx, plan, fromVM);
    note(ctx, "handler_run", { name: plan.name }, "ok");
    this.setModuleVersionMap(ctx, versions);
    note(ctx, "module_versions", { changes: changes(fromVM, versions) }, "ok");
    const protocolVersion = this.getProtocolVersion(ctx) + 1;
    this.setProtocolVersion(ctx, protocolVersion);
    note(ctx, "protocol_version", { version: protocolVersion }, "ok");
    this.clearUpgradePlan(ctx);
    const done = { name: plan.name, height: ctx.height };
    this.setDone(ctx, done);
    note(ctx, "done", done, "ok");
  }

  setDone(ctx: Context, done: Done): void {
    this.#store(ctx).set(...doneEntry(ctx.profile.doneKey, done));
  }

  /** Writes versions in order of names. Never deletes: a removed module remains listed. */
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

  exportState(ctx: Context): UpgradeState {
    return {
      plan: this.getUpgradePlan(ctx),
      done: [...this.#done(ctx)],
      protocolVersion: this.getProtocolVersion(ctx),
    };
  }

  /**
   * Writes the result of `exportState` to an empty store. Throws ErrInvalidRequest for a plan that
   * could not have been scheduled at the height of the export.
   */
  importState(ctx: Context, { plan, done, protocolVersion }: UpgradeState): void {
    for (const mark of done) this.setDone(ctx, mark);
    if (plan !== undefined) this.scheduleUpgrade(ctx, plan);
    if (protocolVersion > 0) this.setProtocolVersion(ctx, protocolVersion);
  }

  /** Rewrites every record. The format is unchanged, so code of either version reads both. */
  rewriteAll(ctx: Context): void {
    const plan = this.getUpgradePlan(ctx);
    if (plan !== undefined) this.#store(ctx).write(PLAN_KEY, planCodec, plan);
    for (const done of [...this.#done(ctx)]) this.setDone(ctx, done);
    this.setModuleVersionMap(ctx, this.getModuleVersionMap(ctx));
    const protocolVersion = this.getProtocolVersion(ctx);
    if (protocolVersion > 0) this.setProtocolVersion(ctx, protocolVersion);
  }

  *#done(ctx: Context): Iterable<Done> {
    for (const entry of this.#store(ctx).prefix(DONE_PREFIX)) {
      yield parseDone(ctx.profile.doneKey, entry);
    }
  }

  #store(ctx: Context): KVStore {
    return ctx.store(MODULE_NAME);
  }
}

const laterName = (a: string, b: string): boolean => compare(utf8(a), utf8(b)) > 0;

const changes = (from: VersionMap, to: VersionMap): UpgradeSteps["module_versions"]["changes"] =>
  [...to]
    .filter(([module, version]) => from.get(module) !== version)
    .map(([module, version]) => ({ module, from: from.get(module), to: version }));
