import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { beatsOf } from "./beats.ts";
import { parseScenario } from "./parse.ts";
import type { Scenario } from "./scenario.ts";

const FOLDER = new URL("../../public/scenarios/", import.meta.url);
const FILES = readdirSync(FOLDER).filter((file) => file.endsWith(".yaml"));

function load(file: string): Scenario {
  const read = parseScenario(readFileSync(new URL(file, FOLDER), "utf8"), file);
  if ("problems" in read) throw new Error(JSON.stringify(read.problems, undefined, 2));
  return read.scenario;
}

/** The view that contains each part of the page, except the parts that are always visible. */
const VIEW_OF: Readonly<Record<string, string>> = {
  ...{ ring: "network", validators: "network", round: "network" },
  ...{ evidence: "evidence", waterfall: "evidence", proposals: "governance" },
  ...{ plan: "upgrades", binaries: "upgrades", modules: "upgrades", sidecars: "upgrades" },
};

describe("bundled scenarios", () => {
  test.each(FILES)("%s tells a newcomer what it is about", (file) => {
    const { name, title, about, steps } = load(file);
    expect(`${name}.yaml`).toBe(file);
    expect(title).not.toBe(name);
    expect(about).not.toBe("");
    expect(steps.some(({ note }) => note !== undefined)).toBe(true);
  });

  test.each(FILES)("%s frames what its view has", (file) => {
    const framed = beatsOf(load(file).steps).filter(
      ({ show: { view, drawer, highlight } }) =>
        highlight !== undefined &&
        (highlight === "drawer"
          ? drawer === undefined
          : highlight !== "timeline" && VIEW_OF[highlight] !== view),
    );
    expect(framed.map(({ sentence }) => sentence)).toEqual([]);
  });
});
