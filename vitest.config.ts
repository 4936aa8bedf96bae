import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { playwright } from "@vitest/browser-playwright";
import { defineConfig } from "vitest/config";
import { CHROMIUM_ARGS, findChromium } from "./tools/chromium.ts";

const executablePath = findChromium();

/** A test that computes may take this long on a busy machine. */
const testTimeout = 120_000;

/** A wait that sees nothing new for this long has failed; how busy the machine is decides nothing. */
const expectations = { poll: { timeout: 30_000 } };

/** Test files that need a module graph or a process of their own, each with its reason. */
const ISOLATED = [
  // These replace a module for every importer.
  "src/scenario/evidence-types.test.ts",
  "src/session/comparing/comparing-not-loaded.test.ts",
  "src/workers/engine.test.ts",
  // V8 refuses bytecode in a thread of Vitest: its flags differ from those of a process.
  "tools/one-program.test.ts",
];

const setUp = {
  // No test reads the home of whoever runs it.
  env: { CHAINLAB_HOME: join(tmpdir(), `chainlab-home-of-tests-${process.pid}`) },
  environment: "node" as const,
  globalSetup: ["tools/property-seed.ts"],
  setupFiles: ["tools/use-property-seed.ts"],
  testTimeout,
  hookTimeout: testTimeout,
  expect: expectations,
};

/** The tests that need no browser, in a process each, as a mutation run needs them. */
export const nodeTests = {
  ...setUp,
  name: "node",
  include: ["src/**/*.test.{ts,tsx}", "tools/**/*.test.ts", "bench/**/*.test.ts"],
  exclude: ["**/*.browser.test.*"],
};

export default defineConfig({
  test: {
    // Vitest would leave one processor unused.
    maxWorkers: Math.max(2, availableParallelism()),
    coverage: {
      provider: "v8",
      include: ["src/**/*.{ts,tsx}"],
      exclude: ["src/gen/**", "**/*.test.*", "**/testing.ts"],
      reporter: ["text-summary", "html"],
    },
    projects: [
      // Threads that share loaded modules need a quarter of the processor time of a process for each file.
      {
        test: {
          ...nodeTests,
          exclude: [...nodeTests.exclude, ...ISOLATED],
          pool: "threads",
          isolate: false,
        },
      },
      { test: { ...setUp, name: "isolated", include: ISOLATED } },
      {
        // Found while a test runs, they would begin it anew.
        optimizeDeps: { include: ["@connectrpc/connect"] },
        test: {
          name: "browser",
          include: ["src/**/*.browser.test.{ts,tsx}"],
          // Reads what the bundled scenarios end with in Node, for the test that compares both platforms.
          globalSetup: ["tools/property-seed.ts", "src/workers/determinism.testing.ts"],
          testTimeout,
          hookTimeout: testTimeout,
          expect: expectations,
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright({
              launchOptions: { args: CHROMIUM_ARGS, ...(executablePath ? { executablePath } : {}) },
            }),
            instances: [{ browser: "chromium" }],
          },
        },
      },
    ],
  },
});
