import * as fc from "fast-check";
import { expect, test } from "vitest";
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

test("the last block that a validator signed is the newest in the range with its precommit", () => {
  fc.assert(
    fc.property(heights, fc.nat(14), fc.nat(14), fc.nat(2), (chain, top, after, who) => {
      const upTo = Math.min(top, chain.length);
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
