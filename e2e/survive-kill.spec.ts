import { executablesNamed } from "../tools/executables.ts";
import { killWhileActing } from "../tools/kill-while-acting.ts";
import { propertySeed, seededRandom } from "../tools/property-seed.ts";
import { SOAK } from "../tools/test-class.ts";
import { expect, test } from "./helpers.ts";

/** Each costs a start of the browser. */
const KILLS = SOAK ? 40 : 1;

// Recording traces takes as long as the rest of the test.
test.use({ trace: "off" });

test("no action that the page said was done is lost when the browser is killed", async ({
  baseURL,
}, info) => {
  test.skip(
    executablesNamed(["ps"]).length === 0,
    "No browser was killed while the page acts: ps, which says when all of it is gone, is not on the PATH.",
  );
  if (SOAK) test.setTimeout(30 * 60_000);
  const seed = propertySeed();
  console.log(`Old blocks are drawn with PROPERTY_SEED=${seed}`);
  const profile = info.outputPath("profile");
  const { acknowledged, lost } = await killWhileActing(
    baseURL ?? "",
    profile,
    KILLS,
    seededRandom(seed),
    () => {},
  );
  expect(lost).toEqual([]);
  expect(acknowledged).toBeGreaterThanOrEqual(KILLS);
});
