import { create } from "@bufbuild/protobuf";
import type { Any } from "@bufbuild/protobuf/wkt";
import fc from "fast-check";
import { accAddress, consAddress, valAddress } from "../../base/bech32.ts";
import { SECOND, toTimestamp } from "../../base/time.ts";
import { PubKeySchema } from "../../gen/chain/crypto/ed25519/keys_pb.ts";
import {
  EquivocationSchema,
  ScriptedEvidenceSchema,
} from "../../gen/chain/evidence/v1beta1/evidence_pb.ts";
import { MsgSubmitEvidenceSchema } from "../../gen/chain/evidence/v1beta1/tx_pb.ts";
import { MsgUnjailSchema } from "../../gen/chain/slashing/v1beta1/tx_pb.ts";
import {
  MsgBeginRedelegateSchema,
  MsgCreateValidatorSchema,
  MsgDelegateSchema,
  MsgUndelegateSchema,
} from "../../gen/chain/staking/v1beta1/tx_pb.ts";
import { packAny, packInit } from "../framework/codec.ts";
import { durationMessage } from "../framework/time-messages.ts";
import { accountOf, consensusKeyOf } from "./genesis/world-spec.ts";
import { Simulation } from "./simulation.ts";
import { worldSpec } from "./testing.ts";

/** Random chains: stake changes, offences of every kind, true and false evidence, passing time. */

const NAMES = ["val-0", "val-1", "val-2", "val-3", "val-4"] as const;
const PEOPLE = [...NAMES, "alice"] as const;
const POWER = 1_000_000n;

export type StoryStep =
  | { readonly do: "stake"; who: string; from: string; to: string; how: string; amount: bigint }
  | { readonly do: "create"; who: string; key: string; amount: bigint }
  | { readonly do: "unjail" | "double sign" | "stop" | "start"; who: string }
  | { readonly do: "misbehavior"; who: string; kind: number; ago: number; power: number }
  | { readonly do: "submit"; who: string; ago: number; power: number; outcome: string }
  | { readonly do: "run"; blocks: number };

export const validator = fc.constantFrom(...NAMES);
const ago = fc.integer({ min: 0, max: 9 });
const power = fc.constantFrom(0, 1, 100, 100, 100, 500);
export const step: fc.Arbitrary<StoryStep> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("stake" as const),
      who: fc.constantFrom(...PEOPLE),
      from: validator,
      to: validator,
      how: fc.constantFrom("delegate", "undelegate", "redelegate"),
      amount: fc.bigInt({ min: 1n, max: 120n * POWER }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("create" as const),
      who: fc.constantFrom(...PEOPLE),
      // A validator's own key, which may be tombstoned, another validator's, or an unused one.
      key: fc.constantFrom(...NAMES, "fresh"),
      amount: fc.bigInt({ min: 1n, max: 40n * POWER }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom(
        "unjail" as const,
        "double sign" as const,
        "stop" as const,
        "start" as const,
      ),
      who: validator,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("misbehavior" as const),
      who: validator,
      kind: fc.integer({ min: 0, max: 3 }),
      ago,
      power,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("submit" as const),
      who: validator,
      ago,
      power,
      outcome: fc.constantFrom("equivocation", "accept", "reject", "panic"),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("run" as const),
      blocks: fc.integer({ min: 1, max: 6 }),
    }),
  },
);
export const story = fc.array(step, { minLength: 10, maxLength: 50 });

export const account = (name: string): string => accAddress(accountOf(name));
const operator = (name: string): string => valAddress(accountOf(name));

/** Evidence expires after 30 s, stake is locked for 40 s; a block takes 5 s. */
export const newWorld = (): Simulation => {
  return Simulation.create(
    worldSpec(
      {
        maxEvidenceAge: 30n * SECOND,
        evidenceRoutes: ["equivocation", "scripted"],
        staking: { unbondingTime: durationMessage(40n * SECOND), maxValidators: 4 },
        slashing: { signedBlocksWindow: 8n, downtimeJailDuration: durationMessage(20n * SECOND) },
      },
      NAMES.length,
    ),
  );
};

function staking({ how, who, from, to, amount }: Extract<StoryStep, { do: "stake" }>): Any {
  const delegatorAddress = account(who);
  const coin = { denom: "stake", amount: amount.toString() };
  if (how === "delegate") {
    return packInit(MsgDelegateSchema, {
      delegatorAddress,
      validatorAddress: operator(to),
      amount: coin,
    });
  }
  if (how === "undelegate") {
    return packInit(MsgUndelegateSchema, {
      delegatorAddress,
      validatorAddress: operator(from),
      amount: coin,
    });
  }
  return packInit(MsgBeginRedelegateSchema, {
    delegatorAddress,
    validatorSrcAddress: operator(from),
    validatorDstAddress: operator(to),
    amount: coin,
  });
}

const creation = ({ who, key, amount }: Extract<StoryStep, { do: "create" }>, seed: number): Any =>
  packInit(MsgCreateValidatorSchema, {
    description: { moniker: who },
    commission: { rate: "0", maxRate: "0", maxChangeRate: "0" },
    minSelfDelegation: "1",
    validatorAddress: operator(who),
    pubkey: packInit(PubKeySchema, { key: consensusKeyOf(key, seed).publicKey }),
    value: { denom: "stake", amount: amount.toString() },
  });

const heightAgo = (sim: Simulation, blocks: number): number => Math.max(1, sim.height - blocks);

function evidenceOf(sim: Simulation, doing: Extract<StoryStep, { do: "submit" }>): Any {
  const height = heightAgo(sim, doing.ago);
  if (doing.outcome !== "equivocation") {
    const { outcome } = doing;
    const scripted = { height: BigInt(height), outcome, text: doing.who };
    return packAny(ScriptedEvidenceSchema, create(ScriptedEvidenceSchema, scripted));
  }
  return packInit(EquivocationSchema, {
    height: BigInt(height),
    time: toTimestamp(sim.timeAt(height) ?? 0n),
    power: BigInt(doing.power),
    consensusAddress: consAddress(sim.node(doing.who)?.consensusAddress ?? new Uint8Array()),
  });
}

export const submission = (sim: Simulation, doing: Extract<StoryStep, { do: "submit" }>): Any =>
  packInit(MsgSubmitEvidenceSchema, {
    submitter: account("alice"),
    evidence: evidenceOf(sim, doing),
  });

export function act(sim: Simulation, doing: StoryStep): void {
  if (doing.do === "run") {
    for (let i = 0; i < doing.blocks; i++) sim.advance();
    return;
  }
  try {
    if (doing.do === "stake") {
      sim.apply({ type: "tx", signer: doing.who, messages: [staking(doing)] });
    } else if (doing.do === "create") {
      sim.apply({ type: "tx", signer: doing.who, messages: [creation(doing, sim.spec.seed)] });
    } else if (doing.do === "submit") {
      sim.apply({ type: "tx", signer: "alice", messages: [submission(sim, doing)] });
    } else if (doing.do === "unjail") {
      const messages = [packInit(MsgUnjailSchema, { validatorAddr: operator(doing.who) })];
      sim.apply({ type: "tx", signer: doing.who, messages });
    } else if (doing.do === "double sign") sim.apply({ type: "double_sign", node: doing.who });
    else if (doing.do === "misbehavior") {
      const { who, kind, power: claimed } = doing;
      const height = heightAgo(sim, doing.ago);
      sim.apply({ type: "misbehavior", kind, validator: who, height, power: claimed });
    } else sim.apply({ type: "node", node: doing.who, action: { kind: doing.do } });
  } catch {
    // An invalid command is refused and changes nothing.
  }
}
