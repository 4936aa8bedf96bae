import { availableParallelism } from "node:os";
import { expect, test } from "vitest";
import { runAll } from "./processes.mjs";

const node = (name: string, script: string) => ({ name, command: ["-e", script] });

test("each command is run to its end, with all that it printed and whether it succeeded", async () => {
  const ended: unknown[] = [];
  const commands = [
    node("good", "console.log('out'); console.error('err')"),
    node("bad", "console.log('why'); process.exitCode = 3"),
    node("also good", ""),
  ];
  await runAll(commands, (one) => ended.push(one));
  expect(ended).toHaveLength(3);
  expect(ended).toContainEqual({ name: "bad", ok: false, output: "why\n" });
  expect(ended).toContainEqual({ name: "also good", ok: true, output: "" });
  expect(ended).toContainEqual({
    name: "good",
    ok: true,
    output: expect.stringMatching(/^(out\nerr|err\nout)\n$/),
  });
});

test("no more run at a time than there are processors", async () => {
  const spans: (readonly [number, number])[] = [];
  const script = "const a = Date.now(); while (Date.now() < a + 50); console.log(a, Date.now())";
  const commands = Array.from({ length: 2 * availableParallelism() + 1 }, (_, i) =>
    node(`${i}`, script),
  );
  await runAll(commands, ({ output }) => {
    const [from = 0, to = 0] = output.split(" ").map(Number);
    spans.push([from, to]);
  });
  const atOnce = spans.map(([at]) => spans.filter(([from, to]) => from <= at && at < to).length);
  expect(spans).toHaveLength(commands.length);
  expect(Math.max(...atOnce)).toBeLessThanOrEqual(availableParallelism());
});
