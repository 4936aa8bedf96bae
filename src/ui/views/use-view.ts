import { useDeferredValue, useEffect } from "react";
import { usePage } from "../store/page.ts";
import { viewOf } from "./views.ts";

/** Frames do not wait longer than this for a view, whose script may still be on its way. */
const CHANGING_MS = 1000;

/** The view to show: rendered in slices, so that the tab that was chosen is marked at once. */
export const useView = (view: string): ReturnType<typeof viewOf> => viewOf(useInSlices(view));

/** A value, and the one before it until what shows it is rendered in slices; frames wait for that meanwhile. */
export function useInSlices<T>(value: T): T {
  const { frames } = usePage();
  const shown = useDeferredValue(value);
  useEffect(() => {
    if (value === shown) return;
    const change = (changing: boolean): void => frames.setState({ changing });
    change(true);
    const timer = setTimeout(change, CHANGING_MS, false);
    return () => {
      clearTimeout(timer);
      change(false);
    };
  }, [value, shown, frames]);
  return shown;
}
