import { unreachable } from "../base/unreachable.ts";
import { STATUS, StatusError } from "../engine/framework/errors.ts";
import type { LabAnswer, LabRequest } from "../gen/lab/v1/lab_plain.ts";
import type { Elsewhere } from "../view/lab/reading.ts";
import type { Caller } from "./caller.ts";
import type { Compares } from "./comparing/compares.ts";

/** Recording and comparisons of the played world; undefined where worlds are not stored. */
export interface StoredFeatures {
  /** The played world as a scenario. */
  readonly record: (() => Promise<LabAnswer<"recordScenario">>) | undefined;
  readonly comparing: (() => Promise<Compares>) | undefined;
}

interface Exports {
  readonly export:
    | ((request: LabRequest<"exportChain">) => Promise<LabAnswer<"exportChain">>)
    | undefined;
}

/** Answers queries that no world can answer alone. Rejects with a StatusError. */
export async function answerOf(
  session: StoredFeatures,
  { method, request }: Extract<Elsewhere, { kind: "session" }>,
  caller: Caller,
): Promise<object> {
  if (method === "recordScenario") return recorded(session);
  const { comparing } = session;
  if (comparing === undefined) {
    throw new StatusError(STATUS.unavailable, "there are no saved worlds here to compare");
  }
  const compares = await comparing();
  switch (method) {
    case "compareWorlds":
      return compares.compare(request, caller);
    case "findDifference":
      return compares.find(request, caller);
    case "explainCompared":
      return compares.explain(request, caller);
    default:
      return unreachable(method);
  }
}

/**
 * Exports the actions in a session's world as a scenario. Rejects with a StatusError where they are
 * not recorded.
 */
export async function recorded({
  record,
}: Pick<StoredFeatures, "record">): Promise<LabAnswer<"recordScenario">> {
  if (record) return record();
  throw notStoredError();
}

/**
 * Exports heights of a session's chain as a file, part by part. Rejects with a StatusError where
 * that is impossible.
 */
export async function exported(
  session: Exports,
  request: LabRequest<"exportChain">,
): Promise<LabAnswer<"exportChain">> {
  if (session.export) return session.export(request);
  throw notStoredError();
}

const notStoredError = (): StatusError =>
  new StatusError(STATUS.unavailable, "nothing is kept here of what was done");
