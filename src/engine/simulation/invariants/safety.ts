import { equal, toHex } from "../../../base/bytes.ts";
import { SIGNER_STATE } from "../../network/node/signer-state.ts";
import type { Command } from "../command.ts";
import type { Simulation } from "../simulation.ts";
import { assertInvariant } from "./holds.ts";

export const ONE_BLOCK = "one block at each height";

/** From this level on chaos makes validators double-sign. */
const TREACHEROUS_CHAOS = 4;

/** Newest blocks of a fork that are checked again: one round may add several. */
const RECENT = 10;

/**
 * Safety: as long as the validators that have ever broken the rules have less than a third of the
 * power, there is one block at each height. Beyond that nothing is guaranteed, and checking stops.
 */
export class Safety {
  readonly #sim: Simulation;
  readonly #byzantine = new Set<string>();
  /** Hashes of blocks decided on other forks. */
  readonly #others = new Map<number, Uint8Array>();
  #height: number;
  #journal = 0;
  #promised = true;

  constructor(sim: Simulation) {
    this.#sim = sim;
    this.#height = sim.height;
  }

  /** Throws an InvariantError if two blocks were decided at one height. Call after every round. */
  look(): void {
    if (!this.#promised) return;
    this.#followJournal();
    if (!this.#promised) return;
    const sim = this.#sim;
    const { blocks } = sim.network.ledger;
    for (const fork of sim.forks()) {
      const first = Math.max(fork.common + 1, fork.height - RECENT);
      for (let height = first; height <= fork.height; height++) {
        const hash = fork.hashAt(height);
        if (hash === undefined) continue;
        check(height, hash, this.#others.get(height));
        check(height, hash, blocks.hashAt(height));
        this.#others.set(height, hash);
      }
    }
    if (this.#others.size > 0) {
      for (let height = this.#height + 1; height <= sim.height; height++) {
        const other = this.#others.get(height);
        if (other) check(height, other, blocks.hashAt(height));
      }
    }
    this.#height = sim.height;
  }

  #followJournal(): void {
    const { journal, journalStart, journalLength } = this.#sim;
    if (this.#journal === journalLength) {
      if (this.#byzantine.size === 0 || this.#height === this.#sim.height) return;
    }
    // Commands that were evicted may have broken any rule.
    if (this.#journal < journalStart) this.#promised = false;
    for (; this.#promised && this.#journal < journalLength; this.#journal++) {
      const command = journal[this.#journal - journalStart]?.command;
      const broken = command && byzantineIn(command);
      if (broken === undefined) this.#promised = false;
      for (const name of broken ?? []) this.#byzantine.add(name.replace(/(-twin)+$/, ""));
    }
    if (this.#byzantine.size > 0 && !this.#isMinority()) this.#promised = false;
  }

  /** Returns true if the validators that broke the rules have less than a third of the power. */
  #isMinority(): boolean {
    const keys = new Set(
      this.#sim
        .nodes()
        .flatMap(({ validator, consensusAddress }) =>
          this.#byzantine.has(validator) ? [toHex(consensusAddress)] : [],
        ),
    );
    let [power, total] = [0, 0];
    for (const voter of this.#sim.validators()) {
      total += voter.power;
      if (keys.has(toHex(voter.address))) power += voter.power;
    }
    return 3 * power < total;
  }
}

function check(height: number, known: Uint8Array, hash: Uint8Array | undefined): void {
  const same = hash === undefined || equal(known, hash);
  assertInvariant(
    ONE_BLOCK,
    same,
    () => `at height ${height} two were decided, ${toHex(known)} and ${toHex(hash as Uint8Array)}`,
  );
}

/** Validators that break the rules because of a command; undefined if it may be any. */
function byzantineIn(command: Command): readonly string[] | undefined {
  if (command.type === "double_sign") return [command.node];
  if (command.type === "light_client_attack") return command.by;
  if (command.type === "chaos") return command.level < TREACHEROUS_CHAOS ? [] : undefined;
  if (command.type === "fault" && command.kind !== "partition") {
    const breaks = ["double_sign", "twin", "lose_signer_state"].includes(command.kind);
    return breaks ? [command.node] : [];
  }
  if (command.type !== "node") return [];
  const { action, node } = command;
  const onFile = action.kind === "write_file" || action.kind === "remove_file";
  if (onFile) return action.path === SIGNER_STATE ? [node] : [];
  return ["twin", "lose_signer_state", "wipe"].includes(action.kind) ? [node] : [];
}
