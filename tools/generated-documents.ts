/** Writes all that is generated from the sources themselves, in one process, which loads them once. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { DOCUMENT, withPlaces } from "./code-places.ts";
import { SCENARIO_DOCS, withTables } from "./scenario-docs.ts";
import {
  FAMILIES_FILE,
  familyIndex,
  INDEX_FILE,
  SCHEMA_FILE,
  scenarioIndex,
  scenarioSchema,
} from "./schema.ts";

const DOCUMENTS = [
  [SCHEMA_FILE, scenarioSchema],
  [INDEX_FILE, scenarioIndex],
  [FAMILIES_FILE, familyIndex],
  [SCENARIO_DOCS, () => withTables(readFileSync(SCENARIO_DOCS, "utf8"))],
  [DOCUMENT, () => withPlaces(readFileSync(DOCUMENT, "utf8"))],
] as const;

for (const [file, write] of DOCUMENTS) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, write());
}
