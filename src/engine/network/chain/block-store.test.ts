import * as fc from "fast-check";
import { expect, test, vi } from "vitest";
import { ValidatorList } from "../../consensus/validator-list.ts";
import { BlockStore, EMPTY_BODY } from "./block-store.ts";

const ADDRESSES = [0, 1, 2].map((n) => new Uint8Array(20).fill(n + 1));

/** For each height of a chain: who is in the set, and who of them did not sign. */
const heights = fc.array(
  fc.record({ members: fc.subarray([0, 1, 2], { minLength: 1 }), silent: fc.subarray([0, 1, 2]) }),
  { maxLength: 12 },
);

const lists = new Map<string, ValidatorList>();

/** One list for equal members, as a chain keeps its list until the set changes. */
function listOf(members: readonly number[]): ValidatorList {
  const address = (n: number) => ADDRESSES[n] as Uint8Array;
  const made = new ValidatorList(
    members.map((n) => ({ address: address(n), pubKey: new Uint8Array(32).fill(n), power: 1 })),
  );
  const list = lists.get(members.join()) ?? made;
  lists.set(members.join(), list);
  return list;
}

interface Signers {
  readonly members: readonly number[];
  readonly silent: readonly number[];
}

function storeOf(chain: readonly Signers[]): BlockStore {
  const blocks = new BlockStore(0);
  for (const { members, silent } of chain) {
    blocks.append({
      time: 0n,
      hash: new Uint8Array(32),
      proposer: 0,
      round: 0,
      body: EMPTY_BODY,
      absent: members.flatMap((member, i) => (silent.includes(member) ? [i] : [])),
      validators: listOf(members),
      times: { usual: 0n, others: new Map() },
    });
  }
  return blocks;
}

test("the last block that a validator signed is the newest in the range with its precommit", () => {
  fc.assert(
    fc.property(heights, fc.nat(14), fc.nat(14), fc.nat(2), (chain, top, after, who) => {
      const upTo = Math.min(top, chain.length);
      const blocks = storeOf(chain);
      const signed = chain.flatMap(({ members, silent }, i) =>
        members.includes(who) && !silent.includes(who) ? [i + 1] : [],
      );
      const inRange = signed.filter((height) => height > after && height <= upTo);
      expect(blocks.lastSignedBy(ADDRESSES[who] as Uint8Array, upTo, after)).toBe(
        inRange.at(-1) ?? 0,
      );
    }),
  );
});

test("heights at which a validator was not in the set are not read one by one", () => {
  const times = (count: number, members: readonly number[], silent: readonly number[] = []) =>
    Array.from({ length: count }, () => ({ members, silent }));
  const chain = [...times(10, [0, 1]), ...times(3, [0, 1], [0]), ...times(500, [1])];
  const blocks = storeOf(chain);
  const reads = [vi.spyOn(blocks, "absentAt"), vi.spyOn(blocks, "validatorsAt")];
  const readsOf = (who: number, after = 0): { height: number; reads: number } => {
    for (const read of reads) read.mockClear();
    const height = blocks.lastSignedBy(ADDRESSES[who] as Uint8Array, chain.length, after);
    return { height, reads: reads.reduce((sum, { mock }) => sum + mock.calls.length, 0) };
  };
  // The three commits without its vote and the one with it; of the 500 above none.
  expect(readsOf(0)).toEqual({ height: 10, reads: 4 });
  expect(readsOf(0, 11)).toEqual({ height: 0, reads: 2 });
  expect(readsOf(1)).toEqual({ height: 513, reads: 1 });
  expect(readsOf(2)).toEqual({ height: 0, reads: 0 });
});
