import type { Context } from "../../framework/context.ts";
import { MODULE_NAME } from "./types.ts";

/**
 * Emitted after the handler has accepted and before the evidence is stored. `hash` is upper-case
 * hex.
 */
export const emitSubmitEvidence = (ctx: Context, hash: string): void =>
  ctx.emit("submit_evidence", ["evidence_hash", hash]);

/** The message event of MsgSubmitEvidence in profile `documented` (rules/evidence 4.3). */
export const emitMessage = (ctx: Context, sender: string): void =>
  ctx.emit("message", ["module", MODULE_NAME], ["sender", sender], ["action", "submit_evidence"]);
