import { describe, expect, test } from "vitest";
import { toHexUpper } from "../../base/bytes.ts";
import { RPC } from "../../base/limits.ts";
import { Simulation } from "../../engine/simulation/simulation.ts";
import { propose, runRounds, softwareUpgrade, worldSpec } from "../../engine/simulation/testing.ts";
import { eventsOfBlock } from "../../view/events/events.ts";
import { Subscriptions } from "./subscriptions.ts";
import { rpcWorld } from "./testing.ts";

const NEW_BLOCK = "tm.event='NewBlock'";

/** Decodes the notifications of a block. */
const told = (subscriptions: Subscriptions<string>, sim: Simulation, height: number) =>
  subscriptions.notify(sim, height).map(({ client, text }) => ({ client, ...JSON.parse(text) }));

/** A world in which a transaction succeeded at some height. */
function withTx() {
  const sim = Simulation.create(worldSpec());
  propose(sim, 1n, softwareUpgrade(sim, "v2", 40));
  runRounds(sim, 1);
  return { sim, height: 1 };
}

describe("the events of a block", () => {
  test("come in CometBFT's order, each under its name", () => {
    const sim = Simulation.create(worldSpec());
    runRounds(sim, 3);
    sim.apply({ type: "double_sign", node: "val-2" });
    runRounds(sim, 4);
    const names = [4, 5, 6, 7].map((height) => eventsOfBlock(sim, height).map(({ name }) => name));
    const usual = ["NewBlock", "NewBlockHeader", "NewBlockEvents"];
    expect(names).toContainEqual([...usual, "NewEvidence", "ValidatorSetUpdates"]);
    expect(names.at(-1)).toEqual(usual);
    expect(eventsOfBlock(sim, 99)).toEqual([]);
  });

  test("a transaction is told with its hash, its height and its own events, zeros left out", () => {
    const { sim, height } = withTx();
    const [tx] = sim.block(height)?.txs ?? [];
    const found = eventsOfBlock(sim, height).find(({ name }) => name === "Tx");
    expect(found?.events).toMatchObject({
      "tm.event": ["Tx"],
      "tx.hash": [toHexUpper(tx?.hash ?? new Uint8Array())],
      "tx.height": [`${height}`],
      "message.action": [expect.stringContaining("MsgSubmitProposal")],
    });
    const { TxResult } = (found?.value() ?? {}) as { TxResult: { result: object } };
    expect(TxResult).toMatchObject({ height: `${height}`, tx: expect.any(String) });
    expect(TxResult).not.toHaveProperty("index");
    expect(TxResult.result).not.toHaveProperty("code");
    expect(TxResult.result).toMatchObject({ data: expect.any(String), events: expect.any(Array) });
  });
});

describe("subscriptions", () => {
  test("are told with the id and the query that asked, and what happened", () => {
    const { sim } = rpcWorld();
    const subscriptions = new Subscriptions<string>();
    subscriptions.subscribe("a", 7, NEW_BLOCK, 4);
    subscriptions.subscribe("b", "x", "tm.event = 'NewBlockHeader'", 5);
    expect(told(subscriptions, sim, 4)).toEqual([]);
    expect(told(subscriptions, sim, 5)).toEqual([
      {
        client: "a",
        jsonrpc: "2.0",
        id: 7,
        result: {
          query: NEW_BLOCK,
          data: {
            type: "tendermint/event/NewBlock",
            value: {
              block: expect.objectContaining({ header: expect.objectContaining({ height: "5" }) }),
              block_id: expect.any(Object),
              result_finalize_block: expect.objectContaining({ app_hash: expect.any(String) }),
            },
          },
          events: expect.objectContaining({ "tm.event": ["NewBlock"] }),
        },
      },
    ]);
    runRounds(sim, 1);
    expect(told(subscriptions, sim, 6).map(({ client, id }) => [client, id])).toEqual([
      ["a", 7],
      ["b", "x"],
    ]);
  });

  test("a transaction is waited for by its hash", () => {
    const { sim, height } = withTx();
    const hash = toHexUpper(sim.block(height)?.txs[0]?.hash ?? new Uint8Array());
    const subscriptions = new Subscriptions<string>();
    subscriptions.subscribe("a", 1, `tm.event='Tx' AND tx.hash='${hash}'`, 0);
    subscriptions.subscribe("a", 2, "tm.event='Tx' AND tx.hash='AB'", 0);
    expect(told(subscriptions, sim, height).map(({ id }) => id)).toEqual([1]);
  });

  test("end by their query alone", () => {
    const { sim } = rpcWorld();
    const subscriptions = new Subscriptions<string>();
    const refused = (act: () => void): unknown => {
      try {
        act();
        return undefined;
      } catch (error) {
        return (error as { data: string }).data;
      }
    };
    subscriptions.subscribe("a", 1, NEW_BLOCK, 0);
    subscriptions.subscribe("a", 2, "tm.event='Tx'", 0);
    expect(refused(() => subscriptions.subscribe("a", 3, "tm.event  =  'NewBlock'", 0))).toBe(
      "already subscribed",
    );
    expect(refused(() => subscriptions.unsubscribe("b", NEW_BLOCK))).toBe("subscription not found");
    subscriptions.unsubscribe("a", "tm.event='Tx'");
    expect(refused(() => subscriptions.unsubscribe("a", "tm.event='Tx'"))).toBe(
      "subscription not found",
    );
    expect(told(subscriptions, sim, 5)).toHaveLength(1);
    subscriptions.unsubscribeAll("a");
    expect(refused(() => subscriptions.unsubscribeAll("a"))).toBe("subscription not found");
    expect(refused(() => subscriptions.subscribe("a", 1, "nonsense", 0))).toBe(
      "failed to parse query: offset 8: EOF",
    );
    expect(refused(() => subscriptions.subscribe("a", 1, `a='${"x".repeat(600)}'`, 0))).toBe(
      "maximum query length exceeded",
    );
    expect(subscriptions.size).toBe(0);
  });

  test("are limited for each client, and so are the clients", () => {
    const subscriptions = new Subscriptions<number>();
    for (let i = 0; i < RPC.subscriptionsPerClient; i++) {
      subscriptions.subscribe(0, i, `tx.height=${i}`, 0);
    }
    expect(() => subscriptions.subscribe(0, 9, NEW_BLOCK, 0)).toThrow("Internal error");
    for (let client = 1; client < RPC.subscriptionClients; client++) {
      subscriptions.subscribe(client, 1, NEW_BLOCK, 0);
    }
    expect(() => subscriptions.subscribe(-1, 1, NEW_BLOCK, 0)).toThrow("Internal error");
    expect(subscriptions.leave(0)).toEqual([0, 1, 2, 3, 4]);
    subscriptions.subscribe(-1, 1, NEW_BLOCK, 0);
  });
});
