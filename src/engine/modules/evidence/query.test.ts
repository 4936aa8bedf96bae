import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { AnySchema } from "@bufbuild/protobuf/wkt";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compare, toHexUpper } from "../../../base/bytes.ts";
import { propertyRuns } from "../../../base/property.testing.ts";
import type { PageRequestSchema } from "../../../gen/chain/base/query/v1beta1/pagination_pb.ts";
import { ScriptedEvidenceSchema } from "../../../gen/chain/evidence/v1beta1/evidence_pb.ts";
import { GenesisStateSchema } from "../../../gen/chain/evidence/v1beta1/genesis_pb.ts";
import {
  QueryAllEvidenceRequestSchema,
  type QueryAllEvidenceResponse,
  QueryEvidenceRequestSchema,
  type QueryEvidenceResponse,
} from "../../../gen/chain/evidence/v1beta1/query_pb.ts";
import { Panic, STATUS, type StatusError } from "../../framework/errors.ts";
import { thrownBy } from "../../framework/testing.ts";
import { ScriptedEvidence } from "./scripted.ts";
import { evidenceChain } from "./testing.ts";

const item = (n: number): ScriptedEvidence =>
  new ScriptedEvidence(
    create(ScriptedEvidenceSchema, { height: BigInt(n + 1), outcome: "accept" }),
  );

function filled(count: number) {
  const setup = evidenceChain();
  const items = Array.from({ length: count }, (_, n) => item(n)).sort((a, b) =>
    compare(a.hash(), b.hash()),
  );
  for (const evidence of items) setup.keeper.setEvidence(setup.chain.block(2), evidence);
  const byHash = (request: Record<string, string>, profile = {}) =>
    setup.router
      .query("chain.evidence.v1beta1.Query/Evidence")
      ?.invoke(
        setup.chain.block(3, { profile }),
        create(QueryEvidenceRequestSchema, request),
      ) as QueryEvidenceResponse;
  const list = (pagination?: MessageInitShape<typeof PageRequestSchema>) =>
    setup.router
      .query("chain.evidence.v1beta1.Query/AllEvidence")
      ?.invoke(
        setup.chain.block(3),
        create(QueryAllEvidenceRequestSchema, pagination ? { pagination } : {}),
      ) as QueryAllEvidenceResponse;
  return { ...setup, items, byHash, list };
}

const status = (body: () => unknown): [number, string] => {
  const error = thrownBy(body) as StatusError;
  return [error.code, error.message];
};

describe("Query/Evidence (rules/evidence 6.1)", () => {
  test("finds by either field, in either case", () => {
    const { byHash, items } = filled(2);
    const [first] = items as [ScriptedEvidence];
    const hash = toHexUpper(first.hash());
    for (const request of [{ hash }, { evidenceHash: hash }, { hash: hash.toLowerCase() }]) {
      expect(byHash(request).evidence).toEqual(first.pack());
    }
  });

  test.each([
    ["no hash", "", STATUS.invalidArgument, "invalid request; hash is empty"],
    [
      "0x",
      "0xAB",
      STATUS.invalidArgument,
      "invalid evidence hash: encoding/hex: invalid byte: U+0078 'x'",
    ],
    [
      "odd length",
      "ABC",
      STATUS.invalidArgument,
      "invalid evidence hash: encoding/hex: odd length hex string",
    ],
    ["a short one", "aB", STATUS.notFound, "evidence aB not found"],
  ])("%s is refused", (_what, hash, code, text) => {
    expect(status(() => filled(1).byHash({ hash }))).toEqual([code, text]);
  });

  test("bad hex is Unknown where the profile says so", () => {
    const [code] = status(() => filled(0).byHash({ hash: "zz" }, { badEvidenceHash: "unknown" }));
    expect(code).toBe(STATUS.unknown);
  });
});

describe("Query/AllEvidence (rules/evidence 6.3)", () => {
  test("without a request: up to 100 and the total", () => {
    const { list } = filled(101);
    const page = list();
    expect(page.evidence).toHaveLength(100);
    expect(page.pagination?.total).toBe(101n);
    expect(page.pagination?.nextKey).toHaveLength(32);
  });

  test("an offset at the end has the total, beyond it nothing", () => {
    const { list } = filled(3);
    expect(list({ offset: 3n }).pagination?.total).toBe(3n);
    expect(list({ offset: 4n }).pagination?.total).toBe(0n);
    expect(list({ offset: 4n }).evidence).toEqual([]);
  });

  test("offset and key together are refused", () => {
    const { list } = filled(1);
    expect(() => list({ offset: 1n, key: new Uint8Array(32) })).toThrow(
      "invalid request, either offset or key is expected, got both",
    );
  });

  test("following next_key visits everything once, in either direction", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 12 }),
        fc.bigInt({ min: 1n, max: 5n }),
        fc.boolean(),
        (count, limit, reverse) => {
          const { list, items } = filled(count);
          const seen: string[] = [];
          let key = new Uint8Array();
          do {
            const page = list({ limit, reverse, key });
            seen.push(...page.evidence.map(({ value }) => toHexUpper(value)));
            key = new Uint8Array(page.pagination?.nextKey ?? []);
          } while (key.length > 0);
          const all = items.map((e) => toHexUpper(e.pack().value));
          expect(seen).toEqual(reverse ? all.reverse() : all);
        },
      ),
      { numRuns: propertyRuns(30) },
    );
  });
});

describe("genesis (rules/evidence 2.2) and migration", () => {
  test("export and import give the same state", () => {
    const a = filled(5);
    const state = a.module.genesis.export(a.chain.block(3));
    const b = evidenceChain();
    b.module.genesis.init(b.chain.block(1), state);
    expect(b.chain.dump("evidence")).toEqual(a.chain.dump("evidence"));
  });

  test("what is no evidence, or not valid, is refused with the reason", () => {
    const { module, chain } = evidenceChain();
    const none = create(GenesisStateSchema, { evidence: [create(AnySchema)] });
    expect(thrownBy(() => module.genesis.validate(none)).message).toBe("expected evidence");
    const bad = create(GenesisStateSchema, { evidence: [item(-1).pack()] });
    expect(thrownBy(() => module.genesis.validate(bad)).message).toBe(
      "invalid scripted evidence height: 0",
    );
    const error = thrownBy(() => module.genesis.init(chain.block(1), bad));
    expect(error).toBeInstanceOf(Panic);
    expect(error.message).toBe(
      "failed to validate evidence genesis state: invalid scripted evidence height: 0",
    );
  });

  test("the same evidence twice is refused", () => {
    const { module, chain } = evidenceChain();
    const any = item(1).pack();
    const state = create(GenesisStateSchema, { evidence: [any, any] });
    const text = `evidence with hash ${toHexUpper(item(1).hash())} already exists`;
    expect(thrownBy(() => module.genesis.init(chain.block(1), state)).message).toBe(text);
    // Also checked before a chain starts.
    expect(thrownBy(() => module.genesis.validate(state)).message).toBe(text);
  });

  test("migration 1 → 2 writes every item anew and changes none", () => {
    const { module, chain } = filled(3);
    const before = chain.dump("evidence");
    const hash = chain.commit();
    module.migrations.find((m) => m.from === 1)?.run(chain.block(9));
    expect(chain.dump("evidence")).toEqual(before);
    expect(chain.commit()).not.toBe(hash);
  });
});
