import { Bitset } from "../../consensus/bitset.ts";
import { hasTwoThirds } from "../../consensus/quorum.ts";
import { toHex } from "../../primitives/bytes.ts";
import type { Ledger } from "../chain/ledger.ts";
import type { Node } from "../node/node.ts";

/**
 * Parts of a cut network that could decide a block by themselves, besides the one that the chain goes on
 * with: machines that run, stand on the last block that their part has heard of, and agree on
 * its state, with more than two thirds of the power.
 * @param own the part that the chain goes on with
 * @param heardIn the chain as far as a part has heard of it
 */
export function rivalParts(
  nodes: readonly Node[],
  own: number | undefined,
  heardIn: (partition: number) => Ledger,
): readonly number[] {
  const parts = new Set(nodes.map(({ partition }) => partition));
  return [...parts].filter((partition) => {
    if (partition === own) return false;
    const there = nodes.filter((node) => node.partition === partition);
    return couldDecide(there, heardIn(partition));
  });
}

function couldDecide(nodes: readonly Node[], { decided, committed, voting }: Ledger): boolean {
  if (decided !== committed) return false;
  const { list, totalPower } = voting;
  const agreeing = new Map<string, Bitset>();
  for (const { process, applied, consensusAddress } of nodes) {
    const index = list.indexOf(consensusAddress);
    if (process !== "running" || applied.height !== decided || index < 0) continue;
    const state = `${toHex(applied.appHash)}|${toHex(applied.resultsHash)}`;
    const signers = agreeing.get(state) ?? new Bitset(list.size);
    signers.set(index);
    agreeing.set(state, signers);
  }
  return [...agreeing.values()].some((who) => hasTwoThirds(who.weigh(list.powers), totalPower));
}
