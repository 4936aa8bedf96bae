/**
 * Signed transactions in a restored chain: from its folder, or from a world's file in another
 * folder.
 */
import { expect, test } from "vitest";
import { toHex } from "../../base/bytes.ts";
import { fromHex } from "../../base/from-hex.ts";
import { accountOf } from "../../engine/modules/bank/account-records.ts";
import { TestSigner } from "../../view/tx/signer.testing.ts";
import { fund, makeBlocks, newFolder, runChain } from "./chain.testing.ts";
import { RunningChain } from "./chain.ts";

const SIGNER = new TestSigner("a key of this test");

/** A chain with one included and one pending signed transaction. */
async function withTransactions(chain: RunningChain) {
  const accountNumber = await fund(chain, SIGNER.account);
  const { chainId } = chain.session.sim.spec;
  const send = (sequence: bigint, memo = "") =>
    chain.broadcast(SIGNER.send("1", { chainId, accountNumber, sequence, memo }));
  const included = await send(0n);
  // Far enough for a keyframe, from which it is then restored.
  await makeBlocks(chain, 3_000);
  const waiting = await send(1n);
  expect([included.code, waiting.code]).toEqual([0, 0]);
  return { accountNumber, hashes: [included.hash, waiting.hash] };
}

/**
 * State that must be the same in the restored chain, once the pending transaction is in a block.
 */
async function finished(chain: RunningChain, hashes: readonly string[]) {
  await makeBlocks(chain, 2);
  const { sim } = chain.session;
  return {
    height: sim.height,
    appHash: toHex(sim.appHash),
    places: hashes.map((hash) => sim.tx(fromHex(hash))?.height),
    sequence: sim.read((ctx) => accountOf(ctx, SIGNER.account))?.sequence,
  };
}

test("from its folder: both are there, and the account goes on with its sequence", async () => {
  const folder = newFolder();
  const first = await RunningChain.open(folder, "this-build", { speed: "paused" });
  const { accountNumber, hashes } = await withTransactions(first);
  const { height } = first.session.sim;
  await first.close();

  const second = await runChain({}, folder);
  expect(second.session.sim.height).toBe(height);
  const { places, sequence } = await finished(second, hashes);
  expect(places).toEqual([expect.any(Number), height + 1]);
  expect(sequence).toBe(2n);
  const { chainId } = second.session.sim.spec;
  const next = { chainId, accountNumber, sequence: 2n };
  expect(await second.broadcast(SIGNER.send("1", next))).toMatchObject({ code: 0, log: "" });
  const again = { chainId, accountNumber, sequence: 0n };
  expect(await second.broadcast(SIGNER.send("1", again))).toMatchObject({ code: 32 });
});

test("by a build that cannot read its keyframes: it is replayed, and comes to the same", async () => {
  const folder = newFolder();
  const first = await RunningChain.open(folder, "this-build", { speed: "paused" });
  const { hashes } = await withTransactions(first);
  await first.close();
  const other = await RunningChain.open(folder, "another-build", {});
  const replayed = await finished(other, hashes);
  await other.close();
  expect(replayed.places.every((host) => host !== undefined)).toBe(true);
  expect(replayed.sequence).toBe(2n);
});

test("out of a world's file, in another folder: replayed, it has the same hashes", async () => {
  const chain = await runChain();
  const { hashes } = await withTransactions(chain);
  const { worlds } = chain.hostFor({ mayControl: true }, false).play;
  const file = await worlds.exportFile(worlds.current ?? "");
  const expected = await finished(chain, hashes);

  const other = await runChain();
  const { play } = other.hostFor({ mayControl: true }, false);
  await play.worlds.open(await play.worlds.importFile(file));
  await other.session.restored;
  other.session.player.pause();
  expect(await finished(other, hashes)).toEqual(expected);
});
