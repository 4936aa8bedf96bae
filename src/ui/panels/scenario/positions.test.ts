import fc from "fast-check";
import { expect, test } from "vitest";
import { type Edit, found, positionAfter } from "./positions.ts";

test("a step is found at its position after any edit of the list", () => {
  const kinds = ["insert", "duplicate", "remove", "move", "disable", "replace"];
  fc.assert(
    fc.property(
      fc.constantFrom(...kinds),
      fc.nat(5),
      fc.nat(5),
      fc.nat(5),
      (edit: string, edited: number, to: number, at: number) => {
        const list = ["a", "b", "c", "d", "e", "f"];
        const step = list[at];
        const own = list[edited] ?? "";
        if (edit === "insert") list.splice(edited, 0, "new");
        if (edit === "duplicate") list.splice(edited + 1, 0, "copy");
        if (edit === "remove") list.splice(edited, 1);
        if (edit === "move") {
          list.splice(edited, 1);
          list.splice(to, 0, own);
        }
        const after = positionAfter({ edit, at: edited, to } satisfies Edit, at);
        expect(after === undefined ? undefined : list[after]).toBe(
          edit === "remove" && edited === at ? undefined : step,
        );
      },
    ),
  );
});

test("of equal steps the closest is the one that was meant", () => {
  const steps = ["run", "vote", "run", "run"].map((json) => ({ json }));
  expect(found({ at: 2, json: "run" }, steps)).toEqual({ at: 2, json: "run" });
  expect(found({ at: 1, json: "vote" }, steps.slice(1))).toEqual({ at: 0, json: "vote" });
  expect(found({ at: 1, json: "gone" }, steps)).toBeUndefined();
});
