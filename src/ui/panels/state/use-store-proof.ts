import { useFrameState } from "../../store/page.ts";
import { liveHeight } from "../../store/travel.ts";
import type { StoreProof } from "../../store/types.ts";
import { type StateAnswer, useStateAnswer } from "./ask-state.ts";

/** The proof that a key exists or is missing, after a height; none without a key. */
export function useStoreProof(store: string, key: string, height: number): StateAnswer<StoreProof> {
  // Until the next block exists, no header has the app hash.
  const next = useFrameState((state) => liveHeight(state) > height);
  return useStateAnswer<StoreProof>(
    key === ""
      ? undefined
      : {
          about: `proof ${store} ${key} ${next}`,
          height,
          query: (lab) => lab.getStoreProof({ store, key }),
        },
  );
}
