import { useActions } from "../store/page.ts";

/** Copies a text and says what was copied, or that the browser refuses. */
export function useCopy(): (text: string, what: string) => void {
  const { notify } = useActions();
  return (text, what) => {
    // A page of plain HTTP has no clipboard.
    const copied = navigator.clipboard?.writeText(text) ?? Promise.reject(new Error("none"));
    copied.then(
      () => notify(`Copied: ${what}.`),
      () => notify("The browser does not let this page copy.", "error"),
    );
  };
}
