import { toHexUpper } from "../../../base/bytes.ts";
import type { Context } from "../../framework/context.ts";
import { ChainError, errorText, Panic } from "../../framework/errors.ts";
import type { KVStore } from "../../store/kv-store.ts";
import { anyCodec, EvidenceCodec } from "./codec.ts";
import { ErrEvidenceExists, ErrInvalidEvidence, ErrNoEvidenceHandlerExists } from "./errors.ts";
import { emitSubmitEvidence } from "./events.ts";
import { evidenceKey, KEY_PREFIX_EVIDENCE } from "./keys.ts";
import type { Router } from "./router.ts";
import { note } from "./steps.ts";
import { type Evidence, type Handler, MODULE_NAME } from "./types.ts";

/** Stores evidence and routes submitted evidence to its handler. */
export class EvidenceKeeper {
  readonly codec = new EvidenceCodec();
  #router: Router | undefined;

  /** Seals and stores the Router; panics if there already is one (rules/evidence 3.2). */
  setRouter(router: Router): void {
    if (!router.sealed()) router.seal();
    if (this.#router !== undefined) throw new Panic("attempting to reset router on x/evidence");
    this.#router = router;
  }

  /** @throws ErrNoEvidenceHandlerExists with the route */
  getEvidenceHandler(route: string): Handler {
    if (!this.#router?.hasRoute(route)) throw ErrNoEvidenceHandlerExists.wrap(route);
    return this.#router.getRoute(route);
  }

  /**
   * Duplicate check, route check, Handler, event, persistence: in this order (rules/evidence 4.2).
   * @throws ErrEvidenceExists with the hash, ErrNoEvidenceHandlerExists with the route,
   *   ErrInvalidEvidence with the Handler's reason
   */
  submitEvidence(ctx: Context, evidence: Evidence): void {
    const hash = evidence.hash();
    const route = evidence.route();
    if (this.has(ctx, hash)) {
      note(ctx, "duplicate_check", { hash, found: true }, "refused");
      throw ErrEvidenceExists.wrap(toHexUpper(hash));
    }
    note(ctx, "duplicate_check", { hash, found: false }, "ok");
    const handler = this.#routed(ctx, route);
    this.#handle(ctx, handler, evidence);
    emitSubmitEvidence(ctx, toHexUpper(hash));
    note(ctx, "event", { hash }, "ok");
    this.setEvidence(ctx, evidence);
  }

  has(ctx: Context, hash: Uint8Array): boolean {
    return this.#store(ctx).has(evidenceKey(hash));
  }

  /** Stores evidence without a duplicate check: the same evidence overwrites itself. */
  setEvidence(ctx: Context, evidence: Evidence): void {
    const hash = evidence.hash();
    this.#store(ctx).write(evidenceKey(hash), anyCodec, evidence.pack());
    note(ctx, "persistence", { hash }, "ok");
  }

  /** All stored evidence in byte order of the hashes. */
  getAllEvidence(ctx: Context): Evidence[] {
    const all: Evidence[] = [];
    for (const entry of this.#store(ctx).prefix(KEY_PREFIX_EVIDENCE)) {
      const evidence = this.codec.unpack(entry.read(anyCodec));
      if (evidence !== undefined) all.push(evidence);
    }
    return all;
  }

  #routed(ctx: Context, route: string): Handler {
    if (this.#router === undefined && ctx.profile.noRouter === "panic") {
      note(ctx, "route", { route, found: "no_router" }, "refused");
      throw new Panic("runtime error: invalid memory address or nil pointer dereference");
    }
    try {
      const handler = this.getEvidenceHandler(route);
      note(ctx, "route", { route, found: "handler" }, "ok");
      return handler;
    } catch (error) {
      const found = this.#router === undefined ? "no_router" : "no_handler";
      note(ctx, "route", { route, found }, "refused");
      throw error;
    }
  }

  #handle(ctx: Context, handler: Handler, evidence: Evidence): void {
    try {
      handler(ctx, evidence);
    } catch (error) {
      note(ctx, "handler", { error: errorText(error) }, "refused");
      if (error instanceof ChainError) throw ErrInvalidEvidence.wrap(error.message);
      throw error;
    }
    note(ctx, "handler", {}, "ok");
  }

  #store(ctx: Context): KVStore {
    return ctx.store(MODULE_NAME);
  }
}
