import { useEffect, useState } from "react";
import type { Bundled } from "./bundled-stories.ts";

/** The bundled scenarios; none if they cannot be loaded. */
export function useBundledStories(): readonly Bundled[] {
  const [stories, setStories] = useState<readonly Bundled[]>([]);
  useEffect(() => {
    fetch("scenarios/index.json")
      .then((answer) => answer.json())
      .then(setStories, () => {});
  }, []);
  return stories;
}
