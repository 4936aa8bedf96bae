import { describe, expect, test } from "vitest";
import { ONE } from "../../../base/dec.ts";
import { cons, consText, StakingChain } from "./testing.ts";

const info = (chain: StakingChain, name: string) => {
  const query = "chain.slashing.v1beta1.Query/SigningInfo";
  const { valSigningInfo: found } = chain.query<{
    valSigningInfo: {
      startHeight: bigint;
      indexOffset: bigint;
      missedBlocksCounter: bigint;
      tombstoned: boolean;
      jailedUntil: { seconds: bigint };
    };
  }>(query, { consAddress: consText(name) });
  return {
    start: Number(found.startHeight),
    offset: Number(found.indexOffset),
    missed: Number(found.missedBlocksCounter),
    jailedUntil: found.jailedUntil.seconds,
    tombstoned: found.tombstoned,
  };
};

describe("a validator that stops signing", () => {
  const options = {
    validators: { a: 100, b: 1000 },
    slashing: { signedBlocksWindow: 1000, slashFractionDowntime: ONE / 100n },
  };

  test("TestHandleAlreadyJailed: the 501st miss jails and slashes once, a further miss changes nothing", () => {
    const chain = new StakingChain(options);
    chain.runTo(1001);
    chain.runTo(1501, { absent: ["a"] });
    expect(chain.validator("a").jailed).toBe(false);
    expect(info(chain, "a").missed).toBe(500);

    const events = chain.next({ absent: ["a"] });
    expect(chain.validator("a")).toMatchObject({
      jailed: true,
      tokens: 99_000_000n,
      status: "unbonding",
    });
    expect(info(chain, "a")).toMatchObject({ missed: 0, offset: 0, start: 0 });
    expect(events.slice(0, 4)).toEqual([
      `liveness{address=${consText("a")}, missed_blocks=501, height=1502}`,
      expect.stringMatching(/^coin_spent\{.*amount=1000000stake\}$/),
      expect.stringMatching(/^burn\{.*amount=1000000stake\}$/),
      `slash{address=${consText("a")}, power=100, reason=missing_signature, jailed=${consText("a")}, burned_coins=1000000}`,
    ]);

    expect(chain.next({ absent: ["a"] })).toEqual([]);
    expect(chain.validator("a").tokens).toBe(99_000_000n);
  });

  test("TestHandleNewValidator: its window begins where it was bonded, so one miss jails no validator", () => {
    const chain = new StakingChain({ ...options, accounts: { c: 50_000_000n } });
    chain.runTo(1001);
    chain.next({ txs: (ctx) => chain.create(ctx, "c", 50_000_000n) });
    const bonded = chain.height;
    expect(info(chain, "c")).toMatchObject({ start: bonded, offset: 0, missed: 0 });
    chain.runTo(bonded + 2);
    expect(info(chain, "c").offset).toBe(0);
    chain.next();
    chain.next({ absent: ["c"] });
    expect(info(chain, "c")).toEqual({
      start: bonded,
      offset: 2,
      missed: 1,
      jailedUntil: 0n,
      tombstoned: false,
    });
    expect(chain.validator("c")).toMatchObject({ status: "bonded", jailed: false });
  });

  test("that signs nothing from its first block is jailed at the first height beyond the window", () => {
    const chain = new StakingChain({ validators: { a: 1, b: 10 } });
    chain.runTo(100, { absent: ["a"] });
    expect(info(chain, "a").missed).toBe(99);
    expect(chain.validator("a").jailed).toBe(false);
    chain.next({ absent: ["a"] });
    expect(chain.height).toBe(101);
    expect(chain.validator("a").jailed).toBe(true);
  });

  test("is jailed even on a signed vote, once the window has passed and it is over the limit", () => {
    const chain = new StakingChain({ validators: { a: 1, b: 10 } });
    chain.runTo(100, { absent: ["a"] });
    const events = chain.next();
    expect(chain.validator("a").jailed).toBe(true);
    expect(events.filter((event) => event.startsWith("liveness"))).toEqual([]);
  });

  test("leaves no trace in the store once the missed blocks have left the window", () => {
    const chain = new StakingChain({ validators: { a: 1, b: 10 } });
    chain.runTo(10);
    chain.next({ absent: ["a"] });
    const dumped = chain.test.dump("slashing");
    expect(Object.keys(dumped).filter((key) => key.startsWith("02"))).toHaveLength(1);
    chain.runTo(110);
    expect(info(chain, "a").missed).toBe(1);
    chain.next();
    expect(info(chain, "a").missed).toBe(0);
    const left = Object.keys(chain.test.dump("slashing"));
    expect(left.filter((key) => key.startsWith("02"))).toEqual([]);
  });
});

test("a block that all validators sign writes nothing to any store", () => {
  const chain = new StakingChain({ validators: { a: 5, b: 10, c: 7 } });
  chain.runTo(3);
  const before = chain.test.stores.mark();
  expect(chain.next()).toEqual([]);
  const after = chain.test.stores.mark();
  expect(after.stores.every((draft, i) => draft === before.stores[i])).toBe(true);
  expect(after.memories.map((draft, i) => draft === before.memories[i])).toEqual([
    true,
    true,
    true,
  ]);
});

describe("an absent validator that the chain does not know", () => {
  const judged = (unknownVoter: "ignored" | "error"): StakingChain => {
    const chain = new StakingChain({ validators: { a: 5, b: 10 }, profile: { unknownVoter } });
    chain.runTo(3);
    const stranger = {
      size: 1,
      validatorsHash: () => cons("stranger"),
      address: () => cons("stranger"),
      power: () => 1,
      absent: [0],
    };
    chain.height += 1;
    chain.slashing.beginBlock?.(chain.context(stranger));
    return chain;
  };

  test("is passed over, with a word", () => {
    const chain = judged("ignored");
    expect(chain.takeSteps()).toEqual([
      `liveness: ${consText("stranger")} is in the last commit and no validator any more [ignored]`,
    ]);
    expect(chain.test.takeEvents()).toEqual([]);
  });

  test("stops the block where upstream's rule holds: staking 3", () => {
    expect(() => judged("error")).toThrow("validator does not exist");
  });
});

test("the store holds upstream's keys alone, and a block that all validators sign leaves it as it was", () => {
  const chain = new StakingChain({
    validators: { a: 10, b: 8, c: 6 },
    slashing: { signedBlocksWindow: 10 },
  });
  chain.runTo(4);
  const before = chain.test.dump("slashing");
  chain.runTo(8);
  expect(chain.test.dump("slashing")).toEqual(before);
  expect(info(chain, "a").offset).toBe(7);
  chain.runTo(20, { absent: ["c"] });
  expect(chain.validator("c").jailed).toBe(true);
  const prefixes = Object.keys(chain.test.dump("slashing")).map((key) => key.slice(0, 2));
  expect([...new Set(prefixes)].sort()).toEqual(["00", "01", "03"]);
  const staking = Object.keys(chain.test.dump("staking")).map((key) => key.slice(0, 2));
  expect(staking).not.toContain("60");
});
