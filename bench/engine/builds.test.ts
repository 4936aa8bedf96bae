import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { putBenchmarks } from "./builds.ts";

test("an older commit is measured by the benchmarks of now, and built with the projects that it has", async () => {
  const scratch = await mkdtemp(join(tmpdir(), "chainlab-builds-"));
  onTestFinished(() => rm(scratch, { recursive: true }));
  const now = join(scratch, "now");
  const before = join(scratch, "before");
  await write(now, { "tsconfig.json": "new projects", "engine/loads.ts": "new loads" });
  await write(before, { "tsconfig.json": "its projects", "engine/gone.ts": "old loads" });
  await putBenchmarks(now, before);
  expect(await readFile(join(before, "tsconfig.json"), "utf8")).toBe("its projects");
  expect(await readFile(join(before, "engine/loads.ts"), "utf8")).toBe("new loads");
  expect(await readdir(join(before, "engine"))).toEqual(["loads.ts"]);
});

async function write(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  await mkdir(join(folder, "engine"), { recursive: true });
  for (const [path, text] of Object.entries(files)) await writeFile(join(folder, path), text);
}
