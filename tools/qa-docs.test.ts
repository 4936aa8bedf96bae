import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { chainlabIn } from "../src/node/command-line.testing.ts";

const GUIDE = readFileSync(new URL("../docs/qa.md", import.meta.url), "utf8");
const [, family = ""] = /```yaml\n(.*?)```/s.exec(GUIDE) ?? [];
const [, printed = ""] = /```\n(upgrade-night: .*?)```/s.exec(GUIDE) ?? [];

test("the family of docs/qa.md passes as it is written, and its search prints what stands there", async () => {
  const readFile = async (): Promise<string> => family;
  expect((await chainlabIn({ readFile }, "run", "upgrade-night.yaml")).status).toBe(0);
  const { status, stdout } = await chainlabIn(
    { readFile },
    "search",
    "upgrade-night.yaml",
    "--jobs",
    "1",
  );
  expect(status).toBe(1);
  expect(stdout).toContain(printed.trimEnd());
});
