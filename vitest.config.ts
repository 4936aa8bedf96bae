import { playwright } from "@vitest/browser-playwright";
import { defineConfig } from "vitest/config";
import { CHROMIUM_ARGS, findChromium } from "./tools/chromium.ts";

const executablePath = findChromium();

/** A test that hangs fails in the end; how busy the machine is decides nothing. */
const testTimeout = 120_000;

/** Neither does it what a test waits for. */
const expectations = { poll: { timeout: 60_000 } };

/** The tests that need no browser. */
export const nodeTests = {
  name: "node",
  environment: "node" as const,
  globalSetup: ["tools/property-seed.ts"],
  setupFiles: ["tools/use-property-seed.ts"],
  include: ["src/**/*.test.{ts,tsx}", "tools/**/*.test.ts", "bench/**/*.test.ts"],
  exclude: ["**/*.browser.test.*"],
  testTimeout,
  hookTimeout: testTimeout,
  expect: expectations,
};

export default defineConfig({
  test: {
    coverage: {
      provider: "v8",
      include: ["src/**/*.{ts,tsx}"],
      exclude: ["src/gen/**", "**/*.test.*", "**/testing.ts"],
      reporter: ["text-summary", "html"],
    },
    projects: [
      { test: nodeTests },
      {
        // Found while a test runs, they would begin it anew.
        optimizeDeps: { include: ["@connectrpc/connect"] },
        test: {
          name: "browser",
          include: ["src/**/*.browser.test.{ts,tsx}"],
          // Runs every bundled scenario in Node first, for the test that compares both platforms.
          globalSetup: ["src/workers/determinism.testing.ts"],
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
