import { describe, expect, test } from "vitest";
import { toHexUpper } from "../../base/bytes.ts";
import { propose, runRounds, runTo, softwareUpgrade } from "../../engine/simulation/testing.ts";
import { rpcWorld } from "./testing.ts";

/** Five transactions in block 6, five in block 8; blocks up to 10. */
function searched() {
  const world = rpcWorld();
  for (const [id, name] of [
    [1n, "v2"],
    [2n, "v3"],
  ] as const) {
    propose(world.sim, id, softwareUpgrade(world.sim, name, 1000));
    runRounds(world.sim, 2);
  }
  runTo(world.sim, 10);
  const txs = async (params: { [key: string]: string }) =>
    (await world.result("tx_search", params)) as {
      txs: { hash: string; height: string; index: number }[];
      total_count: string;
    };
  const blocks = async (params: { [key: string]: string }) => {
    const found = (await world.result("block_search", params)) as {
      blocks: { block: { header: { height: string } } }[];
      total_count: string;
    };
    return found.blocks.map(({ block }) => block.header.height);
  };
  return { ...world, txs, blocks };
}

describe("tx_search", () => {
  test("finds one by its hash", async () => {
    const { sim, txs } = searched();
    const hash = toHexUpper(sim.block(8)?.txs[2]?.hash ?? new Uint8Array());
    expect(await txs({ query: `tx.hash='${hash}'` })).toMatchObject({
      txs: [{ hash, height: "8", index: 2 }],
      total_count: "1",
    });
    expect(await txs({ query: `tx.hash='${hash}' AND tx.height=6` })).toEqual({
      txs: [],
      total_count: "0",
    });
    expect(await txs({ query: "tx.hash='AB'" })).toMatchObject({ total_count: "0" });
  });

  test("finds by height and by events, in either order, by pages", async () => {
    const { txs } = searched();
    const all = await txs({ query: "tx.height>0" });
    expect(all.total_count).toBe("10");
    expect(all.txs.map(({ height, index }) => [height, index])).toEqual(
      ["6", "8"].flatMap((height) => [0, 1, 2, 3, 4].map((index) => [height, index])),
    );
    const newest = await txs({ query: "tx.height>0", order_by: "desc", per_page: "3", page: "1" });
    expect(newest.total_count).toBe("10");
    expect(newest.txs.map(({ index }) => index)).toEqual([4, 3, 2]);
    const proposals = await txs({ query: "submit_proposal.proposal_id=2" });
    expect(proposals.txs).toMatchObject([{ height: "8", index: 0 }]);
    expect(await txs({ query: "message.action CONTAINS 'Vote' AND tx.height<7" })).toMatchObject({
      total_count: "4",
    });
  });

  test("refuses what is no query, no order or no page", async () => {
    const { txs } = searched();
    await expect(txs({ query: "nonsense" })).rejects.toThrow("offset 8: EOF");
    await expect(txs({ query: "tx.height>0", order_by: "up" })).rejects.toThrow(
      "expected order_by to be either `asc` or `desc` or empty",
    );
    await expect(txs({ query: "tx.height>0", page: "2" })).rejects.toThrow(
      "page should be within [1, 1] range, given 2",
    );
    await expect(txs({ query: `a='${"x".repeat(600)}'` })).rejects.toThrow(
      "maximum query length exceeded",
    );
  });
});

describe("block_search", () => {
  test("finds by height, newest first unless asked otherwise", async () => {
    const { blocks } = searched();
    expect(await blocks({ query: "block.height>3 AND block.height<6" })).toEqual(["5", "4"]);
    expect(await blocks({ query: "block.height<=2", order_by: "asc" })).toEqual(["1", "2"]);
    expect(await blocks({ query: "block.height>99" })).toEqual([]);
  });

  test("finds by what happened outside transactions", async () => {
    const { sim, blocks } = searched();
    sim.apply({ type: "double_sign", node: "val-2" });
    runRounds(sim, 3);
    const [slashed] = await blocks({ query: "slash.reason='double_sign' AND block.height>1" });
    const events = sim.block(Number(slashed))?.events.map(({ type }) => type);
    expect(events).toContain("slash");
  });
});
