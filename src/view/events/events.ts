/** Events of each new block for its subscribers (rules/clients 3.2). */

import { toHexUpper } from "../../base/bytes.ts";
import { validatorOf } from "../../engine/consensus/validator-list.ts";
import type { Event } from "../../engine/framework/events.ts";
import { decidedBlock, type ReadBlock } from "../../engine/simulation/decided-blocks.ts";
import type { Simulation } from "../../engine/simulation/simulation.ts";
import type { BlockView, TxView } from "../../engine/simulation/views.ts";
import { toBase64 } from "../base64.ts";
import type { Json } from "../json.ts";
import type { EventMap } from "./event-query.ts";
import {
  blockIdForm,
  eventsForm,
  evidenceForm,
  foundBlock,
  headerForm,
  type JsonObject,
  txResultForm,
  txResultForms,
  updateForm,
  validatorForm,
} from "./forms.ts";

export interface ChainEvent {
  /** Its name in `tm.event`. */
  readonly name: string;
  /** Attributes that queries match. */
  readonly events: EventMap;
  /** The event's data for subscribers; computed on demand. */
  value(): JsonObject;
}

/** The events of a committed block, in CometBFT's order; none if there is no such block. */
export function eventsOfBlock(sim: Simulation, height: number): readonly ChainEvent[] {
  const block = decidedBlock(sim, height);
  const results = sim.block(height);
  if (block === undefined || results === undefined) return [];
  const { header } = block;
  const finalized = eventMap(results.events);
  const updates = sim.network.ledger.updatesOf(height);
  const plain = (name: string, value: () => JsonObject): ChainEvent => ({
    name,
    events: { "tm.event": [name] },
    value,
  });
  return [
    {
      ...plain("NewBlock", () => newBlock(sim, block, results)),
      events: { ...finalized, "tm.event": ["NewBlock"] },
    },
    plain("NewBlockHeader", () => ({ header: headerForm(header) })),
    {
      ...plain("NewBlockEvents", () => ({
        height: `${height}`,
        events: eventsForm(results.events),
        num_txs: `${block.txs.length}`,
      })),
      events: { ...finalized, "tm.event": ["NewBlockEvents"] },
    },
    ...block.evidence.map((evidence) =>
      plain("NewEvidence", () => ({ height: `${height}`, evidence: evidenceForm(evidence) })),
    ),
    ...results.txs.map((tx, index) => txEvent(tx, index, block.txs[index] ?? new Uint8Array())),
    ...(updates.length === 0
      ? []
      : [
          plain("ValidatorSetUpdates", () => ({
            validator_updates: updates.map(({ pubKey, power }) =>
              validatorForm(validatorOf(pubKey, power), 0),
            ),
          })),
        ]),
  ];
}

function newBlock(sim: Simulation, block: ReadBlock, results: BlockView): JsonObject {
  return {
    ...foundBlock(block),
    block_id: blockIdForm(block.id),
    result_finalize_block: {
      events: eventsForm(results.events),
      tx_results: txResultForms(results.txs, block.txs),
      validator_updates: sim.network.ledger.updatesOf(results.height).map(updateForm),
      consensus_param_updates: null,
      app_hash: toBase64(results.appHash),
    },
  };
}

function txEvent(tx: TxView, index: number, bytes: Uint8Array): ChainEvent {
  return {
    name: "Tx",
    events: { ...txEvents(tx), "tm.event": ["Tx"] },
    value: () => ({
      TxResult: withoutZeros({
        height: `${tx.height}`,
        index,
        tx: toBase64(bytes),
        result: withoutZeros(txResultForm(tx, bytes)),
      }),
    }),
  };
}

/** Attributes that queries of transactions match. */
export const txEvents = (tx: TxView): EventMap => ({
  ...eventMap(tx.events),
  "tx.hash": [toHexUpper(tx.hash)],
  "tx.height": [`${tx.height}`],
});

/** Every value of `type.key`, in order. */
export function eventMap(events: readonly Event[]): EventMap {
  const values = new Map<string, string[]>();
  for (const { type, attributes } of events) {
    for (const { key, value } of attributes) {
      if (key === "") continue;
      const name = `${type}.${key}`;
      const known = values.get(name);
      if (known === undefined) values.set(name, [value]);
      else known.push(value);
    }
  }
  return Object.fromEntries(values);
}

/** Removes the zero values that Go's protobuf omits from an event's value. */
const withoutZeros = (fields: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => !isZero(value)));

const isZero = (value: Json | undefined): boolean =>
  value === 0 ||
  value === "" ||
  value === "0" ||
  value === null ||
  value === undefined ||
  (Array.isArray(value) && value.length === 0);
