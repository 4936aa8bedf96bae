import { expect, test } from "vitest";
// A session loads them with the first query: tests count turns, which must not include that.
import "../view/lab/world-queries.ts";
import { accAddress } from "../base/bech32.ts";
import { toHexUpper } from "../base/bytes.ts";
import { fromHex } from "../base/from-hex.ts";
import { packInit } from "../engine/framework/codec.ts";
import { accountOf } from "../engine/simulation/genesis/world-spec.ts";
import { Simulation } from "../engine/simulation/simulation.ts";
import { MsgSendSchema } from "../gen/chain/bank/v1beta1/tx_pb.ts";
import { FIRST_ORIGIN } from "./first-world.ts";
import { openTab, settle, until } from "./testing.ts";

/** More blocks with writes than states that stay in memory. */
const BLOCKS = 1300;

test("what changed a key is known back to the genesis, though the states of old blocks have to be made again", async () => {
  const tab = openTab();
  await tab.worlds.create(FIRST_ORIGIN, "mine");
  const { session } = tab;
  const { sim } = session;
  session.control({ case: "pause", value: true });
  const send = (to: string, amount: string): void => {
    const coins = { toAddress: accAddress(accountOf(to)), amount: [{ denom: "stake", amount }] };
    const message = { fromAddress: accAddress(accountOf("val-0")), ...coins };
    sim.apply({ type: "tx", signer: "val-0", messages: [packInit(MsgSendSchema, message)] });
  };
  for (let height = 1; height <= BLOCKS; height++) {
    if (height === 3) send("val-2", "7");
    send("val-1", "1");
    session.control({ case: "stepBlocks", value: 1 });
    settle(session);
  }
  await tab.save();

  const { keys } = await until(
    session,
    session.query((queries) =>
      queries.labReading("getStoreKeys", { store: "bank", search: "balance val-2" }),
    ),
  );
  const key = keys[0]?.key ?? "";
  const { states } = sim as unknown as { states: { has(height: number): boolean } };
  expect([2, BLOCKS].map((height) => states.has(height))).toEqual([false, true]);
  const history = await until(
    session,
    session.query((queries) => queries.labReading("getKeyHistory", { store: "bank", key })),
  );
  expect(history).toMatchObject({ complete: true, since: 0 });
  expect(history.changes.map(({ height }) => height)).toEqual([3, 0]);
  const genesis = Simulation.create(FIRST_ORIGIN.scenario.spec);
  const first = genesis.storeValue("bank", fromHex(key), 0);
  expect(history.changes[1]?.value).toBe(first && toHexUpper(first));
});
