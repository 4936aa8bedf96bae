/** What a question needs that it is asked of: thrown where it is missing, after which the question is asked again. */
import { PastNeeded } from "../../engine/simulation/past-needed.ts";
import type { LabRequest } from "../../gen/lab/v1/lab_plain.ts";

/** Thrown where a world is asked that stands at another height: the answer is that of the world as it was there. */
export class HeightNeeded extends Error {
  readonly height: number;

  constructor(height: number) {
    super(`it is asked of the world as it was at height ${height}`);
    this.name = "HeightNeeded";
    this.height = height;
  }
}

/** The queries of lab.v1.Lab about more than one moment of one world: what was done in it, and worlds beside it. */
const SESSION_QUERIES = [
  "recordScenario",
  "compareWorlds",
  "findDifference",
  "explainCompared",
] as const;
export type SessionQuery = (typeof SESSION_QUERIES)[number];

export const isSessionQuery = (method: string): method is SessionQuery =>
  SESSION_QUERIES.some((one) => one === method);

/** Thrown where a query is about more than a world has at one moment: the session that plays it answers. */
export class SessionNeeded extends Error {
  readonly method: SessionQuery;
  readonly request: object;

  constructor(method: SessionQuery, request: object) {
    super(`lab.${method} is asked of a session`);
    this.name = "SessionNeeded";
    this.method = method;
    this.request = request;
  }

  /** Says which question it is: the same one is read anew when it is asked again. */
  static keyOf(method: SessionQuery, request: object): string {
    return `${method} ${JSON.stringify(request)}`;
  }
}

/** Whether what was thrown is no refusal, but asks for what is needed. */
export const isNeed = (error: unknown): boolean =>
  error instanceof PastNeeded || error instanceof HeightNeeded || error instanceof SessionNeeded;

/** The request with the height that is asked about at each side that names none. */
export const sidesAt = (
  { a, b, ...others }: LabRequest<"compareWorlds">,
  height: number,
): LabRequest<"compareWorlds"> => {
  const at = (side: typeof a) => {
    const { world = "", scenario, height: own = 0 } = side ?? {};
    return { world, ...(scenario && { scenario }), height: own || height };
  };
  return { ...others, a: at(a), b: at(b) };
};
