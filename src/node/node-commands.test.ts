import { expect, test } from "vitest";
import { chainlab } from "./command-line.testing.ts";

test.each(["--version", "-v"])("chainlab %s prints what chainlab version prints", async (flag) => {
  const command = await chainlab("version");
  expect(command.stdout).toMatch(/^\d+\.\d+\.\d+\S*\n$/);
  expect(await chainlab(flag)).toEqual(command);
});
