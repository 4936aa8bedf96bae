import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { registry } from "../../../gen/registry.ts";
import { ruleOfMessage } from "./rules.ts";

test("every message that the chain's modules take has the rule that judges it, also under its other root", () => {
  const messages = [...registry].flatMap((desc) =>
    desc.kind === "service" && desc.name === "Msg" ? desc.methods.map(({ input }) => input) : [],
  );
  expect(messages.length).toBeGreaterThan(15);
  for (const { typeName } of messages) {
    expect(ruleOfMessage(`/${typeName}`), typeName).toMatch(/^[a-z]+ \d+\.\d+$/);
    expect(ruleOfMessage(`/${typeName.replace(/^chain/, "cosmos")}`)).toBe(
      ruleOfMessage(`/${typeName}`),
    );
  }
});

test("rules that are named are rules of docs/rules, by file and number", () => {
  const source = ["rules.ts", "reasons.ts", "block.ts", "evidence.ts", "plan.ts", "validator.ts"]
    .map((file) => readFileSync(new URL(file, import.meta.url), "utf8"))
    .join("\n");
  const named = [...source.matchAll(/"(?:rules\/)?([a-z]+) (\d+\.\d+)"/g)];
  expect(named.length).toBeGreaterThan(80);
  for (const [rule, file, number] of named) {
    const text = readFileSync(
      new URL(`../../../../docs/rules/${file}.md`, import.meta.url),
      "utf8",
    );
    expect(text, rule).toContain(`**${number} `);
  }
});
