/** Whole generated scenarios go through a link and come out as they went in. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { parse, stringify } from "yaml";
import { propertyRuns } from "../../src/base/property.testing.ts";
import { parseScenario } from "../../src/scenario/parse.ts";
import { linkHash, readLink } from "../../src/ui/share/link.ts";
import { Draw } from "./draw.ts";
import { drawBeginning } from "./worlds/beginning.ts";
import { beginWorld } from "./worlds/played-world.ts";
import { drawStep, MOODS } from "./worlds/steps.ts";

/** A file of a world with steps that it accepts; undefined if there is no such world. */
function drawScenario(seed: string, title: string): string | undefined {
  const draw = new Draw(seed);
  const file = { ...drawBeginning(draw), title };
  const world = beginWorld(file);
  if (world === undefined) return undefined;
  const weights = draw.pick(Object.values(MOODS));
  const steps = Array.from({ length: draw.between(1, 12) }, () =>
    drawStep(draw, world.sim, weights),
  );
  const text = { ...file, steps };
  return draw.chance(0.5) ? stringify(text) : JSON.stringify(text);
}

const name = fc.oneof(
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 }),
  // Around the length at which a name is cut, between whole characters and within them.
  fc
    .tuple(
      fc.integer({ min: 96, max: 101 }),
      fc.string({ unit: "grapheme-composite", maxLength: 6 }),
    )
    .map(([length, end]) => "n".repeat(length) + end),
);

test("a link of a generated scenario holds the same file, which reads as the same scenario", async () => {
  let read = 0;
  const runs = propertyRuns(60);
  await fc.assert(
    fc.asyncProperty(
      ...([
        fc.string({ minLength: 1 }),
        fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 }),
        name,
      ] as const),
      async (seed, title, file) => {
        const text = drawScenario(seed, title);
        fc.pre(text !== undefined);
        const found = await readLink(await linkHash({ kind: "scenario", file, text: text ?? "" }));
        if (found.kind !== "scenario") throw new Error("it is of another kind");
        expect(found.text).toBe(text);
        expect(parse(found.text)).toEqual(parse(text ?? ""));
        const before = parseScenario(text ?? "", "a.yaml");
        if ("scenario" in before) read += 1;
        expect("scenario" in parseScenario(found.text, "a.yaml")).toBe("scenario" in before);
        const shown = file.replaceAll("\n", " ");
        expect(found.file.length).toBeLessThanOrEqual(100);
        expect(shown.startsWith(found.file)).toBe(true);
        expect(found.file.isWellFormed()).toBe(true);
        // No more is missing than what does not fit.
        expect(found.file.length).toBeGreaterThanOrEqual(Math.min(shown.length, 99));
      },
    ),
    { numRuns: runs },
  );
  expect(read).toBeGreaterThan(runs / 3);
});
