/**
 * Signed transactions in blocks (rules/clients 6.2). Signatures are checked when transactions are
 * received; a block checks what depends on the state. A chain without signed transactions needs
 * none of this, so it is loaded separately from the engine.
 */
import type { DescMessage } from "@bufbuild/protobuf";
import type { Any } from "@bufbuild/protobuf/wkt";
import { accAddress } from "../../base/bech32.ts";
import { compare, EMPTY } from "../../base/bytes.ts";
import { Msg as Bank } from "../../gen/chain/bank/v1beta1/tx_pb.ts";
import { Msg as Evidence } from "../../gen/chain/evidence/v1beta1/tx_pb.ts";
import { Msg as Gov } from "../../gen/chain/gov/v1/tx_pb.ts";
import { Msg as LegacyGov } from "../../gen/chain/gov/v1beta1/tx_pb.ts";
import { Msg as Slashing } from "../../gen/chain/slashing/v1beta1/tx_pb.ts";
import { Msg as Staking } from "../../gen/chain/staking/v1beta1/tx_pb.ts";
import {
  type AuthInfo,
  AuthInfoSchema,
  type TxBody,
  TxBodySchema,
  type TxRaw,
  TxRawSchema,
} from "../../gen/chain/tx/v1beta1/tx_pb.ts";
import { Msg as Upgrade } from "../../gen/chain/upgrade/v1beta1/tx_pb.ts";
import { decodeErrorText, decodeMessage, inChain, typeUrl } from "../framework/codec.ts";
import type { Context } from "../framework/context.ts";
import { ChainError, registerError, sdkErrors } from "../framework/errors.ts";
import { type ServiceRouter, signerAddress, signerOf } from "../framework/router.ts";
import { type Account, accountOf, setAccount } from "../modules/bank/account-records.ts";
import { acceptSigned, refused, runMessages, type TxResult } from "./deliver-tx.ts";

/** Root errors of signed transactions. */
export const txErrors = {
  parse: registerError("sdk", 2, "tx parse error"),
  pubKey: registerError("sdk", 8, "invalid pubkey"),
  memo: registerError("sdk", 12, "memo too large"),
  fee: registerError("sdk", 13, "insufficient fee"),
  noSignatures: registerError("sdk", 15, "no signatures supplied"),
  known: registerError("sdk", 19, "tx already in mempool"),
  full: registerError("sdk", 20, "mempool is full"),
  tooLarge: registerError("sdk", 21, "tx too large"),
  timeout: registerError("sdk", 30, "tx timeout height"),
  extension: registerError("sdk", 31, "unknown extension options"),
} as const;

/** A signed transaction, with its messages under the signed type URLs. */
export interface SignedTx {
  readonly raw: TxRaw;
  readonly body: TxBody;
  readonly auth: AuthInfo;
  readonly messages: readonly Any[];
}

/** Reads a signed transaction. Throws sdk 2 if the bytes are not one. */
export function readSigned(bytes: Uint8Array): SignedTx {
  try {
    const raw = decodeMessage(TxRawSchema, bytes);
    const body = decodeMessage(TxBodySchema, raw.bodyBytes);
    const auth = decodeMessage(AuthInfoSchema, raw.authInfoBytes);
    return { raw, body, auth, messages: body.messages };
  } catch (error) {
    throw txErrors.parse.wrap(decodeErrorText(error));
  }
}

/** A required signer, and its account. */
export interface Signer {
  readonly address: Uint8Array;
  readonly account: Account;
}

/** Messages of all modules by type URL. */
const MESSAGES: ReadonlyMap<string, DescMessage> = new Map(
  [Bank, Evidence, Gov, LegacyGov, Slashing, Staking, Upgrade]
    .flatMap(({ methods }) => methods)
    .map(({ input }) => [typeUrl(input), input]),
);

/**
 * Returns the addresses that must sign the messages, in order of appearance. Throws a ChainError.
 */
