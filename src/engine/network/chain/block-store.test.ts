import * as fc from "fast-check";
import { expect, test, vi } from "vitest";
import { GO_ZERO_TIME, SECOND, type Time } from "../../../base/time.ts";
import { EMPTY_HASH } from "../../consensus/hashes.ts";
import { byPower, ValidatorList, validatorOf } from "../../consensus/validator-list.ts";
import { type DecidedBlock, EMPTY_BODY } from "./block.ts";
import { BlockPage } from "./block-page.ts";
import { BlockSlot } from "./block-slot.ts";
import { ALL_RESIDENT, type BlockPaging, BlockStore } from "./block-store.ts";

const KEYS = [0, 1, 2].map((n) => new Uint8Array(32).fill(n + 1));
const ADDRESSES = KEYS.map((key) => validatorOf(key, 1).address);
const addressOf = (who: number): Uint8Array => ADDRESSES[who] as Uint8Array;

const lists = new Map<string, ValidatorList>();

/** One list for equal powers, like a chain that reuses its list until the set changes. */
function listOf(powers: readonly number[]): ValidatorList {
  const validators = powers.flatMap((power, n) =>
    power > 0 ? [validatorOf(KEYS[n] as Uint8Array, power)] : [],
  );
  const list = lists.get(powers.join()) ?? new ValidatorList(validators.sort(byPower));
  lists.set(powers.join(), list);
  return list;
}

/** A block, its results, and the validators that did not sign it. */
interface Made extends DecidedBlock {
  readonly appHash: Uint8Array;
  readonly resultsHash: Uint8Array;
  readonly silent: readonly number[];
}

const LATEST: Time = 253_402_300_799n * SECOND + 999_999_999n;

const time = fc.oneof(
  fc.integer({ min: 0, max: 9 }).map((n) => BigInt(n) * SECOND),
  fc.bigInt({ min: GO_ZERO_TIME, max: LATEST }),
);
const hash = fc.integer({ min: 0, max: 5 }).map((n) => new Uint8Array(32).fill(n));

const made = fc
  .record({
    time,
    hash,
    appHash: hash,
    resultsHash: fc.oneof(fc.constant(EMPTY_HASH), hash),
    proposer: fc.nat(0xffff),
    round: fc.nat(2),
    powers: fc
      .array(fc.nat(2), { minLength: 3, maxLength: 3 })
      .filter((powers) => powers.some((power) => power > 0)),
    silent: fc.subarray([0, 1, 2]),
    txs: fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 3 }),
    late: fc.option(time, { nil: undefined }),
  })
  .map(({ powers, silent, txs, late, ...block }): Made => {
    const validators = listOf(powers);
    const absent = silent.map((who) => validators.indexOf(addressOf(who)));
    return {
      ...block,
      body: txs.length === 0 ? EMPTY_BODY : { ...EMPTY_BODY, txs },
      absent: absent.filter((place) => place >= 0).sort(),
      validators,
      times: { usual: block.time, others: new Map(late === undefined ? [] : [[0, late]]) },
      silent,
    };
  });

const chains = fc.array(made, { maxLength: 40 });

function append(blocks: BlockStore, block: Made): void {
  blocks.sealed.settle();
  blocks.append(block);
  blocks.setResults(blocks.height, block.appHash, block.resultsHash);
}

function storeOf(chain: readonly Made[], paging: BlockPaging = ALL_RESIDENT, base = 0): BlockStore {
  const blocks = new BlockStore(base, paging);
  for (const block of chain) append(blocks, block);
  return blocks;
}

/**
 * Pages of a few blocks or bytes; next to nothing stays in memory, and all pages are reloaded from
 * the complete chain.
 */
function tinyPaging(chain: readonly Made[], base = 0, pageBlocks = 3): BlockPaging {
  const sizes = { pageBlocks, pageBytes: 200 };
  return {
    ...sizes,
    residentBytes: 1,
    recall: (index) => storeOf(chain, { ...ALL_RESIDENT, ...sizes }, base).sealed.get(index),
  };
}

/** Everything that the store returns about a block. */
const viewOf = (blocks: BlockStore, height: number) => ({
  time: blocks.timeAt(height),
  hash: blocks.hashAt(height)?.slice(),
  appHash: blocks.appHashAt(height).slice(),
  resultsHash: blocks.resultsHashAt(height).slice(),
  round: blocks.roundAt(height),
  body: blocks.bodyAt(height),
  absent: blocks.absentAt(height),
  others: blocks.voteTimesAt(height)?.others,
  powers: KEYS.map((_, who) => blocks.validatorsAt(height).find(addressOf(who))?.power ?? 0),
  validators: blocks.validatorsAt(height).hash(),
});

