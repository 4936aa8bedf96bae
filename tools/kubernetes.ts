import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseAllDocuments } from "yaml";
import { ROOT } from "./setup.mjs";

const [volumeClaim, job] = parseAllDocuments(
  readFileSync(join(ROOT, "deploy", "search.yaml"), "utf8"),
);

/** The claim and the Job of `deploy/search.yaml`. */
export const MANIFEST = { volumeClaim: volumeClaim?.toJS(), job: job?.toJS() };

/** Number of parts that a search is split into: pods of the Job. */
export const PARTS: number = MANIFEST.job.spec.completions;

/** Shell command of each pod. */
export const COMMAND: string = MANIFEST.job.spec.template.spec.containers[0].command[2];
