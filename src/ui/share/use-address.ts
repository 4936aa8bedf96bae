import { useEffect } from "react";
import { usePage } from "../store/page.ts";
import { followAddress } from "./address.ts";
import { takeDroppedFiles } from "./dropped-files.ts";

/** Follows the address and takes files, as long as a part is on screen that is there in every way to show the page. */
export function useAddress(): void {
  const page = usePage();
  useEffect(() => {
    const stops = [followAddress(page), takeDroppedFiles(page)];
    return () => {
      for (const stop of stops) stop();
    };
  }, [page]);
}