const expected = (block: Made) => ({
  time: block.time,
  hash: block.hash,
  appHash: block.appHash,
  resultsHash: block.resultsHash,
  round: block.round,
  body: block.body,
  absent: block.absent,
  others: block.times.others.size === 0 ? undefined : block.times.others,
  powers: KEYS.map((_, who) => block.validators.find(addressOf(who))?.power ?? 0),
  validators: block.validators.hash(),
});

function expectAll(blocks: BlockStore, chain: readonly Made[], base = 0): void {
  expect(blocks.height).toBe(base + chain.length);
  const heights = chain.map((_, i) => base + i + 1);
  expect(heights.map((height) => viewOf(blocks, height))).toEqual(chain.map(expected));
}

test("blocks are as they were decided, whatever stays in memory", () => {
  fc.assert(
    fc.property(chains, fc.nat(100), (chain, base) => {
      expectAll(storeOf(chain, tinyPaging(chain, base), base), chain, base);
    }),
  );
});

test("pages that came since others were let go stay, those of a fork that is followed too", () => {
  fc.assert(
    fc.property(chains, chains, (common, later) => {
      const paging = tinyPaging([...common, ...later]);
      const blocks = storeOf(common, paging);
      const before = blocks.sealed.settled;
      const fork = blocks.copy({ ...paging, residentBytes: Number.POSITIVE_INFINITY });
      for (const block of later) append(fork, block);
      const followed = fork.copy(paging);
      for (let i = 0; i < before; i++) followed.sealed.get(i);
      const resident = () => followed.sealed.slots.map(({ page }) => page !== undefined);
      expect(resident().slice(before)).not.toContain(false);
      followed.sealed.settle();
      expect(resident().slice(before, -1)).not.toContain(true);
    }),
  );
});

test("copies of a store share their pages and grow apart", () => {
  fc.assert(
    fc.property(chains, chains, chains, (common, ours, theirs) => {
      const blocks = storeOf(common, tinyPaging([...common, ...ours]));
      const fork = blocks.copy({
        ...tinyPaging([...common, ...ours]),
        residentBytes: Number.POSITIVE_INFINITY,
      });
      for (const block of ours) append(blocks, block);
      for (const block of theirs) append(fork, block);
      expectAll(blocks, [...common, ...ours]);
      expectAll(fork, [...common, ...theirs]);
    }),
  );
});

test("a store is restored from what a keyframe holds and the bytes of its pages, a fork beside it too", () => {
  fc.assert(
    fc.property(chains, chains, chains, chains, (common, ours, theirs, later) => {
      const paging = { ...tinyPaging([...common, ...ours, ...later]), residentBytes: 2 ** 30 };
      const forkPaging = { ...paging, residentBytes: Number.POSITIVE_INFINITY };
      const blocks = storeOf(common, paging);
      const fork = blocks.copy(forkPaging);
      for (const block of ours) append(blocks, block);
      for (const block of theirs) append(fork, block);
      const slots = new Map(
        [...blocks.persisted[0], ...fork.persisted[0]].map((slot) => [
          slot,
          BlockSlot.of(slot.parts),
        ]),
      );
      const restored = (store: BlockStore, by: BlockPaging): BlockStore => {
        const back = new BlockStore(0, by);
        const [stored, ...others] = store.persisted;
        back.persisted = [stored.map((slot) => slots.get(slot) as BlockSlot), ...others];
        return back;
      };
      const back = restored(blocks, paging);
      const forkBack = restored(fork, forkPaging);
      blocks.sealed.slots.forEach((_, i) => {
        if (i % 2 === 0) back.load(i, blocks.sealed.get(i).toBytes());
      });
      for (const block of later) append(back, block);
      expectAll(back, [...common, ...ours, ...later]);
      for (const block of later) append(forkBack, block);
      expectAll(forkBack, [...common, ...theirs, ...later]);
    }),
  );
});

test("where a page ends depends on the blocks alone", () => {
  fc.assert(
    fc.property(chains, (chain) => {
      const ends = (blocks: BlockStore) => blocks.sealed.slots.map(({ last }) => last);
      const tiny = tinyPaging(chain);
      const all = { ...tiny, residentBytes: Number.POSITIVE_INFINITY };
      expect(ends(storeOf(chain, tiny))).toEqual(ends(storeOf(chain, all)));
    }),
  );
});

test("a page of another height, of another format or of cut bytes is not loaded", () => {
  fc.assert(
    fc.property(fc.array(made, { minLength: 10, maxLength: 20 }), fc.nat(), (chain, n) => {
      const blocks = storeOf(chain, { ...ALL_RESIDENT, pageBlocks: 3 });
      const bytes = blocks.sealed.get(1).toBytes();
      expect(() => blocks.load(0, bytes)).toThrow("not those of page 0");
      expect(() => blocks.load(1, bytes.subarray(0, n % bytes.length))).toThrow();
      expectAll(blocks, chain);
    }),
  );
});

