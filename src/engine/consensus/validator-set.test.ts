import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compare, toHexUpper } from "../../base/bytes.ts";
import { addressOf } from "../../base/ed25519.ts";
import { propertyRuns } from "../../base/property.testing.ts";
import { leafHash, merkleRootOfHashes } from "../store/merkle.ts";
import { MAX_TOTAL_VOTING_POWER } from "./quorum.ts";
import { digest, keyOf } from "./testing.ts";
import { proposerOfRound, ValidatorSet, type ValidatorUpdate } from "./validator-set.ts";

/** Public keys are only placeholders here; addresses ascend with the number. */
const KEYS = Array.from({ length: 12 }, (_, i) => digest(`validator ${i}`)).sort((a, b) =>
  compare(addressOf(a), addressOf(b)),
);
const key = (i: number): Uint8Array => KEYS[i] as Uint8Array;
const change = (i: number, power: number): ValidatorUpdate => ({ pubKey: key(i), power });
const create = (...powers: number[]): ValidatorSet =>
  ValidatorSet.create(powers.map((p, i) => change(i, p)));

interface Entry {
  address: Uint8Array;
  power: bigint;
  priority: bigint;
}

/**
 * CometBFT's rules exactly (rules/consensus 4.1, 4.2) in unbounded integers, without caches or
 * shortcuts.
 */
class Reference {
  entries: Entry[] = [];
  proposer: Entry | null = null;

  get total(): bigint {
    return this.entries.reduce((sum, s) => sum + s.power, 0n);
  }

  apply(updates: readonly ValidatorUpdate[]): void {
    if (updates.length === 0) return;
    const find = (address: Uint8Array) =>
      this.entries.find((s) => compare(s.address, address) === 0);
    const updated = updates.map((u) => ({ address: addressOf(u.pubKey), power: BigInt(u.power) }));
    const added: Entry[] = [];
    for (const { address, power } of updated.filter((u) => u.power > 0n)) {
      const entry = find(address);
      if (entry) entry.power = power;
      else added.push({ address, power, priority: 0n });
    }
    this.entries.push(...added);
    for (const entry of added) entry.priority = -(this.total + (this.total >> 3n));
    const gone = updated.filter((u) => u.power === 0n).map((u) => toHexUpper(u.address));
    this.entries = this.entries.filter((s) => !gone.includes(toHexUpper(s.address)));
    this.rescale();
    this.centre();
    this.entries.sort((a, b) => Number(b.power - a.power) || compare(a.address, b.address));
    this.proposer = null;
  }

  increment(times: number): void {
    this.rescale();
    this.centre();
    for (let i = 0; i < times; i++) {
      for (const entry of this.entries) entry.priority += entry.power;
      const picked = this.first();
      picked.priority -= this.total;
      this.proposer = picked;
    }
  }

  first(): Entry {
    return this.entries.reduce((a, b) => {
      if (a.priority !== b.priority) return a.priority > b.priority ? a : b;
      return compare(a.address, b.address) < 0 ? a : b;
    });
  }

  rescale(): void {
    const window = 2n * this.total;
    const spread = this.spread();
    const ratio = (spread + window - 1n) / window;
    if (spread > window) for (const entry of this.entries) entry.priority /= ratio;
  }

  centre(): void {
    const sum = this.entries.reduce((total, s) => total + s.priority, 0n);
    const n = BigInt(this.entries.length);
    let average = sum / n;
    if (sum < 0n && average * n !== sum) average -= 1n;
    for (const entry of this.entries) entry.priority -= average;
  }

  spread(): bigint {
    const all = this.entries.map((s) => s.priority).sort((a, b) => (a < b ? -1 : 1));
    return (all.at(-1) ?? 0n) - (all[0] ?? 0n);
  }
}

function expectSame(set: ValidatorSet, reference: Reference): void {
  expect(set.addresses.map(toHexUpper)).toEqual(
    reference.entries.map((s) => toHexUpper(s.address)),
  );
  expect(Array.from(set.powers, BigInt)).toEqual(reference.entries.map((s) => s.power));
  expect(Array.from(set.priorities, BigInt)).toEqual(reference.entries.map((s) => s.priority));
  const proposer = reference.proposer ?? reference.first();
  expect(toHexUpper(set.list.at(set.proposer()).address)).toBe(toHexUpper(proposer.address));
}

function sequence(set: ValidatorSet, names: string[], turns: number): string {
  const out: string[] = [];
  for (let i = 0; i < turns; i++) {
    const at = toHexUpper(set.list.at(set.proposer()).pubKey);
    out.push(names[KEYS.findIndex((k) => toHexUpper(k) === at)] ?? "?");
    set.incrementProposerPriority(1);
  }
  return out.join(" ");
}

