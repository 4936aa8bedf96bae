import type { LabRequest } from "../../gen/lab/v1/lab_plain.ts";

/** The queries of lab.v1.Lab about a whole history or several worlds. */
const SESSION_QUERIES = [
  "recordScenario",
  "compareWorlds",
  "findDifference",
  "explainCompared",
] as const;
export type SessionQuery = (typeof SESSION_QUERIES)[number];

export const isSessionQuery = (method: string): method is SessionQuery =>
  SESSION_QUERIES.some((one) => one === method);

/** The request with the current height for each side without one. */
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
