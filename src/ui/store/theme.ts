import { useSyncExternalStore } from "react";
import { THEME_KEY } from "./kept-theme.ts";

export const THEMES = ["system", "light", "dark", "projector"] as const;
export type Theme = (typeof THEMES)[number];

export const THEME_NAMES: Readonly<Record<Theme, string>> = {
  system: "As the system",
  light: "Light",
  dark: "Dark",
  projector: "Projector",
};

const root = document.documentElement;

/** The current theme: the root's attribute, which the styles use. */
export const shownTheme = (): Theme =>
  THEMES.find((theme) => theme === root.dataset.theme) ?? "system";

/** Applies a theme, and stores it for reloads. */
export function chooseTheme(theme: Theme): void {
  if (theme === "system") delete root.dataset.theme;
  else root.dataset.theme = theme;
  try {
    if (theme === "system") localStorage.removeItem(THEME_KEY);
    else localStorage.setItem(THEME_KEY, theme);
  } catch {
    // It lasts until the page is left.
  }
}

/** Applies the theme after the current one; returns its name. */
export function nextTheme(): string {
  const next = THEMES[(THEMES.indexOf(shownTheme()) + 1) % THEMES.length] ?? "system";
  chooseTheme(next);
  return `Theme: ${THEME_NAMES[next].toLowerCase()}.`;
}

export const useTheme = (): Theme => useSyncExternalStore(listen, shownTheme);

function listen(changed: () => void): () => void {
  const observer = new MutationObserver(changed);
  observer.observe(root, { attributeFilter: ["data-theme"] });
  return () => observer.disconnect();
}
