import { useEffect, useState } from "react";
import { useStateAnswer } from "../panels/state/ask-state.ts";
import { KeyDetails } from "../panels/state/KeyDetails.tsx";
import { KeyList } from "../panels/state/KeyList.tsx";
import { StateDiff } from "../panels/state/StateDiff.tsx";
import { StateHeight } from "../panels/state/StateHeight.tsx";
import { StoreList } from "../panels/state/StoreList.tsx";
import { useFrameState } from "../store/page.ts";
import { liveHeight } from "../store/travel.ts";
import type { Stores } from "../store/types.ts";
import { percent } from "../widgets/format.ts";
import css from "./State.module.css";

/** A key of a store. */
interface Chosen {
  readonly store: string;
  readonly key: string;
}

interface Place {
  readonly world: string;
  /** After which block. */
  readonly height: number;
  readonly chosen: Chosen;
  /** What it is compared with; 0: with nothing. */
  readonly before: number;
}

/** Where a person was, for when the view is shown again. */
let left: Place | undefined;

/** What the chain's state holds after a block: stores and keys, what changed them, and the proof of each. */
export default function State() {
  const world = useFrameState(({ frame }) => frame?.world ?? "");
  const begun = useFrameState(({ frame }) => (frame?.chain?.height ?? 0) > 0);
  if (!begun) return <p className="card soft">The state is there once the first block is.</p>;
  return <StateOf key={world} world={world} />;
}

const FIRST: Chosen = { store: "staking", key: "" };

function StateOf({ world }: { world: string }) {
  const newest = useFrameState(liveHeight);
  const shown = useFrameState(({ travel, frame }) => travel && frame?.chain?.height);
  const [place, setPlace] = useState<Place>(() =>
    left?.world === world ? left : { world, height: newest, chosen: FIRST, before: 0 },
  );
  useEffect(() => {
    left = place;
  }, [place]);
  // Where the page shows a height of the past, so does this.
  const height = shown ?? Math.min(place.height, newest);
  const { chosen, before } = place;
  const { answer, waiting, problem } = useStateAnswer<Stores>({
    about: "stores",
    height,
    ask: (lab) => lab.getStores({}),
  });
  const choose = (change: Partial<Chosen>): void =>
    setPlace({ ...place, height, chosen: { ...chosen, ...change } });
  return (
    <div className={css.state} data-part="state">
      <StateHeight
        height={height}
        newest={newest}
        travelled={shown !== undefined}
        before={before}
        onHeight={(next) => setPlace({ ...place, height: next })}
        onCompare={(next) => setPlace({ ...place, height, before: next })}
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
          onChoose={(store, key) => choose({ store, key })}
          onClose={() => setPlace({ ...place, height, before: 0 })}
        />
      )}
      {answer && (
        <div className={css.columns}>
          <StoreList
            stores={answer.stores}
            chosen={chosen.store}
            onChoose={(store) => choose({ store, key: "" })}
          />
          <KeyList
            key={chosen.store}
            store={chosen.store}
            height={height}
            chosen={chosen.key}
            onChoose={(key) => choose({ key })}
          />
          <KeyDetails
            key={`${chosen.store}/${chosen.key}`}
            store={chosen.store}
            of={chosen.key}
            height={height}
          />
        </div>
      )}
    </div>
  );
}

/** An old state that has to be made again takes a while. */
function Bringing({ height }: { height: number }) {
  const done = useFrameState(({ frame }) => frame?.player?.restoring ?? 0);
  return (
    <p className="soft small" role="status">
      Reading the state after block {height}
      {done > 0 && `: ${percent(done, 1)}`}…
    </p>
  );
}
