import { toHex } from "../../../base/bytes.ts";
import { Bitset } from "../../consensus/bitset.ts";
import { hasTwoThirds } from "../../consensus/quorum.ts";
import type { Ledger } from "../chain/ledger.ts";
import type { Node } from "../node/node.ts";

/**
 * Returns the partitions, besides the main chain's, that could decide a block by themselves: nodes
 * that are running, have applied the latest block delivered to them and agree on its state have
 * more than two thirds of the power there.
 * @param own partition of the main chain
 * @param ledgerIn returns the main chain up to the last block delivered to a partition
 */
export function competingPartitions(
  nodes: readonly Node[],
  own: number | undefined,
  ledgerIn: (partition: number) => Ledger,
): readonly number[] {
  const partitions = new Set(nodes.map(({ partition }) => partition));
  return [...partitions].filter((partition) => {
    if (partition === own) return false;
    const members = nodes.filter((node) => node.partition === partition);
    return couldDecide(members, ledgerIn(partition));
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
  return [...agreeing.values()].some((signers) =>
    hasTwoThirds(signers.weigh(list.powers), totalPower),
  );
}
