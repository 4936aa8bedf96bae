/**
 * Kills `chainlab start` again and again at random moments, while clients send signed transactions and inject faults,
 * and looks for what is gone, and for old blocks that are answered otherwise.
 */
import { setTimeout as after } from "node:timers/promises";
import { TestSigner } from "../src/view/tx/signer.testing.ts";
import type { KillResult } from "./kill-while-acting.ts";
import { OldBlocks } from "./old-blocks.ts";
import { startNode } from "./started-node.ts";

export interface KilledNodes extends KillResult {
  /** Milliseconds from each start to the last door. */
  readonly starts: readonly number[];
}

/** Above any height that is reached. */
const FAR = 500_000_000;
/** A process is killed after so many acknowledgements at most, and so much later. */
const MOST_ACKNOWLEDGED = 12;
const MOST_MS = 60;
/** Blocks per second: many come between two acknowledgements. */
const SPEED = "1000";

type Node = Awaited<ReturnType<typeof startNode>>;

/**
 * @param home an empty folder
 * @param random from 0 to below 1, for the moments
 */
export async function killNodes(
  home: string,
  kills: number,
  random: () => number,
  progress: (line: string) => void = () => {},
): Promise<KilledNodes> {
  const signer = new TestSigner("what is killed");
  /** Acknowledged transactions and faults, by the key with which each is found again. */
  const [txs, faults] = [new Set<string>(), new Set<number>()];
  const lost = new Set<string>();
  const starts: number[] = [];
  const oldBlocks = new OldBlocks(random);
  let [checked, height] = [0, FAR];
  for (let kill = 0; ; kill++) {
    const begun = performance.now();
    const node = await startNode("--home", home, "--speed", SPEED, "--quiet");
    starts.push(performance.now() - begun);
    try {
      if (kill === 0) await fund(node, signer);
      await mempoolEmptied(node);
      const changed = await oldBlocks.changed(await heightOf(node), (at) => blockAt(node, at));
      for (const one of changed) lost.add(one);
      // At the end all are looked for again.
      const from = kill === kills ? 0 : checked;
      for (const hash of [...txs].slice(from)) {
        if (!(await hasTx(node, hash))) lost.add(`transaction ${hash}`);
      }
      checked = txs.size;
      const planned = await plannedFaults(node);
      for (const one of faults) if (!planned.has(one)) lost.add(`fault at ${one}`);
      const acknowledged = txs.size + faults.size;
      progress(`${kill} kills: ${acknowledged} acknowledged, ${lost.size} lost`);
      if (kill === kills) return { kills, acknowledged, lost: [...lost], starts };

      const wanted = acknowledged + 1 + Math.floor(random() * MOST_ACKNOWLEDGED);
      let note = (): void => {};
      const isEnough = new Promise<void>((resolve) => {
        note = () => {
          if (txs.size + faults.size >= wanted) resolve();
        };
      });
      const sending = untilGone(node, async (sequence) => {
        txs.add(await sendTx(node, signer, sequence));
        note();
      });
      const planning = untilGone(node, async () => {
        height += 1;
        const at = height;
        await runStep(node, { fault: { node: "val-3", kind: "mute", at } });
        faults.add(at);
        note();
      });
      await Promise.race([isEnough, Promise.all([sending, planning])]);
      // Others are on their way when it is killed.
      await after(random() * MOST_MS);
    } finally {
      await node.end("SIGKILL");
    }
  }
}

/** Does something again and again, with the number of each time, until the node does not answer any more. */
async function untilGone({ process }: Node, act: (count: number) => Promise<void>): Promise<void> {
  let gone = false;
  process.once("exit", () => {
    gone = true;
  });
  for (let count = 0; !gone; count++) {
    try {
      await act(count);
    } catch (error) {
      if (process.exitCode === null && process.signalCode === null && !process.killed) throw error;
      return;
    }
  }
}

async function json(address: string, body?: object) {
  const headers = { "Content-Type": "application/json" };
  const posted = body && { method: "POST", headers, body: JSON.stringify(body) };
  return JSON.parse(await (await fetch(address, posted)).text());
}

async function runStep({ rest }: Node, step: object): Promise<void> {
  const { ok, message } = await json(`${rest}/lab.v1.Lab/RunStep`, { step: JSON.stringify(step) });
  if (ok !== true) throw new Error(message);
}

/** A name of the lab, which stands for its address. */
const OPERATOR = `$\{val-0}`;

const accounts = new WeakMap<Node, { accountNumber: bigint; sequence: bigint; chainId: string }>();

/** Number and sequence of an account, asked once of each process. */
async function accountOf(node: Node, { address }: TestSigner) {
  const known = accounts.get(node);
  if (known !== undefined) return known;
  const { info } = await json(`${node.rest}/cosmos/auth/v1beta1/account_info/${address}`);
  const { result } = await json(`${node.rpc}/status`);
  const account = {
    accountNumber: BigInt(info.account_number),
    sequence: BigInt(info.sequence),
    chainId: result.node_info.network,
  };
  accounts.set(node, account);
  return account;
}

/** Sends a transfer; resolves to its hash when the node has acknowledged it. */
async function sendTx(node: Node, signer: TestSigner, count: number): Promise<string> {
  const account = await accountOf(node, signer);
  const sequence = account.sequence + BigInt(count);
  const bytes = signer.send("1", { ...account, sequence });
  const { tx_response: sent } = await json(`${node.rest}/cosmos/tx/v1beta1/txs`, {
    tx_bytes: Buffer.from(bytes).toString("base64"),
    mode: "BROADCAST_MODE_SYNC",
  });
  if (sent.code !== 0) throw new Error(sent.raw_log);
  return sent.txhash;
}

/** Gives coins to the signer. */
async function fund(node: Node, { address }: TestSigner): Promise<void> {
  const { supply } = await json(`${node.rest}/cosmos/bank/v1beta1/supply`);
  const [{ denom }] = supply;
  const message = {
    "@type": "/chain.bank.v1beta1.MsgSend",
    from_address: OPERATOR,
    to_address: address,
    amount: [{ denom, amount: "1000000" }],
  };
  await runStep(node, { tx: { from: "val-0", msgs: [message] } });
}

async function heightOf({ rpc }: Node): Promise<number> {
  const { result } = await json(`${rpc}/status`);
  return Number(result.sync_info.latest_block_height);
}

/** All that RPC says of one height. */
async function blockAt({ rpc }: Node, height: number): Promise<string> {
  const answers: unknown[] = [];
  for (const method of ["block_results", "block", "commit", "validators", "header"]) {
    const { result, error } = await json(`${rpc}/${method}?height=${height}`);
    if (error !== undefined) throw new Error(`${method}: ${error.data}`);
    answers.push(result);
  }
  return JSON.stringify(answers);
}

/** Resolves when what waited for a block is in one. */
async function mempoolEmptied({ rpc }: Node): Promise<void> {
  while ((await json(`${rpc}/num_unconfirmed_txs`)).result.total !== "0") await after(1);
}

const hasTx = async ({ rest }: Node, hash: string): Promise<boolean> =>
  (await json(`${rest}/cosmos/tx/v1beta1/txs/${hash}`)).tx_response?.txhash === hash;

async function plannedFaults({ rest }: Node): Promise<ReadonlySet<number>> {
  const { faults } = await json(`${rest}/lab/v1/faults`);
  return new Set((faults as readonly { from: unknown }[]).map(({ from }) => Number(from)));
}
