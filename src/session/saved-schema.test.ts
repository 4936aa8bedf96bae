import { expect, test } from "vitest";
import { newWorldSpec } from "../engine/simulation/genesis/new-world.ts";
import type { SavedSession } from "./saved.ts";
import { readSession } from "./saved-schema.ts";

const session = (): SavedSession => ({
  spec: newWorldSpec({ accounts: [{ name: "alice", amount: 5n }] }),
  journal: [],
  rounds: 3,
  playing: true,
  speed: 1,
  held: false,
  results: [],
  steps: [],
});

test("a session survives the browser's storage", () => {
  expect(readSession(structuredClone(session()))).toEqual(session());
});

const { slashing, staking, gov } = session().spec;

test.each([
  ["without a module's parameters", { gov: undefined }],
  ["with another module's parameters", { gov: staking }],
  ["with parameters in the shape of an earlier version", { slashing: { signedBlocksWindow: 100 } }],
  ["with a parameter of another type", { slashing: { ...slashing, signedBlocksWindow: "many" } }],
  ["with a parameter missing", { gov: { ...gov, quorum: undefined } }],
  ["with parameters that are no message", { staking: 7 }],
])("a session %s is not read", (_, wrong) => {
  const saved = session();
  expect(readSession({ ...saved, spec: { ...saved.spec, ...wrong } })).toBeUndefined();
});
