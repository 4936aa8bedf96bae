import { useEffect } from "react";
import { usePage } from "../store/page.ts";
import { followAddress } from "./address.ts";
import { acceptDroppedFiles } from "./dropped-files.ts";

/** Follows the address and accepts files while mounted; used by a part that is always on screen. */
export function useAddress(): void {
  const page = usePage();
  useEffect(() => {
    const stops = [followAddress(page), acceptDroppedFiles(page)];
    return () => {
      for (const stop of stops) stop();
    };
  }, [page]);
}
