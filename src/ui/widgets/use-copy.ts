import { useActions } from "../store/page.ts";

/** Copies a text and notifies the result, or the browser's refusal. */
export function useCopy(): (text: string, what: string) => void {
  const { notify } = useActions();
  return (text, what) => {
    // A page over plain HTTP has no clipboard.
    const copied = navigator.clipboard?.writeText(text) ?? Promise.reject(new Error("none"));
    copied.then(
      () => notify(`Copied: ${what}.`),
      () => notify("The browser does not let this page copy.", "error"),
    );
  };
}
