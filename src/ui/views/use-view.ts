import { useDeferredValue, useEffect } from "react";
import { usePage } from "../store/page.ts";
import { viewOf } from "./views.ts";

/** Maximum time that frames wait for a view, whose script may still be loading. */
const CHANGING_MS = 1000;

/** The view to show: rendered in slices, so that the selected tab is marked at once. */
export const useView = (view: string): ReturnType<typeof viewOf> => viewOf(useInSlices(view));

/** Returns the previous value until the new one is rendered in slices; frames wait meanwhile. */
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
