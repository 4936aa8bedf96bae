import { useCallback, useEffect, useState } from "react";
import { askToKeep } from "../store/keep.ts";
import { usePage } from "../store/page.ts";
import type { WorldList } from "../store/types.ts";
import { Dialog } from "../widgets/Dialog.tsx";
import { bytes } from "../widgets/sizes.ts";
import { ImportWorld } from "./ImportWorld.tsx";
import { WorldRow } from "./WorldRow.tsx";
import css from "./Worlds.module.css";

/** Every world that is kept: to open, rename, copy, delete and export one, and to import one. */
export default function Worlds() {
  const { client, actions } = usePage();
  const [list, setList] = useState<WorldList>();
  const [problem, setProblem] = useState("");
  const refresh = useCallback(async (): Promise<void> => {
    try {
      setList(await client.lab.listWorlds({}));
    } catch (error) {
      setProblem((error as Error).message);
    }
  }, [client]);
  useEffect(() => void refresh(), [refresh]);
  return (
    <Dialog title="Worlds" wide>
      <div className={css.head}>
        <p className="soft">
          {list ? <Use list={list} /> : problem ? "" : "Reading what is kept…"}
        </p>
        <div className={css.buttons}>
          <ImportWorld onImported={refresh} />
          <button
            type="button"
            onClick={() => {
              actions.closeDialog();
              void actions.startOver();
            }}
          >
            New world
          </button>
        </div>
      </div>
      {problem && (
        <p className={css.problem} role="alert">
          {problem}
        </p>
      )}
      <ul className={css.worlds} aria-label="Worlds">
        {list &&
          sorted(list).map(({ world, deleted }) => (
            <WorldRow key={world.id} world={world} deleted={deleted} onChanged={refresh} />
          ))}
      </ul>
      {list?.worlds.length === 0 && <p className="soft">No world is kept yet.</p>}
    </Dialog>
  );
}

/** Deleted worlds stay where they were among the others. */
const sorted = ({ worlds, deleted }: WorldList) =>
  [
    ...worlds.map((world) => ({ world, deleted: false })),
    ...deleted.map((world) => ({ world, deleted: true })),
  ].sort((a, b) => (a.world.saved < b.world.saved ? 1 : -1));

/** What all of it takes, and whether the browser may clear it by itself. */
function Use({ list: { usage, quota } }: { list: WorldList }) {
  const [persisted, setPersisted] = useState<boolean>();
  useEffect(() => {
    // Only secure pages have it.
    void navigator.storage?.persisted?.().then(setPersisted);
  }, []);
  return (
    <>
      {quota > 0
        ? `${bytes(usage)} of at most ${bytes(quota)} in this browser. `
        : "In this browser. "}
      {persisted === false && (
        <button
          type="button"
          data-link=""
          title="Otherwise it may clear all of this when its disk runs full."
          onClick={() => void askToKeep().then(setPersisted)}
        >
          Ask it to never clear them
        </button>
      )}
      {persisted && "It has promised not to clear them by itself."}
    </>
  );
}
