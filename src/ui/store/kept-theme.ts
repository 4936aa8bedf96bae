/**
 * The theme that was chosen, shown as this module runs: the page's first script has it, so that nothing is painted in
 * another one. Without a choice the system decides.
 */
export const THEME_KEY = "chainlab theme";

try {
  const kept = localStorage.getItem(THEME_KEY);
  if (kept) document.documentElement.dataset.theme = kept;
} catch {
  // A browser that keeps nothing for this site.
}
