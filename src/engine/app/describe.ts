import { fromUtf8 } from "../../base/bytes.ts";
import { type Describer, describer, type EntryText } from "../framework/describe.ts";
import { describe as bank } from "../modules/bank/describe.ts";
import { describe as evidence } from "../modules/evidence/describe.ts";
import { describe as gov } from "../modules/gov/describe.ts";
import { describe as slashing } from "../modules/slashing/describe.ts";
import { describe as staking } from "../modules/staking/describe.ts";
import { describe as upgrade } from "../modules/upgrade/describe.ts";
import type { App } from "./app.ts";
import { VERSION_PREFIX } from "./generic-module.ts";

const MODULES = new Map<string, Describer>(
  Object.entries({ bank, evidence, gov, slashing, staking, upgrade }),
);

const generic = describer(
  { version: VERSION_PREFIX },
  { version: { kind: "version", value: fromUtf8 } },
);

/**
 * Describes a store entry using its module; without a kind if the application has no such module.
 */
export function describeEntry(
  app: App,
  store: string,
  key: Uint8Array,
  value: Uint8Array,
): EntryText {
  return describerOf(app, store)?.(key, value) ?? { kind: "", of: [], value: "" };
}

/** Returns the key for a name; see `Describer`. */
export const keyNamed = (
  app: App,
  store: string,
  ...args: Parameters<Describer["keyNamed"]>
): Uint8Array | undefined => describerOf(app, store)?.keyNamed(...args);

function describerOf(app: App, store: string): Describer | undefined {
  if (!app.storeNames.includes(store)) return undefined;
  return MODULES.get(store) ?? generic;
}