test("the newest block with a hash is found on the pages in memory", () => {
  fc.assert(
    fc.property(chains, hash, (chain, wanted) => {
      const blocks = storeOf(chain, { ...ALL_RESIDENT, pageBlocks: 3 });
      const at = chain.findLastIndex((block) => block.hash[0] === wanted[0]);
      expect(blocks.heightOf(wanted)).toBe(at < 0 ? undefined : at + 1);
      const fresh = new Uint8Array(32).fill(9);
      expect(blocks.heightOf(fresh)).toBeUndefined();
    }),
  );
});

test("the last block that a validator signed is the newest in the range with its precommit", () => {
  fc.assert(
    fc.property(chains, fc.nat(50), fc.nat(50), fc.nat(2), (chain, top, after, who) => {
      const upTo = Math.min(top, chain.length);
      const signed = chain.flatMap(({ validators, silent }, i) =>
        validators.indexOf(addressOf(who)) >= 0 && !silent.includes(who) ? [i + 1] : [],
      );
      const inRange = signed.filter((height) => height > after && height <= upTo);
      const last = inRange.at(-1) ?? 0;
      expect(storeOf(chain).lastSignedBy(addressOf(who), upTo, after)).toBe(last);
      const paged = storeOf(chain, tinyPaging(chain));
      expect(paged.lastSignedBy(addressOf(who), upTo, after)).toBe(last);
    }),
  );
});

const quiet = (at: number, powers: readonly number[], silent: readonly number[] = []): Made => {
  const validators = listOf(powers);
  const time = BigInt(at) * SECOND;
  const hash = new Uint8Array(32).fill(at).fill(at >> 8, 0, 1);
  return {
    time,
    hash,
    appHash: EMPTY_HASH,
    resultsHash: EMPTY_HASH,
    proposer: 0,
    round: 0,
    body: EMPTY_BODY,
    absent: silent.map((who) => validators.indexOf(addressOf(who))),
    validators,
    times: { usual: time, others: new Map() },
    silent,
  };
};

const series = (count: number, powers: readonly number[], silent: readonly number[] = []) =>
  Array.from({ length: count }, (_, i) => quiet(i, powers, silent));

test("pages on which a validator was in no set, and runs of equal commits, are not read block by block", () => {
  const chain = [
    ...series(20, [1, 1, 0]),
    ...series(300, [1, 1, 0], [0]),
    ...series(500, [0, 1, 0]),
  ];
  const recall = vi.fn(tinyPaging(chain, 0, 10).recall);
  const blocks = storeOf(chain, { ...tinyPaging(chain, 0, 10), recall });
  const absentAt = vi.spyOn(BlockPage.prototype, "absentAt");
  const readsOf = (who: number, after = 0) => {
    absentAt.mockClear();
    recall.mockClear();
    const height = blocks.lastSignedBy(addressOf(who), chain.length, after);
    return { height, reads: absentAt.mock.calls.length, recalled: recall.mock.calls.length };
  };
  // One read for each of thirty pages without its precommits, and one for the page with its last
  // precommit.
  expect(readsOf(0)).toEqual({ height: 20, reads: 31, recalled: 31 });
  expect(readsOf(0, 330)).toEqual({ height: 0, reads: 0, recalled: 0 });
  expect(readsOf(1)).toEqual({ height: 820, reads: 1, recalled: 0 });
  expect(readsOf(2)).toEqual({ height: 0, reads: 0, recalled: 0 });
});

test("a quiet block takes 34 bytes, with one validator stopped too", () => {
  const many = [...series(5000, [1, 1, 1]), ...series(45_000, [1, 1, 1], [0])];
  const blocks = storeOf(many);
  const bytesPerBlock = blocks.sealed.residentBytes / (blocks.sealed.slots.at(-1)?.last ?? 1);
  expect(bytesPerBlock).toBeLessThan(35);
  expect(blocks.sealed.get(3).toBytes().length).toBeLessThan(4096 * 35);
});

test("fifty thousand changes of power take little beside their blocks", () => {
  const many = Array.from({ length: 50_000 }, (_, i) => quiet(i, [1 + (i % 5), 1, 2]));
  const blocks = storeOf(many);
  const bytesPerBlock = blocks.sealed.residentBytes / (blocks.sealed.slots.at(-1)?.last ?? 1);
  expect(bytesPerBlock).toBeLessThan(60);
  expect(blocks.validatorsAt(30_003).hash()).toEqual(many[30_002]?.validators.hash());
});
