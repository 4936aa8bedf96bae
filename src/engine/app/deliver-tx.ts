import type { DescMessage } from "@bufbuild/protobuf";
import type { Any } from "@bufbuild/protobuf/wkt";
import { accAddress, fromAccAddress } from "../../base/bech32.ts";
import { EMPTY, equal } from "../../base/bytes.ts";
import { NamedTxSchema, TxMsgDataSchema } from "../../gen/chain/tx/v1beta1/named_tx_pb.ts";
import { decodeMessage, encodeMessage, packAny, underRootOf } from "../framework/codec.ts";
import { type Context, stepNoter } from "../framework/context.ts";
import { ChainError, errorText, PANIC_CODE, sdkErrors } from "../framework/errors.ts";
import { type Event, event, withAttribute } from "../framework/events.ts";
import { ServiceRouter, signerAddress, signerOf } from "../framework/router.ts";

/** Result of one transaction. `data` contains the TxMsgData bytes covered by last_results_hash. */
export interface TxResult {
  readonly code: number;
  readonly codespace: string;
  readonly log: string;
  readonly data: Uint8Array;
  readonly events: readonly Event[];
  readonly responses: readonly Any[];
}

/** Steps about a failed transaction. */
export interface AppSteps {
  transaction: { readonly error: string };
}

const note = stepNoter<AppSteps>("app");

/** A transaction of the lab: treated as signed by the account named `signer`. */
export interface NamedTx {
  readonly messages: readonly Any[];
  readonly memo: string;
  readonly signer: string;
  /** From 1 on, so that all transactions of a world have different bytes. */
  readonly sequence: bigint;
}

/** `ModeInfo` of one signer in SIGN_MODE_UNSPECIFIED. */
const NO_MODE = Uint8Array.of(0x0a, 0);

/**
 * Encodes a transaction of the lab for a block: a TxRaw with one empty signature (rules/clients
 * 6.5).
 */
export const encodeTx = ({
  messages,
  memo = "",
  signer,
  sequence = 1n,
}: Partial<NamedTx> & Pick<NamedTx, "messages" | "signer">): Uint8Array =>
  encodeMessage(NamedTxSchema, {
    body: { messages: [...messages], memo },
    auth: { signer: { modeInfo: NO_MODE, sequence }, fee: { payer: signer } },
    signatures: [EMPTY],
  });

/** Contents of a transaction: its messages, and the signer of the first. */
export interface ReadTx {
  readonly messages: readonly Any[];
  readonly signer: Uint8Array;
}

/** Handles signed transactions of blocks (`signed-tx.ts`). */
interface SignedTxs {
  deliver(ctx: Context, router: ServiceRouter, bytes: Uint8Array): TxResult;
  read(bytes: Uint8Array): ReadTx;
}

const none = (): never => {
  throw new TypeError("signed tx");
};

let signedTxs: SignedTxs = { deliver: none, read: none };

/** Enables signed transactions in blocks; the code for them is loaded after the first block. */
export const acceptSigned = (accepting: SignedTxs): void => {
  signedTxs = accepting;
};

/** Decodes a transaction of the lab; undefined for any other bytes. */
export function namedTx(bytes: Uint8Array): NamedTx | undefined {
  try {
    const { body, auth, signatures } = decodeMessage(NamedTxSchema, bytes);
    const [signature, ...others] = signatures;
    if (signature?.length !== 0 || others.length > 0) return undefined;
    const { publicKey = NO_MODE, modeInfo = EMPTY, sequence = 0n } = auth?.signer ?? {};
    const signer = auth?.fee?.payer ?? "";
    if (publicKey.length > 0 || !equal(modeInfo, NO_MODE) || signer === "") return undefined;
    return { messages: body?.messages ?? [], memo: body?.memo ?? "", signer, sequence };
  } catch {
    return undefined;
  }
}

/** Reads a transaction of either kind. Throws if the bytes are not one. */
export function readTx(bytes: Uint8Array): ReadTx {
  const named = namedTx(bytes);
  if (named === undefined) return signedTxs.read(bytes);
  return { messages: named.messages, signer: fromAccAddress(named.signer) };
}

