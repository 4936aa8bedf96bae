import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ONE } from "../../../base/dec.ts";
import { propertyRuns } from "../../../base/property.testing.ts";
import { SECOND } from "../../../base/time.ts";
import type { Context } from "../../framework/context.ts";
import { ChainError } from "../../framework/errors.ts";
import { emitDowntimeSlash, emitLiveness } from "../../modules/slashing/events.ts";
import type { SlashingKeeper } from "../../modules/slashing/keeper.ts";
import { clearMissedBlocks, hasMissed, setMissed } from "../../modules/slashing/missed-blocks.ts";
import { mustGetSigningInfo } from "../../modules/slashing/signing-info.ts";
import { minSigned, newSigningInfo } from "../../modules/slashing/types.ts";
import {
  type BlockPlan,
  cons,
  consText,
  type Liveness,
  POWER,
  StakingChain,
  type StakingChainOptions,
} from "./testing.ts";

/** The rule as specified (rules/slashing 4.1): every vote of every block, one write each. */
const naive = (k: SlashingKeeper): Liveness => ({
  hooks: {
    afterValidatorCreated: (ctx, operator) => k.addPubkey(ctx, k.staking.validator(ctx, operator)),
    afterValidatorRemoved: () => {},
    afterValidatorBonded(ctx, address) {
      const known = k.getSigningInfo(ctx, address) ?? newSigningInfo(0);
      k.setSigningInfo(ctx, address, { ...known, startHeight: ctx.height });
    },
    afterJailedChanged: () => {},
  },
  beginBlock(ctx) {
    const { lastCommit } = ctx.env.block;
    for (let i = 0; i < lastCommit.size; i++) {
      vote(k, ctx, lastCommit.address(i), lastCommit.power(i), lastCommit.absent.includes(i));
    }
  },
});

function vote(
  k: SlashingKeeper,
  ctx: Context,
  address: Uint8Array,
  power: number,
  missed: boolean,
): void {
  const unknown = k.staking.validatorByConsAddr(ctx, address) === undefined;
  if (unknown && ctx.profile.unknownVoter === "ignored") return;
  if (k.staking.isValidatorJailed(ctx, address)) return;
  const params = k.getParams(ctx);
  const window = params.signedBlocksWindow;
  const info = { ...mustGetSigningInfo(ctx, address) };
  const index = info.indexOffset % window;
  info.indexOffset += 1;
  const previous = hasMissed(ctx, address, index);
  if (!previous && missed) {
    setMissed(ctx, address, index, true);
    info.missedBlocksCounter += 1;
  } else if (previous && !missed) {
    setMissed(ctx, address, index, false);
    info.missedBlocksCounter -= 1;
  }
  if (missed) emitLiveness(ctx, address, info.missedBlocksCounter);
  const minHeight = info.startHeight + window;
  const maxMissed = window - minSigned(params);
  if (ctx.height > minHeight && info.missedBlocksCounter > maxMissed) {
    const burned = k.staking.slash(
      ctx,
      address,
      ctx.height - 2,
      power,
      params.slashFractionDowntime,
    );
    emitDowntimeSlash(ctx, address, power, burned);
    k.staking.jail(ctx, address);
    info.jailedUntil = ctx.time + params.downtimeJailDuration;
    info.missedBlocksCounter = 0;
    info.indexOffset = 0;
    clearMissedBlocks(ctx, address);
  }
  k.setSigningInfo(ctx, address, info);
}

const NAMES = ["a", "b", "c", "d", "e"] as const;
type Name = (typeof NAMES)[number];

type Action =
  | { readonly kind: "unjail"; readonly who: Name }
  | { readonly kind: "jail"; readonly who: Name }
  | { readonly kind: "delegate"; readonly who: Name; readonly to: Name; readonly power: number }
  | { readonly kind: "undelegate"; readonly who: Name; readonly to: Name; readonly power: number }
  | {
      readonly kind: "redelegate";
      readonly who: Name;
      readonly from: Name;
      readonly to: Name;
      readonly power: number;
    };

