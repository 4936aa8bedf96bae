import { expect, test } from "vitest";
import { withNames } from "./address-text.ts";

test.each(["chain", "cosmos", "osmo", "a", "iaa", "b1t2"])(
  "addresses that begin with %s are replaced by their names, others stay",
  (prefix) => {
    const of = (role: string, letter: string) => `${prefix}${role}1${letter.repeat(38)}`;
    const names = new Map([
      [of("", "q"), "alice"],
      [of("valoper", "q"), "val-1"],
      [of("valcons", "q"), "val-1"],
    ]);
    const text = (who: (role: string) => string, other: string) =>
      `${who("")} pays ${who("valoper")}, "${who("valcons")}", ${other}`;
    const named: Readonly<Record<string, string>> = { "": "alice" };
    expect(
      withNames(
        text((role) => of(role, "q"), of("", "p")),
        names,
      ),
    ).toBe(text((role) => named[role] ?? "val-1", of("", "p")));
  },
);
