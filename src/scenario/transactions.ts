/** Sends transactions and waits for them, for the verbs tx, propose, vote, pass and upgrade. */
import { create, type DescMessage, type MessageShape, toBinary } from "@bufbuild/protobuf";
import { type Any, AnySchema } from "@bufbuild/protobuf/wkt";
import { renameTypes } from "../api/namespaces.ts";
import { blockPlace } from "../engine/app/app.ts";
import { deliverTx, encodeTx } from "../engine/app/deliver-tx.ts";
import { inCosmos, unpackAny } from "../engine/framework/codec.ts";
import { accAddress } from "../engine/primitives/bech32.ts";
import { toHexUpper } from "../engine/primitives/bytes.ts";
import type { TxView } from "../engine/simulation/views.ts";
import { makeBlocksUntil } from "./rounds.ts";
import { type StepContext, StepError } from "./step-context.ts";

export interface Sending {
  readonly from: string;
  readonly messages: readonly Any[];
  readonly memo?: string;
}

/** Queues a transaction, under upstream's names where those are served (rules/clients 6.5); returns its hash. */
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

/** Runs until all these transactions, which were just queued, are in committed blocks. */
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

/**
 * The error with which a transaction would fail in the next block, if that began with the newest state; undefined
 * if it would succeed. Changes nothing.
 */
export const errorOf = (context: StepContext, sending: Sending): string | undefined =>
  trial(context, sending)?.error;

/** The error, or the responses that the transaction would bring. Throws a CommandError for a signer that is no account. */
export function trial(
  { sim }: StepContext,
  { from, messages }: Sending,
): { readonly error: string | undefined; readonly responses: readonly Any[] } {
  const signer = sim.world.addressOf(from);
  sim.touch({ type: "tx", signer: from, messages });
  const bytes = encodeTx({ messages, signer: accAddress(signer) });
  const place = blockPlace(sim.spec.chainId, sim.height + 1, sim.nextTime);
  const { code, log, responses } = sim.read(({ record }, app) =>
    deliverTx(app.contextOf(sim.state(), place, record), app.router, bytes),
  );
  return { error: code === 0 ? undefined : log.replace(ONLY_MESSAGE, ""), responses };
}

const ONLY_MESSAGE = /^failed to execute message; message index: 0: /;

export const pack = <D extends DescMessage>(schema: D, message: MessageShape<D>): Any =>
  create(AnySchema, { typeUrl: `/${schema.typeName}`, value: toBinary(schema, message) });

/** The first response of this type. */
export function responseOf<D extends DescMessage>(schema: D, tx: TxView): MessageShape<D> {
  for (const any of tx.responses) {
    const response = unpackAny(schema, any);
    if (response !== undefined) return response;
  }
  throw new StepError(`the transaction brought no ${schema.name}`);
}
