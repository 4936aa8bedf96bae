import { accAddress, consAddress } from "../../../base/bech32.ts";
import { decFromString } from "../../../base/dec.ts";
import type { Context, Misbehavior } from "../../framework/context.ts";
import { ServiceRouter } from "../../framework/router.ts";
import { TestChain, testAddress, timeAt } from "../../framework/testing.ts";
import { createEvidenceModule } from "./module.ts";
import type { SlashingKeeper, StakingKeeper, ValidatorState, VerifyVote } from "./needs.ts";
import { registerQueries } from "./query-server.ts";

/** Fake of staking and slashing that records the calls. */
class FakeValidators implements StakingKeeper, SlashingKeeper {
  readonly known = new Map<string, ValidatorState>();
  readonly withoutPubkey = new Set<string>();
  readonly withoutSigningInfo = new Set<string>();
  readonly tombstoned = new Set<string>();
  readonly calls: string[] = [];

  add(address: Uint8Array, state: Partial<ValidatorState> = {}): void {
    const bonded: ValidatorState = { operator: address, jailed: false, status: "bonded" };
    this.known.set(consAddress(address), { ...bonded, ...state });
  }

  validatorByConsAddr(_ctx: Context, address: Uint8Array): ValidatorState | undefined {
    return this.known.get(consAddress(address));
  }
  getPubkey(_ctx: Context, address: Uint8Array): Uint8Array | undefined {
    return this.withoutPubkey.has(consAddress(address)) ? undefined : new Uint8Array(32);
  }
  hasValidatorSigningInfo(_ctx: Context, address: Uint8Array): boolean {
    return !this.withoutSigningInfo.has(consAddress(address));
  }
  isTombstoned(_ctx: Context, address: Uint8Array): boolean {
    return this.tombstoned.has(consAddress(address));
  }
  slashFractionDoubleSign(): bigint {
    return decFromString("0.05");
  }
  slashWithInfractionReason(
    _ctx: Context,
    address: Uint8Array,
    fraction: bigint,
    power: number,
    distributionHeight: number,
    infraction: string,
  ): void {
    this.calls.push(
      `slash ${consAddress(address)} ${fraction} ${power} ${distributionHeight} ${infraction}`,
    );
  }
  jail(_ctx: Context, address: Uint8Array): void {
    this.calls.push(`jail ${consAddress(address)}`);
  }
  jailUntil(_ctx: Context, address: Uint8Array, time: bigint): void {
    this.calls.push(`jailUntil ${consAddress(address)} ${time}`);
  }
  tombstone(_ctx: Context, address: Uint8Array): void {
    this.tombstoned.add(consAddress(address));
    this.calls.push(`tombstone ${consAddress(address)}`);
  }
}

export const OFFENDER = testAddress("val-2");
export const SUBMITTER = accAddress(testAddress("alice"));

/** A chain with only the evidence module and one bonded validator. */
export function evidenceChain(
  routes: readonly string[] = ["equivocation", "counterfactual", "scripted"],
  verifyVote: VerifyVote = () => true,
) {
  const chain = new TestChain("evidence");
  const validators = new FakeValidators();
  validators.add(OFFENDER);
  const module = createEvidenceModule({
    staking: validators,
    slashing: validators,
    verifyVote,
    routes,
  });
  const router = new ServiceRouter();
  module.registerMessages(router);
  registerQueries(router);
  return { chain, validators, module, keeper: module.keeper, router };
}

export const duplicateVote = (changes: Partial<Misbehavior> = {}): Misbehavior => ({
  type: 1,
  address: OFFENDER,
  power: 100,
  height: 8,
  time: timeAt(8),
  totalVotingPower: 400,
  ...changes,
});
