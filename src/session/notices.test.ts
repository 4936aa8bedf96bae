import { describe, expect, test } from "vitest";
import type { Damage } from "./history/record.ts";
import { damageNotice, unavailableNotice, unreadableNotice } from "./notices.ts";

const both = (name: string, kind: Damage["kind"], other = kind): Damage[] => [
  { key: `${name}-0`, kind },
  { key: `${name}-1`, kind: other },
];

describe("a notice of damage", () => {
  test("names two copies of one record once", () => {
    expect(unreadableNotice("Mine", both("beginning", "damaged")).text).toBe(
      "The saved world “Mine” cannot be opened: both copies of its beginning are damaged. It stays in the " +
        "storage as it is; what is on screen is another world.",
    );
    expect(damageNotice(both("head", "missing", "cut"), 5134).text).toMatch(
      /^In what is saved of this world, one copy of its last save is missing and the other is cut short\. All actions that were found were replayed, up to block 5,134;/,
    );
  });

  test("names the first action that cannot be used, and says that none is lost where all could be", () => {
    const damage = { key: "journal/000000000000", kind: "damaged", from: 4 } as const;
    expect(damageNotice([damage], 9, 6).text).toMatch(
      /from action 5 on its journal is damaged\. Everything before that was kept .* The rest was set aside/,
    );
    expect(damageNotice([damage], 9, 4).text).toBe(
      "In what is saved of this world, the end of its journal is damaged. No action is lost: the world came " +
        "back up to block 9.",
    );
  });

  test.each([
    ["beginning-1", "one of two copies of its beginning is damaged"],
    ["journal/000000001200", "from action 1,201 on its journal is damaged"],
    ["keyframe/000000005124-000000000007-92061", "the keyframe of round 5,124 is damaged"],
    ["page/blocks/000000000000-140029", "a page of old blocks is damaged"],
    ["something", "a record is damaged"],
  ])("says what %s is, without its key", (key, text) => {
    expect(damageNotice([{ key, kind: "damaged" }], 9).text).toContain(
      `In what is saved of this world, ${text}.`,
    );
  });
});

test("a reason that is a sentence does not end in two stops", () => {
  expect(unavailableNotice("The connection was closed.").text).toContain(
    "not being saved: The connection was closed. Saving",
  );
});
