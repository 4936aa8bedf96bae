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
