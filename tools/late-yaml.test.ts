import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { build, type Plugin, type Rolldown } from "vite";
import { expect, test } from "vitest";
import { lateYaml } from "./late-yaml.ts";

test("a build reads JSON without the reader of YAML, and begins it with the first text that is YAML", async () => {
  const { readSource, begun } = await built();
  expect(readSource('{ "scenario": 1 }', "a.json")).toMatchObject({
    source: { value: { scenario: 1 } },
  });
  expect(begun()).toBe(0);
  for (let i = 0; i < 2; i++)
    expect(readSource("scenario: 1", "a.yaml")).toMatchObject({
      source: { value: { scenario: 1 } },
    });
  expect(begun()).toBe(1);
});

type ReadSource = (text: string, file: string) => unknown;

async function built(): Promise<{ readSource: ReadSource; begun(): number }> {
  const root = fileURLToPath(new URL("..", import.meta.url));
  const output = await build({
    root,
    configFile: false,
    logLevel: "error",
    publicDir: false,
    plugins: [lateYaml(), counting],
    ssr: { noExternal: true },
    build: {
      ssr: "src/scenario/source.ts",
      write: false,
      rolldownOptions: { output: { format: "cjs", codeSplitting: false } },
    },
  });
  const [chunk] = (output as Rolldown.RolldownOutput).output;
  const exports = {} as { readSource: ReadSource };
  let begins = 0;
  const begin = (): void => {
    begins += 1;
  };
  const require = createRequire(import.meta.url);
  new Function("exports", "require", "began", chunk.code)(exports, require, begin);
  return { readSource: exports.readSource, begun: () => begins };
}

/** Says when the reader of YAML begins. */
const counting: Plugin = {
  name: "counting",
  transform: (code, id) => (/^[^\0].*\/yaml-text\.ts$/.test(id) ? `${code}\nbegan();` : undefined),
};