describe("the order of proposers", () => {
  test("three validators with powers 1000, 300, 330 propose in CometBFT's published sequence", () => {
    const set = ValidatorSet.create([change(2, 1000), change(0, 300), change(1, 330)]);
    expect(sequence(set, ["bar", "baz", "foo"], 99)).toBe(
      [
        "foo baz foo bar foo foo baz foo bar foo foo baz foo foo bar foo baz foo foo bar",
        "foo foo baz foo bar foo foo baz foo bar foo foo baz foo foo bar foo baz foo foo bar",
        "foo baz foo foo bar foo baz foo foo bar foo baz foo foo foo baz bar foo foo foo baz",
        "foo bar foo foo baz foo bar foo foo baz foo bar foo foo baz foo bar foo foo baz foo",
        "foo bar foo baz foo foo bar foo baz foo foo bar foo baz foo foo",
      ].join(" "),
    );
  });

  test("equal powers take turns in the order of addresses", () => {
    expect(sequence(create(100, 100, 100), ["a", "b", "c"], 7)).toBe("a b c a b c a");
  });

  test("just over four times the others' power proposes twice in a row, exactly four times does not", () => {
    expect(sequence(create(100, 100, 400), ["a", "b", "c"], 2)).toBe("c a");
    expect(sequence(create(100, 100, 401), ["a", "b", "c"], 3)).toBe("c c a");
  });

  test("validators propose in proportion to power", () => {
    const turns = sequence(create(4, 5, 3), ["a", "b", "c"], 120).split(" ");
    const counts = ["a", "b", "c"].map((name) => turns.filter((t) => t === name).length);
    expect(counts).toEqual([40, 50, 30]);
  });

  test("each later round of a height passes the turn on, without moving the height's set", () => {
    const set = create(10, 10, 10);
    expect([0, 1, 2, 3].map((round) => proposerOfRound(set, round))).toEqual([0, 1, 2, 0]);
    expect(set.proposer()).toBe(0);
  });
});

describe("priorities", () => {
  test("powers 10, 1, 1 move as CometBFT's worked example says", () => {
    const set = create(10, 1, 1);
    // The example starts at zero; so does a new set, which is centred from equal priorities, one
    // increment earlier.
    const expected = [
      [-2, 1, 1],
      [-4, 2, 2],
      [-6, 3, 3],
      [-8, 4, 4],
      [2, -7, 5],
      [0, -6, 6],
      [-2, -5, 7],
      [-4, -4, 8],
      [6, -3, -3],
      [4, -2, -2],
      [2, -1, -1],
    ];
    const seen = expected.map((_, i) => {
      if (i > 0) set.incrementProposerPriority(1);
      return [...set.priorities];
    });
    expect(seen).toEqual(expected);
  });

  test("a validator that leaves and returns starts at −1.125 times the total power", () => {
    const set = create(100, 100, 100);
    const returned = set.withUpdates([change(2, 0)]).withUpdates([change(2, 100)]);
    const at = returned.indexOf(addressOf(key(2)));
    expect(returned.priorities[at]).toBeLessThan(-200);
    expect(proposerOfRound(returned, 1)).not.toBe(at);
  });

  test("the total before removals measures a newcomer's priority", () => {
    const set = create(8, 8);
    const reference = new Reference();
    reference.apply([change(0, 8), change(1, 8)]);
    reference.increment(1);
    const swap = [change(1, 0), change(2, 16)];
    reference.apply(swap);
    expectSame(set.withUpdates(swap), reference);
  });

  const updates = fc.uniqueArray(
    fc.record({
      i: fc.nat(KEYS.length - 1),
      power: fc.oneof(
        fc.constant(0),
        fc.integer({ min: 1, max: 20 }),
        fc.integer({ min: 1, max: Math.floor(MAX_TOTAL_VOTING_POWER / 12) }),
      ),
    }),
    { selector: (u) => u.i, maxLength: 6 },
  );
  const step = fc.oneof(
    fc.record({ updates, times: fc.integer({ min: 1, max: 3 }) }),
    fc.record({ updates: fc.constant([]), times: fc.integer({ min: 1, max: 30 }) }),
  );

  test("over random changes and turns they equal those of a plain reference in big integers", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 1000 }), { minLength: 1, maxLength: 6 }),
        fc.array(step, { maxLength: 25 }),
        (powers, steps) => {
          let set = create(...powers);
          const reference = new Reference();
          reference.apply(powers.map((p, i) => change(i, p)));
          reference.increment(1);
          expectSame(set, reference);
          for (const { updates: wanted, times } of steps) {
            const known = wanted.filter(
              (u) => u.power > 0 || set.indexOf(addressOf(key(u.i))) >= 0,
            );
            const changes = known.map((u) => change(u.i, u.power));
            const before = [...set.priorities];
            let next: ValidatorSet;
            try {
              next = set.withUpdates(changes);
            } catch (error) {
              expect((error as Error).message).toMatch(/empty set|exceeds max/);
              continue;
            }
            expect([...set.priorities]).toEqual(before);
            reference.apply(changes);
            if (changes.length > 0) {
              expect(reference.spread()).toBeLessThanOrEqual(2n * reference.total);
            }
            expectSame(next, reference);
            next.incrementProposerPriority(times);
            reference.increment(times);
            expectSame(next, reference);
            set = next;
          }
        },
      ),
      { numRuns: propertyRuns(150) },
    );
  });

  test("stay centred over increments, so centring again would do nothing", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 1e12 }), { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 1, max: 60 }),
        (powers, turns) => {
          const set = create(...powers);
          const sum = (): number => set.priorities.reduce((a, b) => a + b, 0);
          for (let i = 0; i < turns; i++) {
            set.incrementProposerPriority(1);
            // The average, rounded down, is 0.
            expect(sum()).toBeGreaterThanOrEqual(0);
            expect(sum()).toBeLessThan(set.size);
          }
        },
      ),
    );
  });

  test("turns alone can push them out of the window; they are then rescaled and centred again", () => {
    const swap = [change(0, 10), change(1, 0), change(3, 2)];
    const set = create(3, 9, 3).withUpdates(swap);
    const reference = new Reference();
    reference.apply([change(0, 3), change(1, 9), change(2, 3)]);
    reference.increment(1);
    reference.apply(swap);
    let rescaled = 0;
    for (let i = 0; i < 10; i++) {
      if (reference.spread() > 2n * reference.total) rescaled++;
      set.incrementProposerPriority(1);
      reference.increment(1);
      expectSame(set, reference);
    }
    expect(rescaled).toBeGreaterThan(0);
  });

  test("at the greatest total power they are still exact", () => {
    const half = Math.floor(MAX_TOTAL_VOTING_POWER / 2);
    let set = create(half, half);
    const reference = new Reference();
    reference.apply([change(0, half), change(1, half)]);
    reference.increment(1);
    const swap = [change(0, 0), change(2, half - 1), change(3, 1), change(4, 1)];
    set = set.withUpdates(swap);
    reference.apply(swap);
    for (let i = 0; i < 50; i++) {
      expectSame(set, reference);
      set.incrementProposerPriority(1);
      reference.increment(1);
    }
  });
});

