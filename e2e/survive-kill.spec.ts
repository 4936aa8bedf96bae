import { killWhileActing } from "../tools/kill-while-acting.ts";
import { expect, test } from "./helpers.ts";

const KILLS = 20;

// What it records of each page takes as long as all else.
test.use({ trace: "off" });

test("no action that the page said was done is lost when the browser is killed", async ({
  baseURL,
}, info) => {
  test.setTimeout(15 * 60_000);
  const profile = info.outputPath("profile");
  const { acknowledged, lost } = await killWhileActing(baseURL ?? "", profile, KILLS, () => {});
  expect(lost).toEqual([]);
  expect(acknowledged).toBeGreaterThanOrEqual(KILLS);
});
