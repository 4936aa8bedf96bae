import { describe, expect, test } from "vitest";
import { plainError } from "../../framework/errors.ts";
import { planIn, UpgradeWatch } from "./upgrade-watch.ts";

const file = (name: string, height: number, info?: string): string =>
  JSON.stringify({ name, time: "0001-01-01T00:00:00Z", height, info });
const nothing = (): string => "";

describe("detection (rules/sidecar 3.2)", () => {
  test("no file or an empty one is no plan yet", () => {
    const watch = new UpgradeWatch();
    expect(watch.check(undefined, 50, nothing)).toBeUndefined();
    expect(watch.check("", 50, nothing)).toBeUndefined();
  });

  test("the first plan after a start triggers if its name differs from the current folder's", () => {
    const found = new UpgradeWatch().check(file("v2", 20, "i"), 20, nothing);
    expect(found).toEqual({ name: "v2", height: 20, info: "i" });
    expect(new UpgradeWatch().check(file("v2", 20), 20, () => "v2")).toBeUndefined();
    expect(new UpgradeWatch().check(file("V2", 20), 20, () => "v2")).toBeUndefined();
  });

  test("not before the node has reached the height, nor while its status cannot be asked", () => {
    const watch = new UpgradeWatch();
    expect(watch.check(file("v2", 20), 19, nothing)).toBeUndefined();
    expect(watch.check(file("v2", 20), undefined, nothing)).toBeUndefined();
    expect(watch.check(file("v2", 20), 20, nothing)?.name).toBe("v2");
  });

  test("later plans trigger only if they are higher: an equal or lower height is not seen, whatever the name", () => {
    const watch = new UpgradeWatch();
    watch.check(file("v2", 20), 20, nothing);
    expect(watch.check(file("v2", 20), 21, nothing)).toBeUndefined();
    expect(watch.check(file("v3", 20), 21, nothing)).toBeUndefined();
    expect(watch.check(file("v3", 19), 21, nothing)).toBeUndefined();
    expect(watch.check(file("v3", 21), 21, nothing)?.name).toBe("v3");
  });

  test("a new start sees it: the name is compared again", () => {
    expect(new UpgradeWatch().check(file("v3", 20), 21, () => "v2")?.name).toBe("v3");
  });

  test("COSMOVISOR_DISABLE_RECASE: capitals stay, and names are still compared without them", () => {
    expect(new UpgradeWatch(false).check(file("V2", 20), 20, nothing)?.name).toBe("V2");
    expect(new UpgradeWatch(false).check(file("V2", 20), 20, () => "v2")).toBeUndefined();
  });

  test("capitals in the plan's name are lost", () => {
    expect(new UpgradeWatch().check(file("V2-Final", 20), 20, nothing)?.name).toBe("v2-final");
  });

  test.each([
    ["{", "unexpected end of JSON input"],
    ["[]", "json: cannot unmarshal array into Go value of type types.Plan"],
    [
      '{"name":"v2","height":"20"}',
      "json: cannot unmarshal string into Go struct field Plan.height of type int64",
    ],
    ['{"height":20}', "invalid upgrade-info.json content: name cannot be empty: invalid request"],
    [
      '{"name":"v2"}',
      "invalid upgrade-info.json content: height must be greater than 0: invalid request",
    ],
  ])("content that is no plan is a panic: %s", (content, reason) => {
    expect(() => new UpgradeWatch().check(content, 50, nothing)).toThrow(
      plainError(`failed to parse upgrade info file: ${reason}`),
    );
    expect(planIn(content)).toBeUndefined();
  });
});