describe("changes that are refused leave the set as it was", () => {
  const set = create(10, 10);
  const refuse = (...updates: ValidatorUpdate[]) => expect(() => set.withUpdates(updates));
  const hex = (i: number): string => toHexUpper(addressOf(key(i)));

  test("duplicates", () => {
    refuse(change(0, 11), change(1, 5), change(0, 0)).toThrow(
      `duplicate entry Validator{${hex(0)} PubKeyEd25519{${toHexUpper(key(0))}}`,
    );
  });
  test("a negative power", () =>
    refuse(change(0, -123)).toThrow("voting power can't be negative: -123"));
  test("a broken power", () => refuse(change(0, 1.5)).toThrow("voting power must be whole: 1.5"));
  test("removal of an unknown validator", () =>
    refuse(change(5, 0)).toThrow(`failed to find validator ${hex(5)} to remove`));
  test("removal of all validators", () =>
    refuse(change(0, 0), change(1, 0)).toThrow(
      "applying the validator changes would result in empty set",
    ));
  test("one power above the cap", () =>
    refuse(change(0, MAX_TOTAL_VOTING_POWER + 1)).toThrow("voting power can't be higher than"));
  test("a total above the cap", () =>
    refuse(change(2, MAX_TOTAL_VOTING_POWER - 19)).toThrow(
      `total voting power of resulting valset exceeds max ${MAX_TOTAL_VOTING_POWER}`,
    ));
  test("a total at the cap is accepted", () => {
    expect(set.withUpdates([change(2, MAX_TOTAL_VOTING_POWER - 20)]).totalPower).toBe(
      MAX_TOTAL_VOTING_POWER,
    );
  });
  test("a new chain without validators, or with powerless ones", () => {
    expect(() => ValidatorSet.create([])).toThrow("validator set is nil or empty");
    expect(() => ValidatorSet.create([change(0, 0), change(1, 5)])).toThrow("voting power 0");
  });
});

describe("the validators hash", () => {
  test("is the Merkle root of public key and power in set order", () => {
    const set = create(5, 300);
    const leaf = (pubKey: Uint8Array, power: number[]): Uint8Array =>
      leafHash(Uint8Array.from([0x0a, 0x22, 0x0a, 0x20, ...pubKey, 0x10, ...power]));
    const want = merkleRootOfHashes([leaf(key(1), [0xac, 0x02]), leaf(key(0), [5])]);
    expect(toHexUpper(set.hash())).toBe(toHexUpper(want));
  });

  test("does not depend on priorities but on every power", () => {
    const set = create(5, 300);
    const before = toHexUpper(set.hash());
    set.incrementProposerPriority(1);
    expect(toHexUpper(set.hash())).toBe(before);
    expect(toHexUpper(set.withUpdates([change(0, 6)]).hash())).not.toBe(before);
  });
});

test("validators are found by address", () => {
  const set = ValidatorSet.create([{ pubKey: keyOf("a").publicKey, power: 7 }, change(0, 9)]);
  expect(set.indexOf(addressOf(keyOf("a").publicKey))).toBe(1);
  expect(set.indexOf(addressOf(key(3)))).toBe(-1);
  expect(set.list.find(addressOf(key(3)))).toBeNull();
  expect(() => set.list.at(2)).toThrow(RangeError);
});
