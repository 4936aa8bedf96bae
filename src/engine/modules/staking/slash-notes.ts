import type { Context } from "../../framework/context.ts";
import { accAddress } from "../../primitives/bech32.ts";
import { STAKING } from "./keys.ts";

const SHOWN = 20;

/** What a slash did to each unbonding entry and redelegation, told as steps; many become one. */
export class SlashNotes {
  readonly #lines: { readonly what: string; readonly found: string }[] = [];
  #entries = 0;
  #due = 0n;
  #taken = 0n;

  add(
    kind: "unbonding" | "redelegation",
    delegator: Uint8Array,
    creationHeight: number,
    due: bigint,
    taken: bigint,
  ): void {
    this.#entries += 1;
    this.#due += due;
    this.#taken += taken;
    if (this.#entries > SHOWN) return;
    const found = `${accAddress(delegator)}, begun at height ${creationHeight}: owes ${due}, burned ${taken}`;
    this.#lines.push({ what: `slash ${kind}`, found });
  }

  tell(ctx: Context): void {
    if (this.#entries > SHOWN) {
      const found = `${this.#entries} entries owe ${this.#due}, burned ${this.#taken}`;
      ctx.step(STAKING, "slash unbonding and redelegations", found, "ok");
    } else for (const { what, found } of this.#lines) ctx.step(STAKING, what, found, "ok");
  }
}