interface ModelStep {
  readonly absent: readonly Name[];
  readonly actions: readonly Action[];
}

const name = fc.constantFrom(...NAMES);
const power = fc.integer({ min: 1, max: 8 });
const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("unjail" as const), who: name }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("jail" as const), who: name }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant("delegate" as const), who: name, to: name, power }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant("undelegate" as const), who: name, to: name, power }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("redelegate" as const),
      who: name,
      from: name,
      to: name,
      power,
    }),
  },
);
const step: fc.Arbitrary<ModelStep> = fc.record({
  absent: fc.oneof(fc.constant([]), fc.subarray([...NAMES]), fc.constant(["a", "b"] as const)),
  actions: fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    { weight: 2, arbitrary: fc.array(action, { maxLength: 3 }) },
  ),
});

const act = (chain: StakingChain, ctx: Context, doing: Action): void => {
  const amount = "power" in doing ? BigInt(doing.power) * POWER : 0n;
  if (doing.kind === "unjail") chain.unjail(ctx, doing.who);
  else if (doing.kind === "jail") {
    ctx.atomically(() => chain.staking.keeper.jail(ctx, cons(doing.who)));
  } else if (doing.kind === "delegate") chain.delegate(ctx, doing.who, doing.to, amount);
  else if (doing.kind === "undelegate") chain.undelegate(ctx, doing.who, doing.to, amount);
  else chain.redelegate(ctx, doing.who, doing.from, doing.to, amount);
};

const plan = (chain: StakingChain, { absent, actions }: ModelStep): BlockPlan => ({
  absent,
  txs: (ctx) => {
    for (const doing of actions) {
      try {
        act(chain, ctx, doing);
      } catch (error) {
        // Refusals are expected; both chains must refuse the same.
        if (!(error instanceof ChainError)) throw error;
        ctx.emit("refused", ["why", error.message]);
      }
    }
  },
});

const infos = (chain: StakingChain): unknown => chain.slashing.genesis.export(chain.context());
const validators = (chain: StakingChain): unknown =>
  Array.from(chain.staking.keeper.allValidators(chain.context()));

const DEFAULTS: StakingChainOptions = {
  validators: { a: 10, b: 12, c: 9, d: 11, e: 3 },
  accounts: Object.fromEntries(NAMES.map((n) => [n, 100n * POWER])),
};

/**
 * Runs the same blocks with both rules and compares everything after each; ends if both fail the
 * same way.
 */
function runBoth(
  options: StakingChainOptions,
  blocks: readonly ((chain: StakingChain) => BlockPlan)[],
): string | undefined {
  const chain = new StakingChain(options);
  const model = new StakingChain({ ...options, liveness: naive });
  for (const [i, block] of blocks.entries()) {
    const [found, expected] = [chain, model].map((c) => {
      try {
        return c.next(block(c));
      } catch (error) {
        return String(error);
      }
    });
    expect(found, `block ${i + 1}`).toEqual(expected);
    if (typeof found === "string") return found;
    expect(infos(chain), `block ${i + 1}`).toEqual(infos(model));
    expect(validators(chain)).toEqual(validators(model));
    expect(chain.updates).toEqual(model.updates);
  }
  return undefined;
}

const jailedAtOnce: ModelStep[] = [
  {
    absent: [],
    actions: [
      { kind: "jail", who: "d" },
      { kind: "unjail", who: "d" },
    ],
  },
  ...Array.from({ length: 5 }, (): ModelStep => ({ absent: [], actions: [] })),
];

