/**
 * Applies the stored theme on import: in the page's first script, so that nothing is painted in
 * another one. Without a choice the system decides.
 */
export const THEME_KEY = "chainlab theme";

try {
  const saved = localStorage.getItem(THEME_KEY);
  if (saved) document.documentElement.dataset.theme = saved;
} catch {
  // The browser stores nothing for this site.
}
