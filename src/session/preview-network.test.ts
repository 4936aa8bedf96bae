import { expect, test } from "vitest";
import { Session } from "./session.ts";

async function sentence(step: object): Promise<string> {
  const session = new Session();
  for (let i = 0; i < 5; i++) session.sim.advance();
  const before = session.sim.journal.length;
  const { sentence, message } = await session.preview(JSON.stringify(step));
  expect([message, session.sim.journal.length]).toEqual(["", before]);
  return sentence;
}

test("a fault is told with the heights at which it acts", async () => {
  expect(await sentence({ fault: { node: "val-1", kind: "mute", at: 9, for: 3 } })).toBe(
    "From height 9 to height 11, val-1 follows the chain and says nothing.",
  );
  expect(await sentence({ fault: { node: "val-1", kind: "mute" } })).toContain(
    "From height 6 until it is taken back",
  );
});

test("a cut is told with the power of each side and what it comes to", async () => {
  const halves = [["val-0", "val-1"], ["val-2"]];
  expect(await sentence({ partition: halves }), "who is not named is a side too").toBe(
    "The sides hold 200 and 100 and 100 of 400 power and 267 are needed: none has enough, and the chain stands still.",
  );
  expect(await sentence({ partition: [["val-0"]] })).toContain("one has enough and goes on");
});

test("a light client attack is told with who is punished", async () => {
  const attack = (kind: string) => ({ light_client_attack: { kind, by: ["val-0", "val-1"] } });
  expect(await sentence(attack("lunatic"))).toBe(
    "val-0, val-1, 200 of 400 power, sign a block with a state and a set of their own, against block 5. An honest node sees it; the evidence in block 6 punishes whoever signed.",
  );
  expect(await sentence(attack("amnesia"))).toContain("punishes nobody");
});
