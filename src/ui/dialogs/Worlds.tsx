import { useCallback, useEffect, useRef, useState } from "react";
import { startOver } from "../store/new-worlds.ts";
import { useFrameState, usePage } from "../store/page.ts";
import { requestPersistence } from "../store/persistence.ts";
import type { WorldList } from "../store/types.ts";
import { Dialog } from "../widgets/Dialog.tsx";
import { UNNAMED } from "../widgets/format.ts";
import { bytes } from "../widgets/sizes.ts";
import { ImportWorld } from "./ImportWorld.tsx";
import { WorldRow } from "./WorldRow.tsx";
import css from "./Worlds.module.css";
import { asTree } from "./world-tree.ts";

/** Polling interval for changes by other tabs. */
const READ_EVERY_MS = 3000;

/**
 * Every saved world: with actions to open, rename, copy, delete and export one, and to import one.
 */
export default function Worlds() {
  const page = usePage();
  const { client, actions } = page;
  const [list, setList] = useState<WorldList>();
  const [problem, setProblem] = useState("");
  const order = useRef<readonly string[]>([]);
  const shown = useFrameState(({ frame }) => frame?.player?.kept?.id);
  const refresh = useCallback(async (): Promise<WorldList | undefined> => {
    try {
      const next = await client.lab.listWorlds({});
      order.current = orderOf(next, order.current);
      setList(next);
      setProblem("");
      return next;
    } catch (error) {
      setProblem(`The list of worlds cannot be read: ${(error as Error).message}`);
      return undefined;
    }
  }, [client]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another world on screen changes what each row offers
  useEffect(() => {
    void refresh();
    const timer = setInterval(() => void refresh(), READ_EVERY_MS);
    return () => clearInterval(timer);
  }, [refresh, shown]);
  return (
    <Dialog title="Worlds" wide>
      <div className={css.head}>
        <p className="soft">
          {list ? <Use list={list} /> : problem ? "" : "Reading the list of worlds…"}
        </p>
        <div className={css.buttons}>
          <ImportWorld onImported={refresh} />
          <button
            type="button"
            onClick={() => {
              actions.closeDialog();
              void startOver(page);
            }}
          >
            New world
          </button>
          <button type="button" onClick={() => actions.openDialog("own-chain")}>
            A chain of your own…
          </button>
        </div>
      </div>
      {problem && (
        <p className={css.problem} role="alert">
          {problem}
        </p>
      )}
      <ul className={css.worlds} tabIndex={-1} aria-label="Worlds">
        {list &&
          asTree(inOrder(list, order.current)).map(({ world, deleted, depth }) => (
            <WorldRow
              key={world.id}
              world={world}
              of={nameOf(list, world.parent?.world)}
              depth={depth}
              deleted={deleted}
              onChanged={refresh}
            />
          ))}
      </ul>
      {list?.worlds.length === 0 && <p className="soft">No world is saved yet.</p>}
    </Dialog>
  );
}

/**
 * Ids in row order, which does not change while the dialog is open. Initially: the world on screen,
 * the others by save time, then deleted ones. New ones are added on top.
 */
function orderOf({ worlds, deleted }: WorldList, known: readonly string[]): readonly string[] {
  const here = worlds.filter(({ open }) => open === "here" || open === "watched");
  const others = worlds.filter((world) => !here.includes(world));
  const ids = [...here, ...others, ...deleted].map(({ id }) => id);
  return [...ids.filter((id) => !known.includes(id)), ...known.filter((id) => ids.includes(id))];
}

const inOrder = ({ worlds, deleted }: WorldList, order: readonly string[]) =>
  [
    ...worlds.map((world) => ({ world, deleted: false })),
    ...deleted.map((world) => ({ world, deleted: true })),
  ].sort((a, b) => order.indexOf(a.world.id) - order.indexOf(b.world.id));

/** The name of a world in a list; empty if it no longer exists. */
function nameOf({ worlds, deleted }: WorldList, id: string | undefined): string {
  const found = [...worlds, ...deleted].find((world) => world.id === id);
  return found ? found.name || UNNAMED : "";
}

/** Storage used by all worlds: of the node's disk, or of the browser's quota. */
const Use = ({ list }: { list: WorldList }) =>
  document.documentElement.dataset.node ? (
    `Chainlab takes ${bytes(list.usage)} of the node's disk, which has ${bytes(list.quota - list.usage)} free.`
  ) : (
    <BrowserUse list={list} />
  );

/** The same in a browser, including whether it may evict the worlds. */
function BrowserUse({ list: { usage, quota } }: { list: WorldList }) {
  const [persisted, setPersisted] = useState<boolean>();
  const [requested, setRequested] = useState(false);
  useEffect(() => {
    // Available only on secure pages.
    void navigator.storage?.persisted?.().then(setPersisted);
  }, []);
  return (
    <>
      {quota > 0
        ? `Chainlab takes ${bytes(usage)} of the ${bytes(quota)} that the browser allows. `
        : "Worlds are saved in this browser. "}
      {persisted === false &&
        (requested ? (
          "The browser has not agreed to keep them when its disk runs full."
        ) : (
          <button
            type="button"
            data-link=""
            title="Otherwise the browser may clear them when its disk runs full."
            onClick={async () => {
              setPersisted(await requestPersistence());
              setRequested(true);
            }}
          >
            Ask the browser to keep them
          </button>
        ))}
      {persisted && "It does not clear the worlds by itself."}
    </>
  );
}
