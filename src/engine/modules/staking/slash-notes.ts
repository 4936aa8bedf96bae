import type { Context } from "../../framework/context.ts";
import { type DepartedSlash, note } from "./steps.ts";

/** Maximum number of entries with their own step. */
const SHOWN = 20;

/** Effects of a slash on each unbonding entry and redelegation; many are summed up in one step. */
export class SlashNotes {
  readonly #slashes: { readonly kind: "unbonding" | "redelegation"; readonly of: DepartedSlash }[] =
    [];
  #entries = 0;
  #initial = 0n;
  #due = 0n;
  #burned = 0n;

  add(kind: "unbonding" | "redelegation", of: DepartedSlash): void {
    this.#entries += 1;
    this.#initial += of.initial;
    this.#due += of.due;
    this.#burned += of.burned;
    if (this.#entries <= SHOWN) this.#slashes.push({ kind, of });
  }

  noteAll(ctx: Context): void {
    if (this.#entries > SHOWN) {
      const sum = { initial: this.#initial, due: this.#due, burned: this.#burned };
      note(ctx, "slash_departed", { entries: this.#entries, ...sum }, "ok");
    } else for (const { kind, of } of this.#slashes) note(ctx, `slash_${kind}`, of, "ok");
  }
}
