/** Blocks and events of a chain as tables. */
import { accAddress } from "../../../base/bech32.ts";
import { toHex, toHexUpper } from "../../../base/bytes.ts";
import { csvRow } from "../../../base/csv.ts";
import { formatRfc3339 } from "../../../base/time.ts";
import type { Simulation } from "../../../engine/simulation/simulation.ts";
import type { BlockView } from "../../../engine/simulation/views.ts";

/** A table with some rows per block. */
export interface ChainTable {
  readonly columns: readonly string[];
  rows(sim: Simulation, block: BlockView): Iterable<readonly (number | string)[]>;
}

const BLOCKS: ChainTable = {
  columns: [
    ...["height", "time", "interval_seconds", "round", "proposer", "hash", "app_hash", "binary"],
    ...["transactions", "failed_transactions", "events", "evidence"],
    ...["total_power", "signed_power", "absent"],
  ],
  *rows(sim, block) {
    const { height, time, round, hash, appHash, binary, txs, events } = block;
    const before = sim.timeAt(height - 1) ?? time;
    const { list, absent } = sim.signersOf(height) ?? { list: sim.votingList, absent: [] };
    const missed = absent.reduce((sum, i) => sum + (list.powers[i] ?? 0), 0);
    const nameOf = namesIn(sim);
    yield [
      ...[height, formatRfc3339(time), Number(time - before) / 1e9, round],
      ...[nameOf(block.proposer), toHexUpper(hash), toHexUpper(appHash), binary],
      ...[txs.length, txs.filter(({ code }) => code !== 0).length],
      txs.reduce((sum, tx) => sum + tx.events.length, events.length),
      ...[block.evidence.length, list.totalPower, list.totalPower - missed],
      block.absent.map(nameOf).join(" "),
    ];
  },
};

const EVENTS: ChainTable = {
  columns: ["height", "time", "tx", "tx_hash", "signer", "code", "event", "type", "key", "value"],
  *rows(_, { height, time, txs, events }) {
    const at = formatRfc3339(time);
    let event = 0;
    const from = function* (some: BlockView["events"], ...where: readonly (number | string)[]) {
      for (const { type, attributes } of some) {
        // An event without attributes has a row too.
        const all = attributes.length > 0 ? attributes : [{ key: "", value: "" }];
        for (const { key, value } of all) yield [height, at, ...where, event, type, key, value];
        event += 1;
      }
    };
    yield* from(events, "", "", "", "");
    for (const [i, { hash, signer, code, events: own }] of txs.entries()) {
      yield* from(own, i, toHexUpper(hash), accAddress(signer), code);
    }
  },
};

export const CHAIN_TABLES = { blocks: BLOCKS, events: EVENTS } as const;

/** The first line of a table. */
export const headOf = ({ columns }: ChainTable): string => csvRow(columns);

/** The rows of a committed block; empty if there is none. */
export function rowsOf(table: ChainTable, sim: Simulation, height: number): string {
  const block = sim.block(height);
  return block === undefined ? "" : [...table.rows(sim, block)].map(csvRow).join("");
}

/** Resolves a consensus address to a validator's name, or to hex. */
function namesIn(sim: Simulation): (address: Uint8Array) => string {
  const names = new Map(
    sim.nodes().map(({ consensusAddress, validator }) => [toHex(consensusAddress), validator]),
  );
  return (address) => names.get(toHex(address)) ?? toHexUpper(address);
}
