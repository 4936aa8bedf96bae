import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { differences } from "./generated.ts";

const folders: string[] = [];

function folder(files: Record<string, string>): string {
  const path = mkdtempSync(join(tmpdir(), "generated-"));
  folders.push(path);
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(path, file)), { recursive: true });
    writeFileSync(join(path, file), text);
  }
  return path;
}

afterEach(() => {
  for (const path of folders.splice(0)) rmSync(path, { recursive: true });
});

test("equal folders differ in nothing", () => {
  const files = { "chain/bank.ts": "1", "lab.ts": "2" };
  expect(differences(folder(files), folder(files))).toEqual([]);
});

test("changed, missing and left-over files are each named", () => {
  const committed = folder({ "chain/bank.ts": "1", "old.ts": "2", "same.ts": "3" });
  const fresh = folder({ "chain/bank.ts": "9", "new.ts": "2", "same.ts": "3" });
  expect(differences(committed, fresh)).toEqual([
    "chain/bank.ts is out of date",
    "new.ts is missing",
    "old.ts is not generated any more",
  ]);
});
