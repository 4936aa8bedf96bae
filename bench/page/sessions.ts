import type { Browser } from "@playwright/test";
import type { Row } from "../durable/report.ts";
import { type SessionResult, sessionOf } from "./session.ts";

const VALIDATORS = [4, 100, 1000];
const SLOWDOWNS = [1, 4];

/** What must not be exceeded; what has no limit is only said. */
interface Limits {
  readonly task?: number;
  readonly interaction?: number;
}

function limitsOf(validators: number, slowdown: number): Limits {
  const quick = slowdown === 1;
  if (validators > 100) return quick ? { interaction: 200 } : {};
  const interaction = quick ? 50 : 100;
  return validators < 100 ? { interaction } : { interaction, task: quick ? 50 : 150 };
}

/**
 * How the page answers while its chain runs at full speed and every view and dialog is opened in turn.
 *
 * @param quick few validators and the processor as it is: a look, not a result
 */
export async function sessions(browser: Browser, origin: string, quick: boolean): Promise<Row[]> {
  const rows: Row[] = [];
  for (const validators of quick ? VALIDATORS.slice(0, 1) : VALIDATORS) {
    for (const slowdown of quick ? SLOWDOWNS.slice(0, 1) : SLOWDOWNS) {
      const where = `${validators} validators${slowdown > 1 ? `, CPU ${slowdown} times slower` : ""}`;
      console.error(`${where}: every view and dialog`);
      const result = await sessionOf(browser, origin, validators, slowdown);
      rows.push(...rowsOf(where, result, limitsOf(validators, slowdown)));
    }
  }
  return rows;
}

function rowsOf(where: string, result: SessionResult, { task, interaction }: Limits): Row[] {
  const { longestTask, slowestInteraction, frameGap, heapSlope, blocks } = result;
  const ms = (what: string, value: number, limit?: number): Row => {
    return { what: `${where}: ${what}`, value, unit: "ms", ...(limit && { limit }) };
  };
  return [
    ms("longest task", longestTask, task),
    ms("slowest interaction", slowestInteraction, interaction),
    ms("time between frames, 95 % are shorter", frameGap),
    { what: `${where}: heap of the page for 100 000 blocks`, value: heapSlope, unit: "MB" },
    { what: `${where}: blocks made meanwhile`, value: blocks, unit: "" },
  ];
}
