/** The `binaries` section: the software versions of a world. */
import * as v from "valibot";
import { INPUT } from "../base/limits.ts";
import { type BinarySpec, type MigrationBehaviour, V1 } from "../engine/app/binary.ts";
import {
  about,
  choice,
  flag,
  has,
  integer,
  isMap,
  isText,
  list,
  map,
  name,
  oneOf,
  record,
  text,
} from "./fields.ts";
import type { Problem } from "./problems.ts";

const storeUpgrades = map({
  added: about(
    v.optional(list(text, "a list of store names", INPUT.binaryParts), []),
    "Stores that the upgrade creates.",
  ),
  renamed: about(
    v.optional(
      list(
        map({ old_key: about(text, "Old name."), new_key: about(text, "New name.") }),
        "a list of maps with old_key and new_key",
        INPUT.binaryParts,
      ),
      [],
    ),
    "Stores that the upgrade renames.",
  ),
  deleted: about(
    v.optional(list(text, "a list of store names", INPUT.binaryParts), []),
    "Stores that the upgrade removes.",
  ),
});

const migration = choice(
  "ok, error, panic, nondeterministic or a map with error, panic or returns",
  [isText, oneOf("ok", "error", "panic", "nondeterministic")],
  [has("error"), map({ error: about(text, "Error that the handler returns.") })],
  [has("panic"), map({ panic: about(text, "Text with which the handler panics.") })],
  [
    has("returns"),
    map({
      returns: about(
        record(
          name,
          integer(0, 1_000_000),
          "a map of modules with their versions",
          INPUT.binaryParts,
        ),
        "Returned version map, stored by the chain unchanged. Modules missing in it retain their stored version.",
      ),
      migrates: about(v.optional(flag, true), "Runs the migrations first. Default: true."),
    }),
  ],
);

const binary = map({
  from: about(v.optional(text, V1.name), "Parent binary."),
  modules: about(
    v.optional(
      record(
        name,
        v.nullable(integer(1, 1_000_000)),
        "a map of modules with their versions",
        INPUT.binaryParts,
      ),
      {},
    ),
    "Consensus versions of modules; null removes a module that a parent binary added.",
  ),
  handlers: about(
    v.optional(list(text, "a list of plan names", INPUT.binaryParts)),
    "Plan names with an upgrade handler in this binary.",
  ),
  stores: about(
    v.optional(record(v.string(), storeUpgrades, "a map of plan names", INPUT.binaryParts), {}),
    "Store upgrades of its store loader, by plan name.",
  ),
  migration: about(v.optional(migration), "Result of its upgrade handlers. Default: ok."),
});

export const binariesSchema = v.optional(
  v.pipe(
    record(name, binary, "a map of binaries by name", INPUT.binaries),
    v.metadata({
      description:
        "Software versions in addition to v1. Each inherits from another one and overrides parts of it. A module set to null is removed.",
    }),
  ),
  {},
);

export type SourceBinaries = v.InferOutput<typeof binariesSchema>;

/** All binaries of a world, v1 first. Reports missing or circular parents. */
export function buildBinaries(
  source: SourceBinaries,
  report: (problem: Problem) => void,
): readonly BinarySpec[] {
  const built = new Map<string, BinarySpec>([[V1.name, V1]]);
  const build = (own: string, through: readonly string[]): BinarySpec => {
    const known = built.get(own);
    const entry = Object.hasOwn(source, own) ? source[own] : undefined;
    if (known || !entry) return known ?? V1;
    const path = ["binaries", own, "from"];
    if (through.includes(own)) {
      report({ path, message: `${[...through, own].join(" inherits from ")}: expected no circle` });
      return V1;
    }
    if (entry.from !== V1.name && !Object.hasOwn(source, entry.from)) {
      const names = [V1.name, ...Object.keys(source)].join(", ");
      report({ path, message: `there is no binary "${entry.from}": expected ${names}` });
      return V1;
    }
    for (const [module, version] of Object.entries(entry.modules)) {
      if (version !== null || !Object.hasOwn(V1.modules, module)) continue;
      const path = ["binaries", own, "modules", module];
      report({ path, message: `every chain here needs ${module}: expected a version` });
    }
    const binarySpec = derive(own, entry, build(entry.from, [...through, own]));
    const parts = Math.max(count(binarySpec.modules), count(binarySpec.stores));
    if (parts > INPUT.binaryParts) {
      const message = `expected at most ${INPUT.binaryParts} modules and plans, with what it inherits, found ${parts}`;
      report({ path: ["binaries", own], message });
      return V1;
    }
    built.set(own, binarySpec);
    return binarySpec;
  };
  for (const own of Object.keys(source)) {
    if (own === V1.name) {
      report({ path: ["binaries", own], message: "v1 is built in: expected another name" });
    } else build(own, []);
  }
  return [...built.values()];
}

const count = (parts: object): number => Object.keys(parts).length;

function derive(own: string, entry: SourceBinaries[string], base: BinarySpec): BinarySpec {
  const modules = Object.entries({ ...base.modules, ...entry.modules }).flatMap(
    ([module, version]) => (version === null ? [] : [[module, version] as const]),
  );
  const stores = Object.entries(entry.stores).map(
    ([plan, { added, renamed, deleted }]) =>
      [
        plan,
        {
          added,
          renamed: renamed.map(({ old_key, new_key }) => ({ oldKey: old_key, newKey: new_key })),
          deleted,
        },
      ] as const,
  );
  return {
    name: own,
    modules: Object.fromEntries(modules),
    handlers: entry.handlers ?? base.handlers,
    stores: { ...base.stores, ...Object.fromEntries(stores) },
    migration: entry.migration === undefined ? base.migration : behaviour(entry.migration),
  };
}

function behaviour(source: v.InferOutput<typeof migration>): MigrationBehaviour {
  if (isMap(source)) {
    if ("returns" in source)
      return { kind: "returns", versions: source.returns, migrates: source.migrates };
    return "error" in source
      ? { kind: "error", text: source.error }
      : { kind: "panic", text: source.panic };
  }
  switch (source) {
    case "error":
    case "panic":
      return { kind: source, text: "the migration failed" };
    default:
      return { kind: source };
  }
}
