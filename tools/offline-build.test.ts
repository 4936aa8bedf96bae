import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { serviceWorker } from "./offline-build.ts";

const SOURCE = readFileSync(new URL("../src/workers/offline.sw.ts", import.meta.url), "utf8");

let dist: string;

beforeEach(() => {
  dist = mkdtempSync(join(tmpdir(), "offline-build-"));
  mkdirSync(join(dist, "scenarios"));
  writeFileSync(join(dist, "index.html"), "the page");
  writeFileSync(join(dist, "scenarios/a.yaml"), "abc");
  writeFileSync(join(dist, "sw.js"), "the one before");
});

afterEach(() => {
  rmSync(dist, { recursive: true, force: true });
});

/** Returns the files that the script would cache, and the cache's version. */
async function kept(): Promise<{ files: string[][]; version: string }> {
  const script = await serviceWorker(dist, SOURCE);
  const ask = "\n({ files: FILES, version: VERSION })";
  const scope = "https://example.com/lab/";
  return runInNewContext(script + ask, { registration: { scope }, addEventListener: () => {} });
}

describe("the service worker of a build", () => {
  test("keeps every file but itself, each by its digest, and the page by its folder", async () => {
    const { files } = await kept();
    expect(files.map(([path]) => path)).toEqual(["", "scenarios/a.yaml"]);
    // The SHA-256 of "abc" in FIPS 180-2.
    expect(files[1]?.[1]).toBe("sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=");
  });

  test("is another version when a file is another, and only then", async () => {
    const { version } = await kept();
    expect((await kept()).version).toBe(version);
    writeFileSync(join(dist, "scenarios/a.yaml"), "abd");
    expect((await kept()).version).not.toBe(version);
  });
});
