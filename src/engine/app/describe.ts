import { describer, type EntryText } from "../framework/describe.ts";
import { describe as bank } from "../modules/bank/describe.ts";
import { describerOf as evidence } from "../modules/evidence/describe.ts";
import { describe as gov } from "../modules/gov/describe.ts";
import { describe as slashing } from "../modules/slashing/describe.ts";
import { describe as staking } from "../modules/staking/describe.ts";
import { describe as upgrade } from "../modules/upgrade/describe.ts";
import { fromUtf8 } from "../primitives/bytes.ts";
import type { App } from "./app.ts";
import { VERSION_PREFIX } from "./generic-module.ts";

const MODULES = new Map(Object.entries({ bank, gov, slashing, staking, upgrade }));

const generic = describer(
  { version: VERSION_PREFIX },
  { version: { kind: "version", value: fromUtf8 } },
);

/** An entry of a store as its module reads it; without a kind if the application has no such module. */
export function describeEntry(
  app: App,
  store: string,
  key: Uint8Array,
  value: Uint8Array,
): EntryText {
  if (!app.storeNames.includes(store)) return { kind: "", of: [], value: "" };
  const describe =
    store === "evidence" ? evidence(app.keepers.evidence.codec) : (MODULES.get(store) ?? generic);
  return describe(key, value);
}