/**
 * Runs a transaction's messages in order, all or none (rules/consensus 8.4, 8.5). Never throws: an
 * error becomes the result, a panic is recovered as code 111222; both revert its writes.
 */
export function deliverTx(ctx: Context, router: ServiceRouter, bytes: Uint8Array): TxResult {
  const named = namedTx(bytes);
  if (named === undefined) return signedTxs.deliver(ctx, router, bytes);
  return runMessages(ctx, router, named.messages, () => [fromAccAddress(named.signer)]);
}

/**
 * Runs messages in order, all or none, on behalf of the signers. Never throws, like `deliverTx`.
 */
export function runMessages(
  ctx: Context,
  router: ServiceRouter,
  messages: readonly Any[],
  signedBy: () => readonly Uint8Array[],
): TxResult {
  try {
    const signers = signedBy();
    const { value: responses, events } = ctx.captureEvents(() =>
      ctx.atomically(() =>
        messages.map((any, index) => runMessage(ctx, router, any, index, signers)),
      ),
    );
    return {
      code: 0,
      codespace: "",
      log: "",
      data: encodeMessage(TxMsgDataSchema, { msgResponses: responses }),
      events,
      responses,
    };
  } catch (error) {
    return refused(ctx, error);
  }
}

/** Result of a transaction that failed with an error. */
export function refused(ctx: Context, error: unknown): TxResult {
  const failed = { data: new Uint8Array(), events: [], responses: [] };
  if (error instanceof ChainError) {
    note(ctx, "transaction", { error: error.message }, "refused");
    return { code: error.code, codespace: error.codespace, log: error.message, ...failed };
  }
  // Upstream's log continues with Go's stack trace, which does not exist here.
  const log = `recovered: ${errorText(error)}\nstack:\n: panic`;
  note(ctx, "transaction", { error: log }, "refused");
  return { code: PANIC_CODE, codespace: "undefined", log, ...failed };
}

function runMessage(
  ctx: Context,
  router: ServiceRouter,
  any: Any,
  index: number,
  signers: readonly Uint8Array[],
): Any {
  const route = router.message(any.typeUrl);
  if (route === undefined) {
    throw sdkErrors.unknownRequest.wrap(`no message handler found for ${any.typeUrl}`);
  }
  const message = ServiceRouter.decode(route, any);
  const sender = signerOf(route.input, message);
  const account = accountIn(route.input, sender);
  // Text that is not an address is refused by the first check of the message's handler.
  const signer = account && signers.find((one) => equal(one, account));
  if (account !== undefined && signer === undefined) {
    throw sdkErrors.unauthorized.wrap(`${sender} did not sign the transaction`);
  }
  try {
    const { value, events } = ctx.captureEvents(() => route.invoke(ctx, message));
    for (const e of decorate(
      ctx,
      events,
      any.typeUrl,
      accAddress(signer ?? signers[0] ?? EMPTY),
      route.module,
      index,
    )) {
      ctx.env.trace.events.push(e);
    }
    const packed = packAny(route.output, value);
    return { ...packed, typeUrl: underRootOf(any.typeUrl, packed.typeUrl) };
  } catch (error) {
    if (!(error instanceof ChainError)) throw error;
    throw new ChainError(
      error.codespace,
      error.code,
      `failed to execute message; message index: ${index}: ${error.message}`,
    );
  }
}

/** Prepends the message event to a message's own events, unless the message emitted one itself. */
function decorate(
  ctx: Context,
  events: readonly Event[],
  action: string,
  sender: string,
  module: string,
  index: number,
): readonly Event[] {
  const own = events.some(
    (e) => e.type === "message" && e.attributes.some((a) => a.key === "action"),
  );
  const all = own
    ? events
    : [event("message", ["action", action], ["sender", sender], ["module", module]), ...events];
  return ctx.profile.messageAction === "type-url"
    ? withAttribute(all, "msg_index", String(index))
    : all;
}

function accountIn(desc: DescMessage, text: string): Uint8Array | undefined {
  try {
    return signerAddress(desc, text);
  } catch (error) {
    if (error instanceof ChainError) return undefined;
    throw error;
  }
}
