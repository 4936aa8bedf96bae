import { expect, test } from "vitest";
import type { LastCommand } from "../gen/lab/v1/record_plain.ts";
import { FIRST_ORIGIN } from "./first-world.ts";
import { openTab, settle, until } from "./testing.ts";

const STOP = JSON.stringify({ nodes: { which: ["val-3"], stop: true } });
const START = JSON.stringify({ nodes: { which: ["val-2", "val-3"], start: true } });

type Tab = ReturnType<typeof openTab>;

async function begun(tab: Tab): Promise<Tab> {
  await tab.worlds.create(FIRST_ORIGIN, "mine");
  tab.session.control({ case: "speed", value: 0 });
  tab.session.control({ case: "pause", value: true });
  return tab;
}

const blocks = ({ session }: Tab, count: number): void => {
  session.control({ case: "stepBlocks", value: count });
  settle(session);
};

const doing = async ({ session }: Tab, step: string) => {
  const done = await until(session, session.runStep(step));
  expect(done.message).toBe("");
  return done;
};

const last = ({ session }: Tab, height?: number): Promise<LastCommand> =>
  until(
    session,
    session.query((queries) => queries.labReading("getLastCommand", {}, height)),
  );

test("the last command is told with its height and how many are of that height, at any height of the past", async () => {
  const tab = await begun(openTab());
  expect(await last(tab)).toStrictEqual({
    ...{ number: 0, height: 0, title: "", signer: "", together: 0 },
  });
  blocks(tab, 5);
  const stopped = await doing(tab, STOP);
  expect(stopped.command).toBe(1);
  blocks(tab, 4);
  const started = await doing(tab, START);
  expect(started.command).toBe(3);
  blocks(tab, 3);
  const ran = await doing(tab, JSON.stringify({ run: 1 }));
  expect(ran.command).toBe(0);
  const newest = { number: 3, height: 9, title: "val-3: start", signer: "", together: 2 };
  expect(await last(tab)).toStrictEqual(newest);
  expect(await last(tab, 9)).toStrictEqual(newest);
  const before = { number: 1, height: 5, title: "val-3: stop", signer: "", together: 1 };
  for (const height of [8, 5]) expect(await last(tab, height)).toStrictEqual(before);
  expect((await last(tab, 4)).number).toBe(0);
});

test("a world that is opened again knows it, and another world has its own", async () => {
  const tab = await begun(openTab());
  blocks(tab, 7);
  await doing(
    tab,
    JSON.stringify({
      propose: { from: "val-0", title: "A text", messages: [], metadata: "ipfs://text" },
    }),
  );
  blocks(tab, 600);
  await tab.save();
  const again = openTab(tab.storage);
  await again.worlds.open(tab.worlds.current ?? "");
  await until(again.session, again.session.restored);
  const expected = {
    ...{ number: 1, height: 7, title: "submit proposal “A text”", signer: "val-0", together: 1 },
  };
  expect(await last(again)).toStrictEqual(expected);
  await again.worlds.create(FIRST_ORIGIN, "another");
  expect((await last(again)).number).toBe(0);
});
