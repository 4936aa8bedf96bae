/**
 * Vitest's configuration of a mutation run: the tests of the sources, or those named by `--tests`, in
 * Node.
 */
import { defineConfig } from "vitest/config";
import { nodeTests } from "../vitest.config.ts";

const named = (process.env.MUTATE_TESTS ?? "src").split(",");
const include = named.map((path) =>
  path.endsWith(".ts") || path.endsWith(".tsx") ? path : `${path}/**/*.test.{ts,tsx}`,
);

export default defineConfig({ test: { ...nodeTests, include } });
