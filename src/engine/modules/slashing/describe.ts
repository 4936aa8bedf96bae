import { PubKeySchema } from "../../../gen/chain/crypto/ed25519/keys_pb.ts";
import {
  ParamsSchema,
  ValidatorSigningInfoSchema,
} from "../../../gen/chain/slashing/v1beta1/slashing_pb.ts";
import { unpackAny } from "../../framework/codec.ts";
import { consensusPart, describer, messageText, restPart } from "../../framework/describe.ts";
import { EMPTY, toHexUpper } from "../../primitives/bytes.ts";
import { anyCodec } from "./keeper.ts";
import { PREFIX } from "./keys.ts";
import { chunkIn, missedIn } from "./missed-blocks.ts";

/** Describes the entries of the slashing store. */
export const describe = describer(PREFIX, {
  params: { kind: "params", value: messageText(ParamsSchema) },
  signingInfo: {
    kind: "signing info",
    of: [consensusPart],
    value: messageText(ValidatorSigningInfoSchema),
  },
  missedBlocks: {
    kind: "missed blocks",
    of: [consensusPart, restPart((rest) => `${chunkIn(rest)}`)],
    value: (value) => [...missedIn(value)].join(" "),
  },

  pubkey: {
    kind: "public key",
    of: [consensusPart],
    value: (value) => toHexUpper(unpackAny(PubKeySchema, anyCodec.decode(value))?.key ?? EMPTY),
  },
});
