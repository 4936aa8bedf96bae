import { concat, u64be, utf8 } from "../../../base/bytes.ts";
import { type KeyPair, keysFromSeeds } from "../../../base/ed25519.ts";
import { sha256 } from "../../../base/sha256.ts";
import type { Time } from "../../../base/time.ts";
import type { BinarySpec } from "../../app/binary.ts";
import type { ProfileName } from "../../app/profile.ts";
import type { Tampered } from "../../network/chain/ledger.ts";
import type { ModuleParams } from "./params.ts";

/**
 * Complete genesis of a world: with the journal it determines every later byte. Amounts are in the
 * smallest unit, durations in nanoseconds; the staking token is the bond denom. With a `start`,
 * stakes, amounts and parameters repeat its state.
 */
export interface WorldSpec extends ModuleParams {
  readonly seed: number;
  readonly chainId: string;
  readonly genesisTime: Time;
  /** Height of the first block; CometBFT's `initial_height`. */
  readonly initialHeight: number;
  /** Address prefix, one word or three (`ADDRESS_PREFIX`); `chain` if absent. */
  readonly prefix?: string;
  readonly profile: ProfileName;
  readonly blockTime: bigint;
  readonly maxEvidenceAge: bigint;
  readonly maxEvidenceAgeBlocks: number;
  /** Maximum bytes of evidence in a block; CometBFT's default if absent. */
  readonly maxEvidenceBytes?: number;
  /** Handlers registered before the Router is sealed; none means no Router at all. */
  readonly evidenceRoutes: readonly string[];
  readonly commits: "compact" | "full";
  /** Time to react to a passed upgrade; advisory only. */
  readonly safetyDelta: bigint;
  readonly accounts: readonly { readonly name: string; readonly amount: bigint }[];
  readonly validators: readonly ValidatorSpec[];
  /** Always includes `V1`. */
  readonly binaries: readonly BinarySpec[];
  /** The exported state that this chain continues; absent for a new chain. */
  readonly start?: StartState;
}

/** An exported state to continue. */
export interface StartState {
  /** Genesis state by module, as protobuf bytes. */
  readonly appState: Readonly<Record<string, Uint8Array>>;
  /** Consensus versions of the state, by module. */
  readonly versions: Readonly<Record<string, number>>;
  /** The `lab.v1.Continuation` in protobuf bytes; absent in exports of other software. */
  readonly continuation?: Uint8Array;
  /** The seed from which the validators' consensus keys were drawn. */
  readonly keySeed: number;
  /** Manual edits in the exported chain; absent if there were none. */
  readonly tampered?: readonly Tampered[];
}

export interface ValidatorSpec {
  readonly name: string;
  /** Self-delegation, smallest unit; power is stake / 10^6 rounded down. */
  readonly stake: bigint;
  readonly binary: string;
}

/** Spendable balance of each validator's operator account at genesis, in the smallest unit. */
export const OPERATOR_BALANCE = 1_000_000_000n;

/** Account address of a name, 20 bytes. A validator's operator account has the validator's name. */
export const accountOf = (name: string): Uint8Array =>
  sha256(utf8(`chainlab/account/${name}`)).slice(0, 20);

/** Consensus keys of validators, determined by name and seed. */
export const consensusKeysOf = (names: readonly string[], seed: number): KeyPair[] =>
  keysFromSeeds(
    names.map((name) => sha256(concat(utf8("chainlab/consensus/"), u64be(seed), utf8(name)))),
  );

export const consensusKeyOf = (name: string, seed: number): KeyPair =>
  consensusKeysOf([name], seed)[0] as KeyPair;
