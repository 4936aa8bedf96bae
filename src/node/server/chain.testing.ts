import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { accAddress } from "../../base/bech32.ts";
import { packInit } from "../../engine/framework/codec.ts";
import { accountOf } from "../../engine/modules/bank/account-records.ts";
import { MsgSendSchema } from "../../gen/chain/bank/v1beta1/tx_pb.ts";
import { type ChainSettings, RunningChain } from "./chain.ts";

/** A new folder, which is removed after the test. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "chainlab-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A chain that runs until the end of the test. Steps of a paused one run at full speed. */
export async function runChain(
  begin: ChainSettings = { speed: "paused" },
  folder = newFolder(),
): Promise<RunningChain> {
  const chain = await RunningChain.open(folder, "this-build", begin);
  if (begin.speed === "paused") chain.session.player.pace.speed = 0;
  onTestFinished(() => chain.close());
  return chain;
}

/** Timeout for the next block, in ms. */
const TIMEOUT_MS = 30_000;

/** The value of a promise. Rejects with the description after a timeout. */
export function inTime<T>(promise: Promise<T>, words: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`it does not come: ${words}`)), TIMEOUT_MS);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** Resolves when a chain has reached a height. */
export const reached = (chain: RunningChain, height: number): Promise<void> =>
  new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    const done = (): void => {
      clearTimeout(timer);
      const { height: newest } = chain.session.sim;
      if (newest < height) {
        timer = setTimeout(() => {
          end();
          reject(new Error(`height ${height} does not come: the chain stands at ${newest}`));
        }, TIMEOUT_MS);
        return;
      }
      end();
      resolve();
    };
    const end = chain.onBlocks(done);
    done();
  });

/** Sends coins to an account, and resolves to its number once a block contains the transfer. */
export async function fund(
  chain: RunningChain,
  account: Uint8Array,
  amount = "1000000",
): Promise<bigint> {
  const { sim } = chain.session;
  const signer = sim.spec.accounts[0]?.name ?? "val-0";
  const message = packInit(MsgSendSchema, {
    fromAddress: accAddress(sim.account(signer) ?? new Uint8Array()),
    toAddress: accAddress(account),
    amount: [{ denom: "stake", amount }],
  });
  sim.apply({ type: "tx", signer, messages: [message] });
  await makeBlocks(chain, 2);
  return sim.read((ctx) => accountOf(ctx, account))?.number ?? -1n;
}

/** Makes blocks on a paused chain. */
export async function makeBlocks(chain: RunningChain, count: number): Promise<void> {
  const height = chain.session.sim.height + count;
  chain.session.player.stepBlocks(count);
  chain.session.player.changed();
  await reached(chain, height);
}
