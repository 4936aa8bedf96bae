import { type Context, stepNoter } from "./context.ts";
import { sdkErrors, wrapError } from "./errors.ts";
import type { Module, ValidatorUpdate } from "./module.ts";

/** Module name to consensus version, as received and returned by an UpgradeHandler. */
export type VersionMap = ReadonlyMap<string, number>;

/** Steps about the migrations of an upgrade, recorded by the upgrade module. */
export interface MigrationSteps {
  module_added: { readonly module: string };
  version_kept: { readonly module: string; readonly version: number };
  version_higher: { readonly module: string; readonly from: number; readonly to: number };
  /** Migration from one version to the next. */
  migration: { readonly module: string; readonly from: number; readonly failed: boolean };
}

const note = stepNoter<MigrationSteps>("upgrade");

/**
 * Migrates every module of a binary from the versions in `from` to its own: a module that is not in
 * `from` starts with its default genesis; a lower version runs each migration; an equal one
 * nothing; a higher one runs nothing and records the lower version. Modules run in alphabetical
 * order, auth last. See rules/upgrade 7.1, 7.2, 7.3. Throws ChainError with upstream's texts; the
 * caller's block then fails.
 */
export function runMigrations(
  ctx: Context,
  modules: readonly Module[],
  from: VersionMap,
): VersionMap {
  const versions = new Map<string, number>();
  for (const module of [...modules].sort(inOrder)) {
    const known = from.get(module.name);
    if (known === undefined) addModule(ctx, module);
    else migrateModule(ctx, module, known);
    versions.set(module.name, module.consensusVersion);
  }
  return versions;
}

function inOrder(a: Module, b: Module): number {
  if ((a.name === "auth") !== (b.name === "auth")) return a.name === "auth" ? 1 : -1;
  return a.name < b.name ? -1 : 1;
}

function addModule(ctx: Context, module: Module): void {
  ctx.log("info", "server", `adding a new module: ${module.name}`);
  note(ctx, "module_added", { module: module.name }, "ok");
  const updates: readonly ValidatorUpdate[] = module.genesis.init(ctx, module.genesis.defaults());
  if (updates.length > 0) {
    throw sdkErrors.logic.wrap("validator InitGenesis update is already set by another module");
  }
}

function migrateModule(ctx: Context, module: Module, from: number): void {
  const { name, consensusVersion: to } = module;
  if (to <= 1 || from === to) {
    note(ctx, "version_kept", { module: name, version: to });
    return;
  }
  if (module.migrations.length === 0) {
    throw sdkErrors.notFound.wrap(`no migrations found for module ${name}`);
  }
  if (from > to) note(ctx, "version_higher", { module: name, from, to });
  for (let version = from; version < to; version++) {
    const step = module.migrations.find((migration) => migration.from === version);
    if (step === undefined) {
      throw sdkErrors.notFound.wrap(
        `no migration found for module ${name} from version ${version} to version ${version + 1}`,
      );
    }
    ctx.log(
      "info",
      "server",
      `migrating module ${name} from version ${version} to version ${version + 1}`,
    );
    try {
      step.run(ctx);
    } catch (error) {
      note(ctx, "migration", { module: name, from: version, failed: true }, "halt");
      throw wrapError(error, `failed to migrate module ${name}`);
    }
    note(ctx, "migration", { module: name, from: version, failed: false }, "ok");
  }
}
