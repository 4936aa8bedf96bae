import { playwright } from "@vitest/browser-playwright";
import { defineConfig } from "vitest/config";
import { CHROMIUM_ARGS, findChromium } from "./tools/chromium.ts";

const executablePath = findChromium();

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "node",
          environment: "node",
          globalSetup: ["tools/property-seed.ts"],
          setupFiles: ["tools/use-property-seed.ts"],
          include: ["src/**/*.test.{ts,tsx}", "tools/**/*.test.ts", "bench/**/*.test.ts"],
          exclude: ["**/*.browser.test.*"],
        },
      },
      {
        test: {
          name: "browser",
          include: ["src/**/*.browser.test.{ts,tsx}"],
          // Runs every bundled scenario in Node first, for the test that compares both platforms.
          globalSetup: ["src/workers/determinism.testing.ts"],
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
