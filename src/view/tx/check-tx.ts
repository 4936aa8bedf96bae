/** Checks of a signed transaction on receipt (rules/clients 6.3), before it enters the mempool. */
import { create, toBinary } from "@bufbuild/protobuf";
import { type ReflectMessage, reflect } from "@bufbuild/protobuf/reflect";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { ripemd160 } from "@noble/hashes/legacy.js";
import { equal, toHexUpper } from "../../base/bytes.ts";
import { feesAt } from "../../base/gas-prices.ts";
import { TX } from "../../base/limits.ts";
import { sha256 } from "../../base/sha256.ts";
import type { App } from "../../engine/app/app.ts";
import { namedTx } from "../../engine/app/deliver-tx.ts";
import {
  admit,
  readSigned,
  type SignedTx,
  type Signer,
  signersOf,
  txErrors,
  unpackKey,
} from "../../engine/app/signed-tx.ts";
import { coinsFromMessages, formatCoins, isAllGte } from "../../engine/framework/coins.ts";
import type { Context } from "../../engine/framework/context.ts";
import { ChainError, sdkErrors } from "../../engine/framework/errors.ts";
import type { Simulation } from "../../engine/simulation/simulation.ts";
import { SignMode } from "../../gen/chain/tx/signing/v1beta1/signing_pb.ts";
import {
  AuthInfoSchema,
  SignDocSchema,
  type SignerInfo,
  TxBodySchema,
  TxRawSchema,
} from "../../gen/chain/tx/v1beta1/tx_pb.ts";
import { aminoSignBytes } from "./amino.ts";

/** The result of CheckTx. */
export interface CheckedTx {
  /** 0 if it is pending for a block. */
  readonly code: number;
  readonly codespace: string;
  readonly log: string;
  readonly gasWanted: bigint;
  /** SHA-256 of its bytes, in upper-case hex. */
  readonly hash: string;
}

/** @param minGasPrices e.g. `0.025stake`, the minimum gas price; none if absent */
export interface CheckOptions {
  readonly minGasPrices?: string;
}

/** Checks a transaction against the newest state and the pending ones. Throws nothing. */
export function checkTx(sim: Simulation, bytes: Uint8Array, options: CheckOptions = {}): CheckedTx {
  const hash = toHexUpper(sha256(bytes));
  let gasWanted = 0n;
  try {
    if (bytes.length > TX.bytes) throw txErrors.tooLarge.bare();
    if (waitingIn(sim).some((waiting) => equal(waiting, bytes))) throw txErrors.known.bare();
    if (waitingIn(sim).length >= TX.waiting) throw txErrors.full.bare();
    const tx = strictly(bytes);
    gasWanted = tx.auth.fee?.gasLimit ?? 0n;
    sim.read((ctx, app) => {
      const signers = admitTx(ctx, app, tx, waitingIn(sim), options);
      signers.forEach((signer, i) => {
        verify(ctx.chainId, tx, signer, i);
      });
    });
    return { code: 0, codespace: "", log: "", gasWanted, hash };
  } catch (error) {
    if (!(error instanceof ChainError)) throw error;
    const { code, codespace, message } = error;
    return { code, codespace, log: message, gasWanted, hash };
  }
}

/** Parses a transaction. Throws sdk 2 also for unknown fields (rules/clients 6.3). */
export function strictly(bytes: Uint8Array): SignedTx {
  if (bytes.length === 0) throw txErrors.parse.wrap("tx bytes are empty");
  const tx = readSigned(bytes);
  const { raw, body, auth } = tx;
  const parts = [
    reflect(TxRawSchema, raw),
    reflect(TxBodySchema, body),
    reflect(AuthInfoSchema, auth),
  ];
  if (parts.some(hasUnknown)) throw txErrors.parse.wrap("unknown field");
  return tx;
}

/** Returns true for a message with unknown fields, at any depth. */
const hasUnknown = (part: ReflectMessage): boolean =>
  (part.getUnknown() ?? []).length > 0 ||
  part.fields.some((field) => {
    if (field.fieldKind === "message") return part.isSet(field) && hasUnknown(part.get(field));
    if (field.fieldKind !== "list" || field.listKind !== "message") return false;
    return Array.from(part.get(field)).some((item) => hasUnknown(item as ReflectMessage));
  });

/**
 * The signers of a transaction that passes all checks except those of signatures. Throws a
 * ChainError.
 */
