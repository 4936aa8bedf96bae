import { toHex, utf8 } from "../../base/bytes.ts";
import { sha256 } from "../../base/sha256.ts";
import type { SourceObject } from "../varied.ts";
import { propertyKey } from "./report.ts";
import { type CaseRun, readCase, runCase } from "./run-case.ts";
import type { ShrinkStep, Violation } from "./search.ts";

/** Maximum runs for one finding: it ends with the smallest case found by then. */
const MOST_RUNS = 3_000;
/** Maximum entries of a log. */
const MOST_LOGGED = 500;

/** Result of running a case to check if the property is still violated. */
export type Verdict =
  | { readonly is: "violated"; readonly run: CaseRun; readonly violation: Violation }
  | { readonly is: "holds"; readonly run: CaseRun }
  | { readonly is: "unsound" };

/** Key of a case: a hash, as its text can be long. */
const keyOf = (value: SourceObject): string => toHex(sha256(utf8(JSON.stringify(value))));

/** Tries cases for one property, and logs the attempts. Results are cached. */
export class Trial {
  readonly log: ShrinkStep[] = [];
  readonly #violation: Violation;
  readonly #verdicts = new Map<string, Verdict>();

  constructor(violation: Violation) {
    this.#violation = violation;
  }

  /** True once the limit of runs is reached. */
  get isSpent(): boolean {
    return this.#verdicts.size >= MOST_RUNS;
  }

  verdict(value: SourceObject): Verdict {
    const key = keyOf(value);
    const known = this.#verdicts.get(key);
    if (known !== undefined) return known;
    const found = this.#run(value);
    this.#verdicts.set(key, found);
    return found;
  }

  /** True if the property is still violated in a case; logs the attempt under the description. */
  stillViolates(value: SourceObject, words: string): boolean {
    const key = keyOf(value);
    const isNew = !this.#verdicts.has(key);
    if (isNew && this.isSpent) return false;
    const violates = this.verdict(value).is === "violated";
    if (isNew && this.log.length < MOST_LOGGED) this.log.push({ words, kept: violates });
    return violates;
  }

  #run(value: SourceObject): Verdict {
    const scenario = readCase(value);
    const key = propertyKey(this.#violation);
    // Another property's earlier violation must not hide this one.
    const endsBy = (one: Violation) => propertyKey(one) === key;
    const run = scenario && runCase(scenario, { endsBy });
    if (run === undefined) return { is: "unsound" };
    const violation = run.violations.find(endsBy);
    return violation ? { is: "violated", run, violation } : { is: "holds", run };
  }
}
