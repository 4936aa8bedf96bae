/** A wallet with one key, which signs transactions as clients do. */
import { create, toBinary } from "@bufbuild/protobuf";
import { type Any, AnySchema } from "@bufbuild/protobuf/wkt";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { accAddress } from "../../base/bech32.ts";
import { utf8 } from "../../base/bytes.ts";
import { sha256 } from "../../base/sha256.ts";
import { packInit } from "../../engine/framework/codec.ts";
import { MsgSendSchema } from "../../gen/chain/bank/v1beta1/tx_pb.ts";
import { PubKeySchema } from "../../gen/chain/crypto/secp256k1/keys_pb.ts";
import { SignMode } from "../../gen/chain/tx/signing/v1beta1/signing_pb.ts";
import {
  AuthInfoSchema,
  SignDocSchema,
  TxBodySchema,
  TxRawSchema,
} from "../../gen/chain/tx/v1beta1/tx_pb.ts";
import { addressOfKey } from "./check-tx.ts";

export interface Signed {
  readonly chainId: string;
  readonly accountNumber: bigint;
  readonly sequence: bigint;
  readonly memo?: string;
  /** If true, the transaction has an empty signature, as for a simulation. */
  readonly unsigned?: boolean;
}

export class TestSigner {
  readonly #secret: Uint8Array;
  readonly account: Uint8Array;

  constructor(name: string) {
    this.#secret = sha256(utf8(name));
    this.account = addressOfKey(secp256k1.getPublicKey(this.#secret));
  }

  get address(): string {
    return accAddress(this.account);
  }

  /** A transfer to itself under upstream's names, in SIGN_MODE_DIRECT. */
  send(amount: string, signing: Signed): Uint8Array {
    const message = packInit(MsgSendSchema, {
      fromAddress: this.address,
      toAddress: this.address,
      amount: [{ denom: "stake", amount }],
    });
    return this.sign([message], signing);
  }

  sign(messages: readonly Any[], signing: Signed): Uint8Array {
    const { chainId, accountNumber, sequence, memo = "", unsigned = false } = signing;
    const body = create(TxBodySchema, { messages: messages.map(asCosmos), memo });
    const key = packInit(PubKeySchema, { key: secp256k1.getPublicKey(this.#secret) });
    const auth = create(AuthInfoSchema, {
      signerInfos: [
        {
          sequence,
          publicKey: asCosmos(key),
          modeInfo: { sum: { case: "single", value: { mode: SignMode.DIRECT } } },
        },
      ],
      fee: { gasLimit: 200_000n },
    });
    const bodyBytes = toBinary(TxBodySchema, body);
    const authInfoBytes = toBinary(AuthInfoSchema, auth);
    const doc = create(SignDocSchema, { bodyBytes, authInfoBytes, chainId, accountNumber });
    const digest = sha256(toBinary(SignDocSchema, doc));
    const signature = secp256k1.sign(digest, this.#secret, { prehash: false });
    const signatures = [unsigned ? new Uint8Array() : signature];
    return toBinary(TxRawSchema, create(TxRawSchema, { bodyBytes, authInfoBytes, signatures }));
  }
}

const asCosmos = ({ typeUrl, value }: Any): Any =>
  create(AnySchema, { typeUrl: typeUrl.replace("/chain.", "/cosmos."), value });
