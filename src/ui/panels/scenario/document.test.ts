import { expect, test } from "vitest";
import type { Client } from "../../../client/client.ts";
import { createPage } from "../../store/page.ts";
import { halfPair, OpenScenario } from "./document.ts";

test("a run that is asked for before the text is listed tells all of its steps", async () => {
  const playing: unknown[] = [];
  let list = (_: unknown): void => {};
  const listed = new Promise((resolve) => {
    list = resolve;
  });
  const lab = {
    editScenario: () => listed,
    loadScenario: async () => ({ problems: [] }),
    getFrame: async () => ({ world: "w", story: { beats: [{}, {}] } }),
    control: async ({ action }: { action: { case: string; value: unknown } }) => {
      if (action.case === "beat") playing.push(action.value);
    },
  };
  const scenario = new OpenScenario(createPage({ lab } as unknown as Client));
  scenario.write("scenario: 1\nname: mine\nsteps:\n  - run: 3\n");
  const ran = scenario.run();
  const step = { index: 0, json: '{"run":3}', line: 4 };
  list({ steps: [step], problems: [], refusal: "" });
  await ran;
  expect(scenario.store.getState().run?.steps).toEqual([step.json]);
  expect(playing).toEqual([{ index: 1, done: true }]);
});

test("half of a surrogate pair is found with its line, and a whole pair is text", () => {
  expect(halfPair("a\nb 😀 c\n")).toBeUndefined();
  expect(halfPair("a\nb \ud83d c")).toMatchObject({
    line: 2,
    message: "expected text, found U+D83D, half of a surrogate pair, in it",
  });
});
