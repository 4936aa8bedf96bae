/** Encodes and signs transactions, which `check-tx.ts` checks (rules/clients 6.4). */
import { create, toBinary } from "@bufbuild/protobuf";
import { AnySchema } from "@bufbuild/protobuf/wkt";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { fromHex } from "../../base/from-hex.ts";
import { sha256 } from "../../base/sha256.ts";
import { packInit, underRootOf } from "../../engine/framework/codec.ts";
import { PubKeySchema } from "../../gen/chain/crypto/secp256k1/keys_pb.ts";
import { SignMode } from "../../gen/chain/tx/signing/v1beta1/signing_pb.ts";
import {
  AuthInfoSchema,
  SignDocSchema,
  type Tx,
  TxBodySchema,
  TxRawSchema,
  TxSchema,
} from "../../gen/chain/tx/v1beta1/tx_pb.ts";
import { toBase64 } from "../base64.ts";
import { type Json, messageFromJson, messageToJson } from "../json.ts";
import { typesInCosmos } from "../namespaces.ts";
import { aminoSignBytes } from "./amino.ts";

/** Key and sign mode of a signature, with the signer's account data on the chain. */
export interface Signing {
  /** 32 bytes in hex. */
  readonly secret: string;
  readonly mode: "direct" | "amino-json";
  readonly chainId: string;
  /** 64-bit integers as text. */
  readonly accountNumber: string;
  readonly sequence: string;
}

/** A transaction in bytes, and as JSON. */
export interface EncodedTx {
  /** TxRaw in base64. */
  readonly bytes: string;
  readonly json: Json;
}

const MODES = { direct: SignMode.DIRECT, "amino-json": SignMode.LEGACY_AMINO_JSON } as const;

/**
 * Completes a transaction in REST's JSON format with all of its fields. Throws a JsonError that
 * names invalid fields.
 * @param signed true if a key signs it: its types are then upstream's, which every client reads
 */
export function draftTx(json: unknown, signed = false): Json {
  const tx = messageToJson(TxSchema, readTx(json));
  return signed ? typesInCosmos(tx) : tx;
}

/** Encodes a transaction with its signatures. Throws a JsonError. */
export function encodeTx(json: unknown): string {
  const { body, authInfo, signatures } = readTx(json);
  return rawOf(
    toBinary(TxBodySchema, create(TxBodySchema, body)),
    toBinary(AuthInfoSchema, create(AuthInfoSchema, authInfo)),
    signatures,
  );
}

/**
 * Adds the signature of the one signer of a transaction. Throws an Error if it cannot be signed
 * this way.
 */
export function signTx(json: unknown, signing: Signing): EncodedTx {
  const { secret, mode, chainId } = signing;
  const { body: read, authInfo } = readTx(json);
  const body = create(TxBodySchema, read);
  const key = fromHex(secret);
  const publicKey = secp256k1.getPublicKey(key);
  const packed = packInit(PubKeySchema, { key: publicKey });
  const accountNumber = BigInt(signing.accountNumber);
  const sequence = BigInt(signing.sequence);
  const auth = create(AuthInfoSchema, {
    ...(authInfo?.fee && { fee: authInfo.fee }),
    signerInfos: [
      {
        publicKey: create(AnySchema, {
          ...packed,
          typeUrl: underRootOf(body.messages[0]?.typeUrl ?? "", packed.typeUrl),
        }),
        modeInfo: { sum: { case: "single", value: { mode: MODES[mode] } } },
        sequence,
      },
    ],
  });
  const bodyBytes = toBinary(TxBodySchema, body);
  const authInfoBytes = toBinary(AuthInfoSchema, auth);
  const covered =
    mode === "direct"
      ? toBinary(
          SignDocSchema,
          create(SignDocSchema, { bodyBytes, authInfoBytes, chainId, accountNumber }),
        )
      : aminoSignBytes({ body, fee: auth.fee, chainId, accountNumber, sequence });
  if (covered === undefined) throw new Error("a message has no amino form: sign it directly");
  const signature = secp256k1.sign(sha256(covered), key, { prehash: false });
  const tx = create(TxSchema, { body, authInfo: auth, signatures: [signature] });
  return {
    bytes: rawOf(bodyBytes, authInfoBytes, [signature]),
    json: messageToJson(TxSchema, tx),
  };
}

const rawOf = (
  bodyBytes: Uint8Array,
  authInfoBytes: Uint8Array,
  signatures: readonly Uint8Array[],
): string => {
  const raw = create(TxRawSchema, { bodyBytes, authInfoBytes, signatures: [...signatures] });
  return toBase64(toBinary(TxRawSchema, raw));
};

const readTx = (json: unknown): Tx => messageFromJson(TxSchema, json);
