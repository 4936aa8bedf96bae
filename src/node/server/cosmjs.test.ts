import { StargateClient } from "@cosmjs/stargate";
import { type Comet38Client, connectComet, WebsocketClient } from "@cosmjs/tendermint-rpc";
import { expect, onTestFinished, test } from "vitest";
import { accAddress } from "../../base/bech32.ts";
import { toHexUpper } from "../../base/bytes.ts";
import { propose, softwareUpgrade } from "../../engine/simulation/testing.ts";
import { inTime, reached, runChain } from "./chain.testing.ts";
import { readBind } from "./listen.ts";
import { openRpc } from "./rpc.ts";

/** A chain at full speed up to a height, and the address of its RPC. */
async function served(height = 30) {
  const chain = await runChain({ speed: 0 });
  const bind = readBind("127.0.0.1:0");
  const server = await openRpc({ chain, namespace: "both", cors: "*" }, bind);
  onTestFinished(() => server.close());
  await reached(chain, height);
  chain.session.player.pause();
  const { sim } = chain.session;
  return { chain, sim, address: server.address };
}

const addressOf = (sim: { account(name: string): Uint8Array | undefined }, name: string) =>
  accAddress(sim.account(name) ?? new Uint8Array());

test.each(["http", "ws"])("CosmJS connects over %s and reads the chain", async (protocol) => {
  const { sim, address } = await served();
  const client = await StargateClient.connect(`${protocol}://${address}`);
  onTestFinished(() => client.disconnect());
  expect(await client.getChainId()).toBe(sim.spec.chainId);
  expect(await client.getHeight()).toBe(sim.height);
  const block = await client.getBlock(5);
  expect(block).toMatchObject({ header: { height: 5, chainId: sim.spec.chainId }, txs: [] });
  expect(block.id).toBe(toHexUpper(sim.block(5)?.hash ?? new Uint8Array()));
  const val = addressOf(sim, "val-0");
  expect(await client.getBalance(val, "stake")).toMatchObject({ denom: "stake" });
  expect(await client.getAllBalances(val)).toEqual([await client.getBalance(val, "stake")]);
});

test("CosmJS's client of CometBFT reads every answer", async () => {
  const { sim, address } = await served();
  const comet = (await connectComet(`http://${address}`)) as Comet38Client;
  onTestFinished(() => comet.disconnect());
  expect((await comet.status()).nodeInfo.version).toMatch(/^0\.38\./);
  expect(await comet.health()).toBeNull();
  expect((await comet.abciInfo()).lastBlockHeight).toBe(sim.height);
  expect((await comet.genesis()).validators).toHaveLength(sim.network.ledger.voting.size);
  const { block } = await comet.block(7);
  expect(block.lastCommit?.signatures).toHaveLength(sim.network.ledger.voting.size);
  expect((await comet.blockResults(7)).height).toBe(7);
  expect((await comet.blockchain(3, 6)).blockMetas.map(({ header }) => header.height)).toEqual([
    6, 5, 4, 3,
  ]);
  const { commit, canonical } = await comet.commit(7);
  expect([commit.height, canonical]).toEqual([7, true]);
  expect((await comet.validatorsAll(7)).validators).toHaveLength(sim.network.ledger.voting.size);
  expect((await comet.validators({})).blockHeight).toBe(sim.height + 1);
  expect((await comet.numUnconfirmedTxs()).total).toBe(0);
});

test("CosmJS finds transactions by hash and by their events", async () => {
  const { chain, sim, address } = await served();
  propose(sim, 1n, softwareUpgrade(sim, "v2", 1000));
  chain.session.player.stepBlocks(1);
  chain.session.player.changed();
  await reached(chain, sim.height + 1);
  const client = await StargateClient.connect(`http://${address}`);
  onTestFinished(() => client.disconnect());
  const [proposed, ...votes] = await client.searchTx(`tx.height=${sim.height}`);
  expect(votes).toHaveLength(sim.network.ledger.voting.size);
  expect(proposed).toMatchObject({ height: sim.height, txIndex: 0, code: 0 });
  expect(proposed?.msgResponses).toMatchObject([
    { typeUrl: "/chain.gov.v1.MsgSubmitProposalResponse" },
  ]);
  expect(await client.getTx(proposed?.hash ?? "")).toEqual(proposed);
  expect(await client.getTx("AB".repeat(32))).toBeNull();
  expect(await client.searchTx([{ key: "submit_proposal.proposal_id", value: "1" }])).toEqual([
    proposed,
  ]);
});

test("CosmJS hears of new blocks, also after it ended another stream", async () => {
  const { chain, sim, address } = await served();
  const rpc = new WebsocketClient(`ws://${address}`);
  const { Comet38Client: Client } = await import("@cosmjs/tendermint-rpc");
  const comet = await Client.create(rpc);
  onTestFinished(() => comet.disconnect());
  const heights: number[] = [];
  const listen = (count: number): Promise<void> =>
    new Promise((resolve, reject) => {
      let heard = 0;
      const ended = comet.subscribeNewBlock().subscribe({
        next: ({ header }) => {
          heights.push(header.height);
          heard += 1;
          if (heard === count) {
            ended.unsubscribe();
            resolve();
          }
        },
        error: reject,
      });
    });
  const from = sim.height;
  const first = listen(3);
  // The subscription is active when a later call is answered.
  await comet.health();
  chain.session.player.stepBlocks(3);
  chain.session.player.changed();
  await inTime(first, "three blocks");
  const second = listen(2);
  await comet.health();
  chain.session.player.stepBlocks(2);
  chain.session.player.changed();
  await inTime(second, "two more blocks");
  expect(heights).toEqual([1, 2, 3, 4, 5].map((more) => from + more));
});