describe("counting by height gives exactly what counting every vote gives", () => {
  test("for every schedule", () => {
    fc.assert(
      fc.property(
        fc.array(step, { minLength: 5, maxLength: 60 }),
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 1, max: 60 }),
        fc.constantFrom("ignored" as const, "error" as const),
        (steps, window, maxValidators, unbonding, unknownVoter) => {
          const staking = { maxValidators, unbondingTime: BigInt(unbonding) * SECOND };
          const slashing = {
            signedBlocksWindow: window,
            downtimeJailDuration: 7n * SECOND,
            slashFractionDowntime: ONE / 3n,
          };
          const blocks = steps.map((doing) => (chain: StakingChain) => plan(chain, doing));
          runBoth({ ...DEFAULTS, staking, slashing, profile: { unknownVoter } }, blocks);
        },
      ),
      {
        numRuns: propertyRuns(60),
        // Jailed and unjailed before the first vote of the first set counts.
        examples: [[jailedAtOnce, 1, 2, 1, "ignored"]],
      },
    );
  });

  test("when one validator's downtime jails another whose vote is still to come", () => {
    const slashing = { signedBlocksWindow: 10, slashFractionDowntime: ONE / 3n };
    // Operator c has delegated to b and redelegates to c shortly before b is punished.
    const blocks = Array.from({ length: 20 }, (_, i) => (chain: StakingChain): BlockPlan => {
      const txs = (ctx: Context): void => {
        if (i === 0) chain.delegate(ctx, "c", "b", 6n * POWER);
        if (i === 9) chain.redelegate(ctx, "c", "b", "c", 6n * POWER);
        if (i === 9) chain.setMinSelfDelegation(ctx, "c", 15n * POWER);
        if (i === 13) chain.delegate(ctx, "c", "c", 6n * POWER);
        if (i === 13) chain.unjail(ctx, "c");
      };
      return { absent: i < 11 ? ["b"] : [], txs };
    });
    const chain = new StakingChain({ ...DEFAULTS, slashing });
    for (const block of blocks.slice(0, 11)) chain.next(block(chain));
    expect(chain.validator("b").jailed).toBe(true);
    expect(chain.validator("c").jailed).toBe(true);
    expect(runBoth({ ...DEFAULTS, slashing }, blocks)).toBeUndefined();
  });

  test("when one validator's downtime jails another whose vote was judged before, as the set changes", () => {
    const slashing = { signedBlocksWindow: 10, slashFractionDowntime: ONE / 3n };
    const validators = { a: 40, b: 12, c: 30, d: 31, e: 23 };
    const blocks = Array.from({ length: 20 }, (_, i) => (chain: StakingChain): BlockPlan => {
      const txs = (ctx: Context): void => {
        if (i === 0) chain.delegate(ctx, "c", "b", 6n * POWER);
        // The change is visible in the last commit of the block that punishes b, so all its votes
        // are checked.
        if (i === 7) chain.delegate(ctx, "a", "e", POWER);
        if (i === 9) chain.redelegate(ctx, "c", "b", "c", 6n * POWER);
        if (i === 9) chain.setMinSelfDelegation(ctx, "c", 36n * POWER);
      };
      return { absent: i < 11 ? ["b"] : [], txs };
    });
    expect(runBoth({ ...DEFAULTS, validators, slashing }, blocks)).toBeUndefined();
  });

  describe("when a validator's record is gone before its last votes", () => {
    const blocks = Array.from(
      { length: 6 },
      (_, i) =>
        (chain: StakingChain): BlockPlan => ({
          txs: (ctx) => {
            if (i === 2) chain.undelegate(ctx, "e", "e", 3n * POWER);
          },
        }),
    );
    const options = { ...DEFAULTS, staking: { unbondingTime: SECOND } };

    test("upstream's rule stops the block, and with it every node", () => {
      const profile = { unknownVoter: "error" as const };
      expect(runBoth({ ...options, profile }, blocks)).toContain("validator does not exist");
    });

    test("else those votes do not count, and it is said so", () => {
      expect(runBoth(options, blocks)).toBeUndefined();
      const chain = new StakingChain(options);
      for (const block of blocks) chain.next(block(chain));
      const found = `${consText("e")} is in the last commit and no validator any more`;
      expect(chain.takeSteps()).toContain(`liveness: ${found} [ignored]`);
    });
  });
});
