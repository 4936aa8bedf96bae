import { EMPTY, toHexUpper, u64be } from "../../../base/bytes.ts";
import { PubKeySchema } from "../../../gen/chain/crypto/ed25519/keys_pb.ts";
import {
  ParamsSchema,
  ValidatorSigningInfoSchema,
} from "../../../gen/chain/slashing/v1beta1/slashing_pb.ts";
import { unpackAny } from "../../framework/codec.ts";
import { consensusPart, describer, numberOf, restPart } from "../../framework/describe.ts";
import { messageText } from "../../framework/message-text.ts";
import { anyCodec } from "./keeper.ts";
import { PREFIX } from "./keys.ts";
import { chunkIn, missedIn } from "./missed-blocks.ts";

const chunkPart = restPart(
  (rest) => `${chunkIn(rest)}`,
  (text) => u64be(numberOf(text)).reverse(),
);

export const describe = describer(PREFIX, {
  params: { kind: "params", value: messageText(ParamsSchema) },
  signingInfo: {
    kind: "signing info",
    of: [consensusPart],
    value: messageText(ValidatorSigningInfoSchema),
  },
  missedBlocks: {
    kind: "missed blocks",
    of: [consensusPart, chunkPart],
    value: (value) => [...missedIn(value)].join(" "),
  },
  pubkey: {
    kind: "public key",
    of: [consensusPart],
    value: (value) => toHexUpper(unpackAny(PubKeySchema, anyCodec.decode(value))?.key ?? EMPTY),
  },
});