export function admitTx(
  ctx: Context,
  app: App,
  tx: SignedTx,
  waiting: readonly Uint8Array[],
  { minGasPrices = "" }: CheckOptions,
): readonly Signer[] {
  const { body, auth, messages } = tx;
  if (messages.length === 0) {
    throw sdkErrors.invalidRequest.wrap("must contain at least one message");
  }
  messages.forEach(({ typeUrl }, i) => {
    if (app.router.message(typeUrl) !== undefined) return;
    throw txErrors.parse.wrap(`unable to resolve type URL ${body.messages[i]?.typeUrl}`);
  });
  if (body.extensionOptions.length > 0) throw txErrors.extension.bare();
  if (body.unordered) throw sdkErrors.invalidRequest.wrap("unordered transactions are not enabled");
  if (body.memo.length > TX.memo) {
    const found = `maximum number of characters is ${TX.memo} but received ${body.memo.length} characters`;
    throw txErrors.memo.wrap(found);
  }
  checkFee(auth.fee, minGasPrices);
  return admit(ctx, tx, ({ address, account }) => account.sequence + sentBy(address, waiting));
}

export const waitingIn = (sim: Simulation): readonly Uint8Array[] => sim.network.mempool.txs;

/** Number of an account's pending transactions. */
function sentBy(address: Uint8Array, waiting: readonly Uint8Array[]): bigint {
  const own = waiting.filter((bytes) => signersOfWaiting(bytes).some((one) => equal(one, address)));
  return BigInt(own.length);
}

const known = new WeakMap<Uint8Array, readonly Uint8Array[]>();

/** Signers of a pending transaction; empty for the lab's own. */
function signersOfWaiting(bytes: Uint8Array): readonly Uint8Array[] {
  const read = known.get(bytes) ?? (namedTx(bytes) ? [] : signersOf(readSigned(bytes).messages));
  known.set(bytes, read);
  return read;
}

function checkFee(fee: SignedTx["auth"]["fee"], minGasPrices: string): void {
  const gas = fee?.gasLimit ?? 0n;
  const required = feesAt(minGasPrices, gas);
  if (required.length === 0) return;
  const got = coinsFromMessages(fee?.amount ?? []);
  if (required.some((coin) => isAllGte(got, [coin]))) return;
  throw txErrors.fee.wrap(
    `insufficient fees; got: ${formatCoins(got)} required: ${formatCoins(required)}`,
  );
}

/** Checks the signature of one signer. Throws sdk 8 or sdk 4. */
function verify(chainId: string, tx: SignedTx, { address, account }: Signer, index: number): void {
  const info = tx.auth.signerInfos[index] as SignerInfo;
  const input = unpackKey(info.publicKey);
  const key = input ?? account.pubKey;
  if (key.length === 0) throw txErrors.pubKey.wrap("pubkey on account is not set");
  if (!equal(addressOfKey(key), address)) {
    throw txErrors.pubKey.wrap(`pubKey does not match signer address with signer index: ${index}`);
  }
  const { sequence } = info;
  const bytes = signBytes(chainId, tx, info, account.number);
  const signature = tx.raw.signatures[index] as Uint8Array;
  if (bytes !== undefined && isSignature(signature, bytes, key)) return;
  throw sdkErrors.unauthorized.wrap(
    `signature verification failed; please verify account number (${account.number}), sequence (${sequence}) and chain-id (${chainId})`,
  );
}

/** The account of a secp256k1 key: RIPEMD-160 of its SHA-256. */
export const addressOfKey = (key: Uint8Array): Uint8Array => ripemd160(sha256(key));

function isSignature(signature: Uint8Array, bytes: Uint8Array, key: Uint8Array): boolean {
  try {
    return secp256k1.verify(signature, sha256(bytes), key, { prehash: false, lowS: true });
  } catch {
    // An invalid key or signature.
    return false;
  }
}

/** Sign bytes of a signer; undefined for an unknown mode. */
function signBytes(
  chainId: string,
  { raw, body, auth }: SignedTx,
  { modeInfo, sequence }: SignerInfo,
  accountNumber: bigint,
): Uint8Array | undefined {
  const mode = modeInfo?.sum.case === "single" ? modeInfo.sum.value.mode : undefined;
  if (mode === SignMode.DIRECT) {
    const { bodyBytes, authInfoBytes } = raw;
    const doc = { bodyBytes, authInfoBytes, chainId, accountNumber };
    return toBinary(SignDocSchema, create(SignDocSchema, doc));
  }
  if (mode !== SignMode.LEGACY_AMINO_JSON) return undefined;
  return aminoSignBytes({ body, fee: auth.fee, chainId, accountNumber, sequence });
}
