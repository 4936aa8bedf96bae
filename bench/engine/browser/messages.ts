import type { Plan, Result } from "../cases.ts";

export type FromWorker =
  /** The engine is loaded; what is sent before this is lost. */
  | { readonly type: "ready" }
  | { readonly type: "progress"; readonly text: string }
  | { readonly type: "used-bytes" }
  | { readonly type: "done"; readonly result: Result }
  | { readonly type: "failed"; readonly reason: string };

export type ToWorker =
  | { readonly type: "measure"; readonly plan: Plan }
  | { readonly type: "used-bytes"; readonly bytes: number | undefined };
