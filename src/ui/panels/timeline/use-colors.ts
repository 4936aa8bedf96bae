import { useMemo, useSyncExternalStore } from "react";

const dark = matchMedia("(prefers-color-scheme: dark)");

function listen(changed: () => void): () => void {
  dark.addEventListener("change", changed);
  return () => dark.removeEventListener("change", changed);
}

/** Design tokens by name as a canvas needs them; renewed when the colour scheme changes. */
export function useColors(): (token: string) => string {
  const isDark = useSyncExternalStore(listen, () => dark.matches);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the scheme decides what the styles say
  return useMemo(() => {
    const styles = getComputedStyle(document.documentElement);
    const known = new Map<string, string>();
    return (token) => {
      const color = known.get(token) ?? styles.getPropertyValue(`--${token}`).trim();
      known.set(token, color);
      return color;
    };
  }, [isDark]);
}
