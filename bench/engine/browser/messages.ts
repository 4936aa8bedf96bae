import type { SideAnswer, SideCall } from "../side.ts";

/** The engine is loaded; what is sent before this is lost. */
export type Ready = { readonly ready: true };
export type FromWorker = Ready | SideAnswer;
export type ToWorker = SideCall;
