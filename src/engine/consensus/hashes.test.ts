import { describe, expect, test } from "vitest";
import { toHex, toHexUpper, utf8 } from "../../base/bytes.ts";
import { sha256 } from "../../base/sha256.ts";
import { leafHash, merkleRoot } from "../store/merkle.ts";
import { evidenceListHash } from "./evidence.ts";
import { consensusHash, dataHash, EMPTY_HASH, lastResultsHash } from "./hashes.ts";
import { DEFAULT_CONSENSUS_PARAMS } from "./params.ts";

describe("the hashes in a header", () => {
  test("of nothing are SHA-256 of nothing", () => {
    expect(toHex(EMPTY_HASH)).toBe(
      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    );
    expect([dataHash([]), lastResultsHash([]), evidenceListHash([])]).toEqual([
      EMPTY_HASH,
      EMPTY_HASH,
      EMPTY_HASH,
    ]);
  });

  test("data: the leaves are the transactions' hashes", () => {
    const hashes = ["a", "b", "c"].map((tx) => sha256(utf8(tx)));
    expect(toHex(dataHash(hashes))).toBe(toHex(merkleRoot(hashes)));
  });

  test("consensus: the default params give the hash seen on most chains", () => {
    expect(toHexUpper(consensusHash(DEFAULT_CONSENSUS_PARAMS.block))).toBe(
      "048091BC7DDC283F77BFBF91D73C44DA58C3DF8A9CBC867405D8B7F3DAADA22F",
    );
  });

  test("results: code, data and gas are covered", () => {
    const result = { code: 5, data: Uint8Array.of(1, 2), gasWanted: 300n, gasUsed: 7n };
    const bytes = Uint8Array.of(0x08, 5, 0x12, 2, 1, 2, 0x28, 0xac, 0x02, 0x30, 7);
    expect(toHex(lastResultsHash([result]))).toBe(toHex(leafHash(bytes)));
    const empty = { code: 0, data: new Uint8Array(), gasWanted: 0n, gasUsed: 0n };
    expect(toHex(lastResultsHash([empty]))).toBe(toHex(leafHash(new Uint8Array())));
  });
});