export function signersOf(messages: readonly Any[]): readonly Uint8Array[] {
  const signers: Uint8Array[] = [];
  for (const any of messages) {
    const desc = MESSAGES.get(inChain(any.typeUrl));
    if (desc === undefined) throw txErrors.parse.wrap(`unable to resolve type URL ${any.typeUrl}`);
    const address = signerIn(desc, any.value);
    if (!signers.some((known) => compare(known, address) === 0)) signers.push(address);
  }
  return signers;
}

function signerIn(desc: DescMessage, bytes: Uint8Array): Uint8Array {
  try {
    return signerAddress(desc, signerOf(desc, decodeMessage(desc, bytes)));
  } catch (error) {
    throw txErrors.parse.wrap(decodeErrorText(error));
  }
}

/**
 * Returns the signers' accounts if the state admits the transaction. Otherwise throws a ChainError.
 * @param sequenceOf returns the sequence of an account's next transaction; default: that of the
 * state
 */
export function admit(
  ctx: Context,
  { raw, body, auth, messages }: SignedTx,
  sequenceOf: (signer: Signer) => bigint = ({ account }) => account.sequence,
): readonly Signer[] {
  const { timeoutHeight } = body;
  if (timeoutHeight !== 0n && BigInt(ctx.height) > timeoutHeight) {
    throw txErrors.timeout.wrap(`block height: ${ctx.height}, timeout height: ${timeoutHeight}`);
  }
  const addresses = signersOf(messages);
  if (raw.signatures.length === 0) throw txErrors.noSignatures.bare();
  const [expected, got] = [addresses.length, raw.signatures.length];
  if (expected !== got || auth.signerInfos.length !== expected) {
    const wrong = `wrong number of signers; expected ${expected}, got ${got}`;
    throw sdkErrors.unauthorized.wrap(wrong);
  }
  return addresses.map((address, i) => {
    const account = accountOf(ctx, address);
    if (account === undefined) {
      throw sdkErrors.unknownAddress.wrap(`account ${accAddress(address)} does not exist`);
    }
    const signer = { address, account };
    const [next, input] = [sequenceOf(signer), auth.signerInfos[i]?.sequence ?? 0n];
    if (next !== input) {
      const mismatch = `account sequence mismatch, expected ${next}, got ${input}`;
      throw sdkErrors.wrongSequence.wrap(mismatch);
    }
    return signer;
  });
}

/** Runs a signed transaction: its signers' sequences are incremented even if its messages fail. */
function deliver(ctx: Context, router: ServiceRouter, bytes: Uint8Array): TxResult {
  let signers: readonly Signer[];
  let tx: SignedTx;
  try {
    tx = readSigned(bytes);
    signers = admit(ctx, tx);
  } catch (error) {
    if (!(error instanceof ChainError)) throw error;
    return refused(ctx, error);
  }
  signers.forEach(({ address, account }, i) => {
    const input = unpackKey(tx.auth.signerInfos[i]?.publicKey);
    setAccount(ctx, address, {
      ...account,
      sequence: account.sequence + 1n,
      pubKey: account.pubKey.length > 0 ? account.pubKey : (input ?? account.pubKey),
    });
  });
  const addresses = signers.map(({ address }) => address);
  return runMessages(ctx, router, tx.messages, () => addresses);
}

/**
 * Returns the 33 bytes of a secp256k1 key, under either root; undefined for another kind of key.
 */
export function unpackKey(any: Any | undefined): Uint8Array | undefined {
  if (any === undefined || !/\.crypto\.secp256k1\.PubKey$/.test(any.typeUrl)) return undefined;
  // One field of bytes: its tag, its length, the key.
  const [tag, length] = any.value;
  const isKey = tag === 0x0a && length === 33 && any.value.length === 35;
  return isKey ? any.value.slice(2) : undefined;
}

/** Enables signed transactions in blocks from now on. */
export const acceptSignedTxs = (): void =>
  acceptSigned({
    deliver,
    read(bytes) {
      const { messages } = readSigned(bytes);
      return { messages, signer: signersOf(messages)[0] ?? EMPTY };
    },
  });
