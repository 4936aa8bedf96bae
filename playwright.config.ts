import { availableParallelism } from "node:os";
import { defineConfig } from "@playwright/test";
import { CHROMIUM_ARGS, findChromium } from "./tools/chromium.ts";

const executablePath = findChromium();

/** A wait without progress has failed after this time. */
const WAIT_MS = 30_000;

/** Specs that measure the page: nothing else may run beside them. */
const QUIET = ["**/responsive.spec.ts"];

/** End-to-end tests against the production build, as `npm start` serves it. */
export default defineConfig({
  testDir: "e2e",
  testMatch: "**/*.spec.ts",
  outputDir: "test-results",
  snapshotPathTemplate: "{testDir}/appearance/{arg}{ext}",
  // Pictures are taken anew by a command alone.
  updateSnapshots: "none",
  forbidOnly: Boolean(process.env.CI),
  // A test that computes may take this long on a busy machine; a wait without progress ends after 30 s.
  timeout: 120_000,
  expect: { timeout: WAIT_MS, toPass: { timeout: WAIT_MS } },
  // A test that passed at its second try is named in the summary.
  retries: process.env.CI ? 1 : 0,
  globalTimeout: 75 * 60_000,
  // A browser of its own for each: user data, origins' storage and cache are not shared.
  workers: Math.max(2, availableParallelism()),
  // The tests of a file need not wait for one another, so that no long file is left alone at the end.
  fullyParallel: true,
  webServer: {
    command: "node tools/start.mjs",
    env: { CI: "true" },
    timeout: 120_000,
    // Whichever port was free: it becomes process.env.CHAINLAB_ORIGIN.
    wait: { stdout: /Chainlab is at (?<CHAINLAB_ORIGIN>\S+)/ },
  },
  projects: [
    { name: "chromium", testIgnore: QUIET },
    {
      name: "quiet",
      testMatch: QUIET,
      // Each run empties its own: npm test runs the projects one after the other.
      outputDir: "test-results/quiet",
      dependencies: ["chromium"],
      workers: 1,
      use: { contextOptions: { reducedMotion: "no-preference" } },
    },
  ],
  use: {
    baseURL: process.env.CHAINLAB_ORIGIN,
    browserName: "chromium",
    actionTimeout: WAIT_MS,
    navigationTimeout: WAIT_MS,
    launchOptions: { args: CHROMIUM_ARGS, ...(executablePath ? { executablePath } : {}) },
    // Installing it costs each page as much as all else before the first block; the specs about it allow it.
    serviceWorkers: "block",
    // Painting what moves takes a twentieth of the processor time; where motion matters, a spec allows it.
    contextOptions: { reducedMotion: "reduce" },
    screenshot: "only-on-failure",
    // A trace of every test costs a third of the processor time of all: it is recorded when asked for.
    trace: "off",
  },
});
