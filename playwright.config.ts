import { defineConfig } from "@playwright/test";
import { CHROMIUM_ARGS, findChromium } from "./tools/chromium.ts";

const executablePath = findChromium();

/** End-to-end tests against the production build, as `npm start` serves it. */
export default defineConfig({
  testDir: "e2e",
  testMatch: "**/*.spec.ts",
  outputDir: "test-results",
  snapshotPathTemplate: "{testDir}/appearance/{arg}{ext}",
  // Pictures are taken anew by a command alone.
  updateSnapshots: "none",
  forbidOnly: Boolean(process.env.CI),
  // No result depends on how busy the machine is: a test ends when what it waits for is there.
  timeout: 180_000,
  expect: { timeout: 30_000 },
  // A machine that is shared may hold a browser up for longer than a test waits.
  retries: process.env.CI ? 1 : 0,
  globalTimeout: 75 * 60_000,
  // The chain under test keeps a core busy.
  workers: 1,
  webServer: {
    command: "node tools/start.mjs",
    env: { CI: "true" },
    timeout: 5 * 60_000,
    // Whichever port was free: it becomes process.env.CHAINLAB_ORIGIN.
    wait: { stdout: /Chainlab is at (?<CHAINLAB_ORIGIN>\S+)/ },
  },
  use: {
    baseURL: process.env.CHAINLAB_ORIGIN,
    browserName: "chromium",
    launchOptions: { args: CHROMIUM_ARGS, ...(executablePath ? { executablePath } : {}) },
    screenshot: "only-on-failure",
    trace: "retain-on-failure",
  },
});
