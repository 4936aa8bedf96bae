import { describe, expect, test } from "vitest";
import { Simulation } from "../engine/simulation/simulation.ts";
import { worldSpec } from "../engine/simulation/testing.ts";
import { lazyObserver } from "./lab/frame/observed.ts";
import { atOnce } from "./lab/reading.ts";
import { WorldQueries } from "./lab/world-queries.ts";
import { queryJson } from "./query.ts";
import { QUERY_ROUTES } from "./query-routes.ts";

const sim = Simulation.create(worldSpec({ accounts: [] }));
for (let i = 0; i < 3; i++) sim.advance();
const chain = new WorldQueries(sim, lazyObserver(sim));
const EVIDENCE = "chain.evidence.v1beta1.Query/AllEvidence";
const BLOCK = "lab.v1.Lab/GetBlock";
const PROPOSAL = "chain.gov.v1.Query/Proposal";

const nested = (levels: number): unknown => {
  let value: unknown = 1;
  for (let i = 0; i < levels; i++) value = { pagination: value };
  return value;
};
const keys = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, i]));

/** Title of the case, query, body, and text of the error. */
const REFUSED: readonly (readonly [what: string, query: string, body: unknown, words: string])[] = [
  [
    "a query that there is none of",
    "lab.v1.Lab/Control",
    {},
    "there is no query lab.v1.Lab/Control",
  ],
  ["the name of what every object has", "__proto__", {}, "there is no query __proto__"],
  [
    "no body",
    EVIDENCE,
    undefined,
    "expected a map of QueryAllEvidenceRequest's fields, found nothing",
  ],
  ["a list", EVIDENCE, [], "found a list"],
  ["a text", EVIDENCE, "{", 'found "{"'],
  [
    "a key that every object has",
    EVIDENCE,
    JSON.parse('{"__proto__":{}}'),
    'unknown key "__proto__"',
  ],
  ["its constructor", EVIDENCE, { constructor: 1 }, 'unknown key "constructor"'],
  ["300 000 keys", EVIDENCE, keys(300_000), "at most 100 keys, found 300000"],
  ["10 000 levels", EVIDENCE, nested(10_000), 'pagination.pagination: unknown key "pagination"'],
  ["a list as a number", PROPOSAL, { proposal_id: [7] }, "proposal_id: expected a 64-bit integer"],
  ["a number out of range", PROPOSAL, { proposal_id: "18446744073709551616" }, "64-bit integer"],
  ["a number of 100 000 digits", PROPOSAL, { proposal_id: "9".repeat(100_000) }, "64-bit integer"],
  ["a fraction", BLOCK, { height: 1.5 }, "height: expected a 32-bit integer"],
  [
    "a number in words of JavaScript",
    BLOCK,
    { height: "0x10" },
    "height: expected a 32-bit integer",
  ],
  [
    "bytes in no base64",
    EVIDENCE,
    { pagination: { key: "%%" } },
    "pagination.key: expected bytes in base64",
  ],
  ["half of a surrogate pair", BLOCK, { hash: "\ud83d" }, "hash: expected text"],
  ["an odd number of digits", BLOCK, { hash: "ABC" }, "encoding/hex: odd length hex string"],
  ["a hash of 100 000 digits", BLOCK, { hash: "AB".repeat(50_000) }, "there is no block AB"],
  ["a height far above", BLOCK, { height: 4_294_967_295 }, "there is no block 4294967295"],
];

describe("the body of a query", () => {
  test.each(REFUSED)("that is %s is refused in words", (_, query, body, words) => {
    expect(() => atOnce(queryJson(chain, query, body, 0))).toThrow(words);
  });

  test.each([-1, 4, 1.5, 2 ** 53, Number.MAX_VALUE, Number.POSITIVE_INFINITY])(
    "is refused in words at height %s, which the chain does not have",
    (height) => {
      expect(() => atOnce(queryJson(chain, EVIDENCE, {}, height))).toThrow(/height/);
    },
  );

  test.each(QUERY_ROUTES.map(({ name, method }) => [name, method] as const))(
    "of %s may hold anything, and is answered or refused without an error of the language",
    (name, { input }) => {
      const values = [null, true, -1, 1e300, "", "\u0000", "__proto__", [], [[]], {}, nested(100)];
      for (const value of values) {
        const body = Object.fromEntries(input.fields.map((field) => [field.name, value]));
        try {
          atOnce(queryJson(chain, name, body, 0));
        } catch (error) {
          expect(error).not.toBeInstanceOf(TypeError);
          expect(error).not.toBeInstanceOf(RangeError);
          expect((error as Error).message).not.toBe("");
        }
      }
    },
  );
});
