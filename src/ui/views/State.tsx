import { useState } from "react";
import { useStore } from "zustand";
import { useStateAnswer } from "../panels/state/ask-state.ts";
import { KeyDetails } from "../panels/state/KeyDetails.tsx";
import { KeyList } from "../panels/state/KeyList.tsx";
import { type StatePosition, statePosition } from "../panels/state/position.ts";
import { StateDiff } from "../panels/state/StateDiff.tsx";
import { StateHeight } from "../panels/state/StateHeight.tsx";
import { StoreList } from "../panels/state/StoreList.tsx";
import { useFrameState } from "../store/page.ts";
import { liveHeight } from "../store/travel.ts";
import type { Stores } from "../store/types.ts";
import { percent } from "../widgets/format.ts";
import css from "./State.module.css";

/** The State view: stores and keys after a block, the changes of each key, and its proof. */
export default function State() {
  const world = useFrameState(({ frame }) => frame?.world ?? "");
  const hasBlocks = useFrameState(({ frame }) => (frame?.chain?.height ?? 0) > 0);
  if (!hasBlocks) return <p className="card soft">The state is there once the first block is.</p>;
  return <StateOf key={world} world={world} />;
}

const FIRST = { store: "staking", key: "", before: 0 } as const;

function StateOf({ world }: { world: string }) {
  const newest = useFrameState(liveHeight);
  const shown = useFrameState(({ travel, frame }) => travel && frame?.chain?.height);
  // Without a selection, the view stays at the height that was initially the newest.
  const [first] = useState<StatePosition>({ ...FIRST, world, height: newest });
  const left = useStore(statePosition, (state) => state.last);
  const place = left?.world === world ? left : first;
  // If the page shows a past height, so does this view.
  const height = shown ?? Math.min(place.height, newest);
  const { store, key, before } = place;
  const { answer, waiting, problem } = useStateAnswer<Stores>({
    about: "stores",
    height,
    query: (lab) => lab.getStores({}),
  });
  const move = (change: Partial<StatePosition>): void =>
    statePosition.setState({ last: { ...place, height, ...change } });
  return (
    <div className={css.state} data-part="state">
      <StateHeight
        height={height}
        newest={newest}
        travelled={shown !== undefined}
        before={before}
        onHeight={(next) => move({ height: next })}
        onCompare={(next) => move({ before: next })}
      />
      {problem && (
        <p role="alert" className="card">
          {problem}
        </p>
      )}
      {waiting && <Bringing height={height} />}
      {before > 0 && (
        <StateDiff
          before={before}
          after={height}
          onChoose={(of, chosen) => move({ store: of, key: chosen })}
          onClose={() => move({ before: 0 })}
        />
      )}
      {answer && (
        <div className={css.columns}>
          <StoreList
            stores={answer.stores}
            chosen={store}
            onChoose={(chosen) => move({ store: chosen, key: "" })}
          />
          <KeyList
            key={store}
            store={store}
            height={height}
            chosen={key}
            onChoose={(chosen) => move({ key: chosen })}
          />
          <KeyDetails key={`${store}/${key}`} store={store} of={key} height={height} />
        </div>
      )}
    </div>
  );
}

/** Shown while an old state is recomputed. */
function Bringing({ height }: { height: number }) {
  const done = useFrameState(({ frame }) => frame?.player?.restoring ?? 0);
  return (
    <p className="soft small" role="status">
      Reading the state after block {height}
      {done > 0 && `: ${percent(done, 1)}`}…
    </p>
  );
}
