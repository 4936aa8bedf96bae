/**
 * Finds a Chromium for the tests that run in a real browser, and installs one when there is none.
 *
 * Order: CHROMIUM_PATH, an installed Chrome or Chromium, Playwright's own download, Debian's package.
 * Run as a program it prints the path it settled on.
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "@playwright/test";
import { executablesNamed, isExecutable, starts } from "./executables.ts";

/**
 * Chromium takes the last list of features alone: those that Playwright 1.65 turns off and that matter here, then the pages
 * of the browser's own interface and the spare process that it prepares for every context, a tenth of a test's
 * processor time.
 */
const WITHOUT_FEATURES = [
  "AvoidCorsURLLoaderRestartOnRedirect",
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "HttpsFirstBalancedModeAutoEnable",
  "HttpsUpgrades",
  "LensOverlay",
  "MediaRouter",
  "NetworkTimeServiceQuerying",
  "OptimizationHints",
  "PaintHolding",
  "PreconnectToSearch",
  "ThirdPartyStoragePartitioning",
  "InitialWebUI",
  "PreloadTopChromeWebUI",
  "SpareRendererForSitePerProcess",
  "WebUIOmniboxAimPopup",
  "WebUIOmniboxPopup",
  "WebUIReloadButton",
];

/** Flags without which a sandboxed or offline host hangs, logs errors that are not ours, or works for nothing. */
export const CHROMIUM_ARGS = [
  `--disable-features=${WITHOUT_FEATURES.join(",")}`,
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

const COMMANDS = [
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
  "chrome",
];

const FIXED_PLACES: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: [
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
  ],
  win32: [process.env.PROGRAMFILES, process.env["PROGRAMFILES(X86)"], process.env.LOCALAPPDATA]
    .filter((root) => root !== undefined)
    .map((root) => join(root, "Google", "Chrome", "Application", "chrome.exe")),
};

const HOW_TO =
  "No Chromium found and none could be installed: install Chrome or Chromium, or set CHROMIUM_PATH to one.";

/** Path of an installed Chromium, or undefined. Throws on a wrong CHROMIUM_PATH. */
export function findChromium(): string | undefined {
  return namedChromium() ?? installedChromiums()[0];
}

/** As {@link findChromium}, but one that starts; installs one when there is none. One clear sentence when that fails. */
export function ensureChromium(): string {
  const named = namedChromium();
  if (named && !starts(named)) throw new Error(`CHROMIUM_PATH does not start: ${named}`);
  const present = named ?? installedChromiums().find(starts);
  if (present) return present;
  for (const [command, ...args] of installers()) {
    console.error(`No Chromium is installed that starts, trying: ${command} ${args.join(" ")}`);
    spawnSync(command, args, { stdio: ["ignore", 2, 2], timeout: 10 * 60_000 });
    const installed = installedChromiums().find(starts);
    if (installed) return installed;
  }
  throw new Error(HOW_TO);
}

function namedChromium(): string | undefined {
  const named = process.env.CHROMIUM_PATH;
  if (named && !isExecutable(named))
    throw new Error(`CHROMIUM_PATH is not an executable: ${named}`);
  return named || undefined;
}

function installedChromiums(): string[] {
  const elsewhere = [...(FIXED_PLACES[process.platform] ?? []), chromium.executablePath()];
  return [...executablesNamed(COMMANDS), ...elsewhere.filter(isExecutable)];
}

function* installers(): Generator<[string, ...string[]]> {
  const playwright = fileURLToPath(import.meta.resolve("@playwright/test/cli"));
  yield [process.execPath, playwright, "install", "--no-shell", "chromium"];
  if (process.platform === "linux" && process.getuid?.() === 0) {
    yield ["apt-get", "update"];
    yield ["apt-get", "install", "--yes", "--no-install-recommends", "chromium"];
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    console.log(ensureChromium());
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
}
