/** Vitest's configuration of a mutation run: the tests of the sources, in Node. */
import { defineConfig } from "vitest/config";
import { nodeTests } from "../vitest.config.ts";

export default defineConfig({ test: { ...nodeTests, include: ["src/**/*.test.{ts,tsx}"] } });
