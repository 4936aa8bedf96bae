/** Browsers of other engines that the page is tested in where they are installed; none is ever downloaded. */
import { executablesNamed, isExecutable, starts } from "./executables.ts";

const MAC_FIREFOX = "/Applications/Firefox.app/Contents/MacOS/firefox";

/** The path of a Firefox that starts; a package may leave a program that only says where to get one. */
export function findFirefox(): string | undefined {
  const installed = executablesNamed(["firefox-esr", "firefox", "firefox.exe"]);
  return [...installed, MAC_FIREFOX].filter(isExecutable).find(starts);
}

export interface WebKit {
  readonly driver: string;
  /** Program that provides a screen; absent if the machine's own is used. */
  readonly screen: string | undefined;
}

/** WebKitGTK's own driver, and what it needs of a screen: it has no headless mode. */
export function findWebKit(): WebKit | undefined {
  const [driver] = executablesNamed(["WebKitWebDriver"]);
  const [screen] = executablesNamed(["Xvfb"]);
  const { DISPLAY, WAYLAND_DISPLAY } = process.env;
  return driver && (screen || DISPLAY || WAYLAND_DISPLAY) ? { driver, screen } : undefined;
}
