import { useMemo, useSyncExternalStore } from "react";
import { useTheme } from "../store/theme.ts";
import { tokenValue } from "./token-value.ts";

const dark = matchMedia("(prefers-color-scheme: dark)");

function listen(changed: () => void): () => void {
  dark.addEventListener("change", changed);
  return () => dark.removeEventListener("change", changed);
}

/**
 * Resolves design tokens by name for a canvas; a new function when the page's or the system's theme
 * changes.
 */
export function useColors(): (token: string) => string {
  const isDark = useSyncExternalStore(listen, () => dark.matches);
  const theme = useTheme();
  // biome-ignore lint/correctness/useExhaustiveDependencies: both decide what the styles say
  return useMemo(() => {
    const known = new Map<string, string>();
    return (token) => {
      const color = known.get(token) ?? tokenValue(token);
      known.set(token, color);
      return color;
    };
  }, [isDark, theme]);
}
