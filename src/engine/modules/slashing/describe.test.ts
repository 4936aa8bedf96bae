import { create, toBinary } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { consAddress } from "../../../base/bech32.ts";
import { PubKeySchema } from "../../../gen/chain/crypto/ed25519/keys_pb.ts";
import { ParamsSchema } from "../../../gen/chain/slashing/v1beta1/slashing_pb.ts";
import { packInit } from "../../framework/codec.ts";
import { TestChain, testAddress } from "../../framework/testing.ts";
import { describe } from "./describe.ts";
import { anyCodec } from "./keeper.ts";
import { addressKey, chunkKey, PARAMS_KEY, PREFIX, SLASHING } from "./keys.ts";
import { setMissed } from "./missed-blocks.ts";
import { signingInfoCodec } from "./signing-info.ts";
import { newSigningInfo } from "./types.ts";

const VAL = testAddress("val");
const val = consAddress(VAL);

test("a signing info, with its fields", () => {
  const key = addressKey(PREFIX.signingInfo, VAL);
  const { kind, of, value } = describe(key, signingInfoCodec.encode(newSigningInfo(7)));
  expect([kind, ...of]).toEqual(["signing info", val]);
  expect(JSON.parse(value)).toMatchObject({ startHeight: "7", tombstoned: false });
});

test("a chunk of missed blocks, with its number and the places of the blocks in it", () => {
  const chain = new TestChain(SLASHING);
  const ctx = chain.block(5);
  for (const index of [1027, 1024, 1087]) setMissed(ctx, VAL, index, true);
  const key = chunkKey(VAL, 1);
  expect(describe(key, ctx.store(SLASHING).get(key) ?? new Uint8Array())).toEqual({
    kind: "missed blocks",
    of: [val, "1"],
    value: "0 3 63",
  });
});

test("a public key in hex, and the params", () => {
  const any = packInit(PubKeySchema, { key: Uint8Array.of(0xab, 0x01) });
  expect(describe(addressKey(PREFIX.pubkey, VAL), anyCodec.encode(any))).toEqual({
    kind: "public key",
    of: [val],
    value: "AB01",
  });
  const params = toBinary(ParamsSchema, create(ParamsSchema, { signedBlocksWindow: 50n }));
  const { kind, value } = describe(PARAMS_KEY, params);
  expect(kind).toBe("params");
  expect(JSON.parse(value)).toMatchObject({ signedBlocksWindow: "50" });
});
