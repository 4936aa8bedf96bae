import { describe, expect, inject, test } from "vitest";
import { parseScenario } from "../parse.ts";
import { runScenario } from "../report.ts";
import { type NoReturn, type NoReturnRequest, noReturn } from "./no-return.ts";
import { runBatch } from "./run-batch.ts";

const familyFile = (text: string) => ({ file: "family.yaml", text, imports: {} });

/** An operator who loses the signer's file between two blocks at any height. */
const STORY = `
scenario: 1
name: story
genesis: { validators: 4 }
never: [{ name: slashed, events: { type: slash, attributes: { reason: double_sign } } }]
steps:
  - run: 4
  - nodes: { which: [val-0], stop: true }
  - run: 2
  - double_sign: { node: val-2 }
  - run: 4
`;

/** Up to two nodes stop; two are needed to halt the chain. */
const STOPPED = `
scenario: 1
name: stopped
genesis: { validators: 4 }
always: [{ name: live, chain: running }]
steps:
  - run: { rounds: 20 }
disturb: { kinds: [stop], from: 1, most: 2 }
`;

/** Cases among which a violated one is searched. */
const CASES = inject("soak") ? 200 : 40;

function found(text: string, more: Partial<NoReturnRequest> = {}): NoReturn {
  const family = familyFile(text);
  const requested = { family, seed: 1, first: 0, count: CASES, untilFirst: true };
  const number = more.number ?? runBatch(requested).violated[0]?.number ?? 0;
  const request = { family, seed: 1, number, futures: 30, ...more };
  const running = noReturn(request);
  for (;;) {
    const { done, value } = running.next();
    if (done) return value;
    expect(value.points).toBeLessThanOrEqual(value.of);
  }
}
/** The first case of a search for all in which both properties are violated. */
function numberWithBoth(text: string): number {
  const requested = { family: familyFile(text), seed: 1, first: 0, count: 1, untilFirst: false };
  for (let number = 0; number < 500; number++)
    if (runBatch({ ...requested, first: number }).violated.length === 2) return number;
  throw new Error("no case violates both");
}
const chances = ({ points }: NoReturn) => points.map(({ ended, futures }) => ended / futures);

describe("the point of no return", () => {
  test("is that of the violation that is asked for, where a case has several", () => {
    const never = "never: [{ name: one stops, node: val-0, is: stopped }]";
    const both = STOPPED.replace("always: [", `${never}\nalways: [`);
    const of = (kind: "never" | "always", property: string) =>
      found(both, { number: numberWithBoth(both), end: { kind, property } }).violation;
    expect(of("never", "one stops")).toMatchObject({ kind: "never", property: "one stops" });
    expect(of("always", "live")).toMatchObject({ kind: "always", property: "live" });
  });

  test("of a file that lets nothing be drawn lies at the command without which the end does not come", () => {
    const result = found(STORY);
    expect(result).not.toHaveProperty("number");
    expect(result.violation).toMatchObject({ property: "slashed", kind: "never" });
    const at = result.points[result.cliff ?? -1];
    expect(at).toMatchObject({ command: expect.stringContaining("val-2"), height: 6, step: 3 });
    const after = result.points.slice((result.cliff ?? 0) + 1);
    expect(after.length).toBeGreaterThan(0);
    for (const { ended, futures } of after) expect(ended).toBe(futures);
    expect(result.unavoidable).toBe((result.cliff ?? 0) + 1);
    expect(Math.max(...chances(result).slice(0, (result.cliff ?? 0) + 1))).toBeLessThan(1);
  });

  test("of a family lies at the second of two that are stopped", () => {
    const result = found(STOPPED);
    const commands = result.points.filter(({ command }) => command.includes("stop"));
    expect(commands).toHaveLength(2);
    expect(result.points[result.cliff ?? -1]).toBe(commands[1]);
    const [first = 0] = chances(result);
    const between = chances(result)[result.points.indexOf(commands[0] as never) + 1] ?? 0;
    expect(first).toBeLessThan(between);
    expect(between).toBeLessThan(1);
  });

  test("is the same each time, and of the case that is named", () => {
    const result = found(STOPPED);
    expect(found(STOPPED)).toEqual(result);
    expect(found(STOPPED, { number: result.number ?? -1 })).toEqual(result);
  });

  test("comes with the case as a file, which ends so", () => {
    const { scenario, violation } = found(STOPPED);
    const read = parseScenario(scenario, "case.yaml");
    if ("problems" in read) throw new Error(JSON.stringify(read.problems));
    expect(runScenario(read.scenario, { file: "case.yaml" }).violations).toEqual([violation]);
  });

  test("goes through every height up to the violation, in order", () => {
    const { points, violation } = found(STOPPED);
    const heights = points.map(({ height }) => height);
    expect(heights).toEqual([...heights].sort((a, b) => a - b));
    expect(new Set(heights)).toEqual(
      new Set(Array.from({ length: violation.height + 1 }, (_, height) => height)),
    );
  });
});

describe("where nothing ends badly there is none", () => {
  const holds = "every property holds";
  test.each([
    [
      STORY.replace("never:", "sometimes:").replace("double_sign: { node: val-2 }", "run: 1"),
      holds,
    ],
    [STOPPED.replace("most: 2", "most: 1"), `${holds} in case 0 of seed 1`],
  ])("%#", (text, message) => {
    expect(() => found(text)).toThrow(message);
  });

  test("and a case that is named and holds is said to hold", () => {
    const text = STOPPED.replace("most: 2", "most: 1");
    expect(() => found(text, { number: 7 })).toThrow(`${holds} in case 7 of seed 1`);
  });
});
