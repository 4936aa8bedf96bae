/** Sends transactions and waits for them, for the verbs tx, propose, vote, pass and upgrade. */
import { create, type DescMessage, type MessageShape, toBinary } from "@bufbuild/protobuf";
import { type Any, AnySchema } from "@bufbuild/protobuf/wkt";
import { toHexUpper } from "../base/bytes.ts";
import { inCosmos, unpackAny } from "../engine/framework/codec.ts";
import type { TxView } from "../engine/simulation/views.ts";
import { renameTypes } from "../view/namespaces.ts";
import { makeBlocksUntil } from "./rounds.ts";
import { type StepContext, StepError } from "./step-context.ts";

export interface Sending {
  readonly from: string;
  readonly messages: readonly Any[];
  readonly memo?: string;
}

/**
 * Queues a transaction, under upstream's names if they are served (rules/clients 6.5); returns its
 * hash.
 */
export function queue(
  { sim, namespace = "chain" }: StepContext,
  { from, messages, memo }: Sending,
): Uint8Array {
  const { txHash } = sim.apply({
    type: "tx",
    signer: from,
    messages:
      namespace === "chain"
        ? messages
        : messages.map((any) => renameTypes(AnySchema, any, inCosmos)),
    ...(memo === undefined ? {} : { memo }),
  });
  if (!txHash) throw new StepError("the transaction was not accepted");
  return txHash;
}

/** Runs until all of these newly queued transactions are in committed blocks. */
export function* included(
  context: StepContext,
  hashes: readonly Uint8Array[],
): Generator<void, readonly TxView[]> {
  const { height } = context.sim;
  const found = () => hashes.flatMap((hash) => context.sim.tx(hash, height) ?? []);
  yield* makeBlocksUntil(context, () => found().length === hashes.length);
  return found();
}

/** Sends one transaction, waits for it, and throws a StepError with its log if it failed. */
export function* succeed(context: StepContext, sending: Sending): Generator<void, TxView> {
  const [tx] = yield* included(context, [queue(context, sending)]);
  return successful(tx as TxView, sending.from);
}

export function successful(tx: TxView, from: string): TxView {
  if (tx.code === 0) return tx;
  throw new StepError(
    `the transaction of ${from} failed with code ${tx.code} of codespace ${tx.codespace}: ${tx.log}`,
    "",
    toHexUpper(tx.hash),
  );
}

export const pack = <D extends DescMessage>(schema: D, message: MessageShape<D>): Any =>
  create(AnySchema, { typeUrl: `/${schema.typeName}`, value: toBinary(schema, message) });

/** The first response of this type. */
export function responseOf<D extends DescMessage>(schema: D, tx: TxView): MessageShape<D> {
  for (const any of tx.responses) {
    const response = unpackAny(schema, any);
    if (response !== undefined) return response;
  }
  throw new StepError(`the transaction has no ${schema.name}`);
}
