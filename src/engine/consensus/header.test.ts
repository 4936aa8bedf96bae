import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toHex, toHexUpper, utf8 } from "../../base/bytes.ts";
import { addressOf } from "../../base/ed25519.ts";
import { GO_ZERO_TIME, parseRfc3339 } from "../../base/time.ts";
import { leafHash } from "../store/merkle.ts";
import { blockIdKey, blockIdOf, blockIdText, isNil, NIL_BLOCK_ID } from "./block-id.ts";
import { type Header, HeaderHasher, headerHash, writeHeader } from "./header.ts";
import { digest } from "./testing.ts";
import { ProtoWriter } from "./wire.ts";

const zeros = new Uint8Array(32);

/** Header from CometBFT's own header hash test. */
const GOLDEN: Header = {
  version: { block: 1, app: 2 },
  chainId: "chainId",
  height: 3,
  time: parseRfc3339("2019-10-13T16:14:44Z"),
  lastBlockId: { hash: zeros, partSetHeader: { total: 6, hash: zeros } },
  lastCommitHash: digest("last_commit_hash"),
  dataHash: digest("data_hash"),
  validatorsHash: digest("validators_hash"),
  nextValidatorsHash: digest("next_validators_hash"),
  consensusHash: digest("consensus_hash"),
  appHash: digest("app_hash"),
  lastResultsHash: digest("last_results_hash"),
  evidenceHash: digest("evidence_hash"),
  proposerAddress: addressOf(utf8("proposer_address")),
};

describe("the header hash", () => {
  test("of CometBFT's example header is the published one", () => {
    expect(toHexUpper(headerHash(GOLDEN))).toBe(
      "F740121F553B5418C3EFBD343C2DBFE9E007BB67B0D020A0741374BAB65242A4",
    );
  });

  test("is nil while the validators hash is empty", () => {
    const header = { ...GOLDEN, validatorsHash: new Uint8Array() };
    expect(headerHash(header)).toHaveLength(0);
    expect(new HeaderHasher().hash(header)).toHaveLength(0);
  });

  const hash = fc.oneof(
    fc.constant(new Uint8Array()),
    fc.uint8Array({ minLength: 32, maxLength: 32 }),
  );
  const fields: { [K in keyof Header]: fc.Arbitrary<Header[K]> } = {
    version: fc.record({ block: fc.nat(200), app: fc.nat() }),
    chainId: fc.string({ maxLength: 50 }),
    height: fc.maxSafeNat(),
    time: fc.bigInt({ min: GO_ZERO_TIME, max: 2n ** 64n }),
    lastBlockId: hash.map((h) => (h.length === 0 ? NIL_BLOCK_ID : blockIdOf(h))),
    lastCommitHash: hash,
    dataHash: hash,
    validatorsHash: hash,
    nextValidatorsHash: hash,
    consensusHash: hash,
    appHash: hash,
    lastResultsHash: hash,
    evidenceHash: hash,
    proposerAddress: fc.uint8Array({ minLength: 20, maxLength: 20 }),
  };

  test("kept between blocks equals the plain one, whichever fields change", () => {
    const some = fc.record(fields, { requiredKeys: [] });
    fc.assert(
      fc.property(fc.array(some, { minLength: 1, maxLength: 12 }), (changes) => {
        const hasher = new HeaderHasher();
        let header = GOLDEN;
        for (const change of changes) {
          header = { ...header, ...change };
          expect(toHex(hasher.hash(header))).toBe(toHex(headerHash(header)));
        }
      }),
    );
  });

  test("kept between blocks, does not change the hashes it gave before", () => {
    const hasher = new HeaderHasher();
    const first = hasher.hash(GOLDEN);
    const text = toHex(first);
    hasher.hash({ ...GOLDEN, height: 4 });
    expect(toHex(first)).toBe(text);
    expect(toHex(hasher.hash(GOLDEN))).toBe(text);
  });
});

describe("a block id", () => {
  test("has one part, whose Merkle root is the leaf hash of the header hash", () => {
    const id = blockIdOf(digest("x"));
    expect(id.partSetHeader).toEqual({ total: 1, hash: leafHash(digest("x")) });
    expect(isNil(id)).toBe(false);
    expect(isNil(NIL_BLOCK_ID)).toBe(true);
  });

  test("is keyed by its hash, then its part set header's protobuf", () => {
    const id = { hash: digest("x"), partSetHeader: { total: 300, hash: zeros } };
    expect(toHex(blockIdKey(id))).toBe(`${toHex(digest("x"))}08ac021220${toHex(zeros)}`);
    expect(blockIdKey(NIL_BLOCK_ID)).toHaveLength(0);
  });

  test("prints as hash, total and a fingerprint", () => {
    const id = { hash: Uint8Array.of(1), partSetHeader: { total: 2, hash: digest("x") } };
    expect(blockIdText(id)).toBe(`01:2:${toHexUpper(digest("x").subarray(0, 6))}`);
    expect(blockIdText(NIL_BLOCK_ID)).toBe(":0:000000000000");
  });
});

describe("the protobuf writer", () => {
  test("frames an embedded message longer than 127 bytes", () => {
    const w = new ProtoWriter();
    const mark = w.open(1);
    w.bytes(2, new Uint8Array(300)).close(mark);
    expect(toHex(w.finish().subarray(0, 6))).toBe("0aaf0212ac02");
    expect(w.view()).toHaveLength(306);
  });

  test("frames any length alike whether written in place or beforehand, at every size of its buffer", () => {
    for (let size = 0; size < 1100; size += 1) {
      const body = new Uint8Array(size).fill(7);
      const w = new ProtoWriter();
      const mark = w.open(1);
      w.raw(body).close(mark);
      expect(toHex(w.finish())).toBe(toHex(new ProtoWriter().message(1, body).finish()));
    }
  });

  test("writes negative integers as ten bytes and leaves zeros out", () => {
    expect(toHex(new ProtoWriter().int(1, -1).int(2, 0).finish())).toBe("08ffffffffffffffffff01");
  });

  test("writes a header with its fields 1 to 14", () => {
    const bytes = writeHeader(new ProtoWriter(), GOLDEN).finish();
    expect(toHex(bytes)).toMatch(/^0a04080110021207636861696e496418032206/);
    expect(toHex(bytes)).toContain(`72 14 ${toHex(GOLDEN.proposerAddress)}`.replaceAll(" ", ""));
  });
});
