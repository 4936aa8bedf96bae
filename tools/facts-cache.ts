/** Facts of source files, read anew only where the text has changed: to parse all of them takes five seconds. */
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ROOT } from "./setup.mjs";
import { readFacts, type SourceFacts } from "./source-facts.ts";

const FILE = join(ROOT, "node_modules", ".cache-facts", "facts.json");

interface Entry {
  readonly hash: string;
  readonly facts: SourceFacts;
}

export class FactsCache {
  readonly #before: Readonly<Record<string, Entry>>;
  readonly #now: Record<string, Entry> = {};
  /** Of the reader itself: facts of another reader do not count. */
  readonly #reader = readFileSync(join(ROOT, "tools", "source-facts.ts"), "utf8");

  private constructor(before: Readonly<Record<string, Entry>>) {
    this.#before = before;
  }

  static open(): FactsCache {
    try {
      return new FactsCache(JSON.parse(readFileSync(FILE, "utf8")));
    } catch {
      return new FactsCache({});
    }
  }

  readonly read = (file: string, source: string): SourceFacts => {
    const hash = createHash("sha1").update(this.#reader).update(source).digest("base64");
    const found = this.#before[file];
    const entry = found?.hash === hash ? found : { hash, facts: readFacts(file, source) };
    this.#now[file] = entry;
    return entry.facts;
  };

  /** Adds all that was read to what was saved before. */
  save(): void {
    mkdirSync(dirname(FILE), { recursive: true });
    const aside = `${FILE}.${process.pid}`;
    writeFileSync(aside, JSON.stringify({ ...this.#before, ...this.#now }));
    renameSync(aside, FILE);
  }
}
