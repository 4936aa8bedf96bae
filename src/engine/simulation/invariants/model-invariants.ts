import { fromBinary } from "@bufbuild/protobuf";
import { consAddress } from "../../../base/bech32.ts";
import { PlanSchema } from "../../../gen/chain/upgrade/v1beta1/upgrade_pb.ts";
import type { ModuleStep } from "../../app/steps.ts";
import type { Event } from "../../framework/events.ts";
import { SLASHING, PREFIX as SLASHING_PREFIX } from "../../modules/slashing/keys.ts";
import { signingInfoCodec } from "../../modules/slashing/signing-info.ts";
import { addressKey, STAKING, PREFIX as STAKING_PREFIX } from "../../modules/staking/keys.ts";
import { MODULE_NAME as UPGRADE } from "../../modules/upgrade/types.ts";
import { diffStores } from "../../store/diff.ts";
import type { CommittedState } from "../../store/multi-store.ts";
import type { TreeNode } from "../../store/node.ts";
import type { Simulation } from "../simulation.ts";
import { assertInvariant } from "./holds.ts";
import { plansIn } from "./plans.ts";
import { ONE_BLOCK, Safety } from "./safety.ts";
import { SUPPLY, TokenBooks } from "./token-books.ts";

const BURNS = "supply falls by recorded burns alone";
const NO_POWER = "a tombstoned validator has no power";
const FOR_EVER = "a tombstone is for ever";
const RUNS_ONCE = "a plan runs once";
const CANCELLED = "a cancelled plan never runs";

/** Names of the invariants of every world. */
export const INVARIANTS = [
  SUPPLY,
  BURNS,
  ONE_BLOCK,
  NO_POWER,
  FOR_EVER,
  RUNS_ONCE,
  CANCELLED,
] as const;

/** Key of the scheduled plan in the upgrade store. */
const PLAN_KEY = Uint8Array.of(0);

/**
 * Checks the model's invariants as a world grows. Entries that a block did not write are not read
 * again, so a quiet block costs next to nothing. A world with manual edits is not checked.
 */
export class ModelInvariants {
  readonly #sim: Simulation;
  readonly #safety: Safety;
  readonly #books: TokenBooks;
  #height: number;
  #state: CommittedState;
  #slashing: TreeNode | undefined;
  /** Consensus addresses of tombstoned validators, by bech32. */
  readonly #tombstoned = new Map<string, Uint8Array>();
  #plan: string | undefined;
  readonly #cancelled = new Set<string>();
  readonly #executed = new Set<string>();

  constructor(sim: Simulation) {
    this.#sim = sim;
    this.#safety = new Safety(sim);
    this.#books = new TokenBooks(sim.spec.staking.bondDenom);
    this.#height = sim.height;
    this.#state = headState(sim);
    const plan = sim.storeValue(UPGRADE, PLAN_KEY);
    this.#plan = plan && fromBinary(PlanSchema, plan).name;
    if (sim.tampered.length === 0) this.#takeState(this.#state);
  }

  /** Call it after every command and round. Throws an InvariantError for the first violation. */
  look(): void {
    const sim = this.#sim;
    if (sim.tampered.length > 0) return;
    for (; this.#height < sim.height; this.#height++) this.#checkBlock(this.#height + 1);
    this.#safety.look();
  }

  #checkBlock(height: number): void {
    const sim = this.#sim;
    const { head } = sim.network.ledger;
    const newest = head.height === height ? head.outcome : undefined;
    const block = newest ? undefined : sim.block(height);
    const state = newest ? headState(sim) : sim.state(height);
    if (state !== this.#state) {
      this.#state = state;
      const { supply } = this.#books;
      this.#takeState(state);
      if (this.#books.supply !== supply) {
        const txs = newest?.txResults ?? block?.txs ?? [];
        const events = newest?.events ?? block?.events ?? [];
        const burned = burnedBy(events) + txs.reduce((sum, tx) => sum + burnedBy(tx.events), 0n);
        const due = supply - burned;
        const { supply: found } = this.#books;
        const words = () =>
          `at height ${height} it is ${found}: ${supply} before, ${burned} burned`;
        assertInvariant(BURNS, found === due, words);
      }
    }
    const steps = newest?.steps ?? block?.steps ?? [];
    if (steps.length > 0) this.#checkPlans(steps, height);
  }

  #takeState(state: CommittedState): void {
    const height = this.#height + 1;
    this.#books.take(state, height);
    this.#takeTombstones(state, height);
    // Upstream allows a removed validator to be created again with its old key.
    if (this.#tombstoned.size === 0 || this.#sim.spec.profile !== "documented") return;
    if (!state.has(STAKING)) return;
    const staking = state.reader(STAKING);
    for (const [name, address] of this.#tombstoned) {
      const operator = staking.get(addressKey(STAKING_PREFIX.validatorByConsAddr, address));
      const power = operator && staking.get(addressKey(STAKING_PREFIX.lastPower, operator));
      assertInvariant(
        NO_POWER,
        power === undefined,
        () => `${name} has power after height ${height}`,
      );
    }
  }

  #takeTombstones(state: CommittedState, height: number): void {
    const root = state.has(SLASHING) ? state.store(SLASHING).root : undefined;
    if (root === this.#slashing) return;
    for (const { key, after } of diffStores(this.#slashing, root)) {
      if (key[0] !== SLASHING_PREFIX.signingInfo) continue;
      const address = key.slice(2);
      const name = consAddress(address);
      if (after && signingInfoCodec.decode(after).tombstoned) this.#tombstoned.set(name, address);
      else
        assertInvariant(
          FOR_EVER,
          !this.#tombstoned.has(name),
          () => `that of ${name} is gone at height ${height}`,
        );
    }
    this.#slashing = root;
  }

  #checkPlans(steps: readonly ModuleStep[], height: number): void {
    for (const { what, name } of plansIn(steps)) {
      if (what === "executed") {
        assertInvariant(
          RUNS_ONCE,
          !this.#executed.has(name),
          () => `${name} runs again at height ${height}`,
        );
        assertInvariant(
          CANCELLED,
          !this.#cancelled.has(name),
          () => `${name} runs at height ${height}`,
        );
        const scheduled = this.#plan === name;
        assertInvariant(
          CANCELLED,
          scheduled,
          () => `${name} runs at height ${height} and is not scheduled`,
        );
        this.#executed.add(name);
      }
      if (what === "cancelled") this.#cancelled.add(name);
      if (what === "scheduled") this.#cancelled.delete(name);
      this.#plan = what === "scheduled" ? name : undefined;
    }
  }
}

function headState(sim: Simulation): CommittedState {
  const { head } = sim.network.ledger;
  return head.outcome?.state ?? head.state;
}

/** Returns the amount that was burned according to events. */
function burnedBy(events: readonly Event[]): bigint {
  let burned = 0n;
  for (const { type, attributes } of events) {
    if (type !== "burn") continue;
    const amount = attributes.find(({ key }) => key === "amount")?.value ?? "";
    burned += BigInt(/\d+/.exec(amount)?.[0] ?? 0);
  }
  return burned;
}
