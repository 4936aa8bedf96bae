import { type CSSProperties, useEffect, useRef, useState } from "react";
import { WORLD_NAME, WORLD_NOTE } from "../../base/limits.ts";
import { compareWith } from "../panels/compare/open.ts";
import { WORLD } from "../panels/compare/other.ts";
import { usePage } from "../store/page.ts";
import { requestPersistence } from "../store/persistence.ts";
import type { WorldInfo, WorldList } from "../store/types.ts";
import { count, UNNAMED } from "../widgets/format.ts";
import { saveWorld } from "../widgets/save-file.ts";
import { bytes, localDate, localTime } from "../widgets/sizes.ts";
import { EditableText } from "./EditableText.tsx";
import { type RowActions, useRowActions, type Work } from "./use-row-actions.ts";
import css from "./Worlds.module.css";

/** Maximum indentation of nested branches. */
const MOST_LEVELS = 4;

interface WorldRowProps {
  world: WorldInfo;
  /** Name of the parent world, if that still exists. */
  of: string;
  /** Levels below the first world of its tree. */
  depth: number;
  deleted: boolean;
  onChanged: () => Promise<WorldList | undefined>;
}

/** One world with its actions. */
export function WorldRow({ world, of, depth, deleted, onChanged }: WorldRowProps) {
  const { lab } = usePage().client;
  const actions = useRowActions(onChanged);
  const row = useRef<HTMLLIElement>(null);
  const was = useRef(deleted);
  useEffect(() => {
    // The pressed button is gone: its opposite gets the focus.
    if (was.current !== deleted) row.current?.querySelector("button")?.focus();
    was.current = deleted;
  }, [deleted]);
  const erase = async (): Promise<undefined> => {
    await lab.deleteWorld({ world: world.id, forever: true });
    row.current?.parentElement?.focus();
  };
  return (
    <li
      ref={row}
      className={css.world}
      style={{ "--depth": Math.min(depth, MOST_LEVELS) } as CSSProperties}
      data-deleted={deleted ? "" : undefined}
      data-branch={deleted ? undefined : world.parent && ""}
      aria-current={(!deleted && world.open === "here") || undefined}
    >
      {deleted ? (
        <DeletedWorld world={world} actions={actions} erase={erase} />
      ) : (
        <SavedWorld
          world={world}
          of={of}
          actions={actions}
          erase={erase}
          // The field is gone: the button that opened it gets the focus.
          afterEdit={() => row.current?.querySelector("button")?.focus()}
        />
      )}
      <Result {...actions.said} />
    </li>
  );
}

interface ContentProps {
  world: WorldInfo;
  actions: RowActions;
  erase: () => Promise<undefined>;
}

/** A deleted world, which can be restored for a while. */
function DeletedWorld({ world, actions, erase }: ContentProps) {
  const { lab } = usePage().client;
  const button = { name: nameOf(world), actions };
  return (
    <>
      <p>
        <b className={css.name}>{nameOf(world)}</b> is deleted.
      </p>
      <p className={css.about}>
        {bytes(world.bytes)}
        {world.erased && (
          <>
            {" "}
            · can be restored until <time dateTime={world.erased}>{localDate(world.erased)}</time>
          </>
        )}
      </p>
      <div className={css.links}>
        <ActionButton
          {...button}
          what="Restore"
          work={async () => void (await lab.restoreWorld({ world: world.id }))}
        />
        <ActionButton {...button} what="Delete forever" work={erase} />
      </div>
    </>
  );
}

interface SavedWorldProps extends ContentProps {
  of: string;
  /** Called when a text was edited by keyboard only. */
  afterEdit: () => void;
}

/** A world with its name and note, which can be edited, and its buttons. */
function SavedWorld({ world, of, actions, erase, afterEdit }: SavedWorldProps) {
  const { lab } = usePage().client;
  const { id, note, parent } = world;
  const name = nameOf(world);
  const [edited, setEdited] = useState<"name" | "note">();
  const saving =
    (what: string, save: (text: string) => Promise<unknown>) =>
    async (next: string | undefined, byKey: boolean): Promise<void> => {
      setEdited(undefined);
      if (byKey) afterEdit();
      if (next !== undefined) await actions.act(what, async () => void (await save(next)));
    };
  const rename = (next: string): Promise<unknown> => {
    void requestPersistence();
    return lab.renameWorld({ world: id, name: next });
  };
  return (
    <>
      {edited === "name" ? (
        <EditableText
          label={`New name of ${name}`}
          text={name}
          most={WORLD_NAME}
          onEnd={saving("Rename", rename)}
        />
      ) : (
        <b className={css.name}>{name}</b>
      )}
      {world.impossible && (
        <p className={css.impossible}>impossible: a value was changed by hand in it</p>
      )}
      {parent && (
        <p className={css.about}>
          branch of {of ? `“${of}”` : "a world that is gone"}{" "}
          {parent.height === 0 ? "from its beginning" : `from block ${count(parent.height)}`}
        </p>
      )}
      {edited === "note" ? (
        <EditableText
          label={`Note of ${name}`}
          text={note}
          most={WORLD_NOTE}
          onEnd={saving("Note", (next) => lab.noteWorld({ world: id, note: next }))}
        />
      ) : (
        note && <p className={css.note}>{note}</p>
      )}
      <p className={css.about}>
        {world.problem && `${world.problem} What is left of it: `}
        {world.saved && `block ${count(world.height)} · `}
        {bytes(world.bytes)}
        <Time word="saved" time={world.saved} />
        <Time word="created" time={world.created} />
      </p>
      <Links world={world} actions={actions} erase={erase} edit={setEdited} />
      <div className={css.open}>
        {!world.problem && <OpenButton world={world} actions={actions} />}
      </div>
    </>
  );
}

interface LinksProps extends ContentProps {
  edit: (text: "name" | "note") => void;
}

function Links({ world, actions, erase, edit }: LinksProps) {
  const page = usePage();
  const { lab } = page.client;
  const { id, open } = world;
  const name = nameOf(world);
  const button = { name, actions };
  const isOurs = open === "" || open === "here";
  const isReadable = !world.problem;
  const compare = (): void => {
    page.actions.closeDialog();
    compareWith(page, { other: WORLD + id, at: 0 });
  };
  const duplicate = async (): Promise<string> => {
    void requestPersistence();
    await lab.duplicateWorld({ world: id });
    return "A copy was added at the top of the list.";
  };
  const save = async (): Promise<string> => {
    const file = await lab.exportWorld({ world: id });
    saveWorld(file);
    return `Exported as ${file.name}.`;
  };
  return (
    <div className={css.links}>
      {isOurs && isReadable && (
        <>
          <LinkButton label={`Rename ${name}`} onClick={() => edit("name")}>
            Rename
          </LinkButton>
          <LinkButton
            label={`${world.note ? "Change the note of" : "Note on"} ${name}`}
            onClick={() => edit("note")}
          >
            {world.note ? "Note" : "Add a note"}
          </LinkButton>
        </>
      )}
      {isReadable && <ActionButton {...button} what="Duplicate" work={duplicate} />}
      {open !== "here" && open !== "watched" && isReadable && (
        <LinkButton label={`Compare with ${name}`} onClick={compare}>
          Compare
        </LinkButton>
      )}
      {open === "here" && (
        <LinkButton
          label={`Replay ${name} with one change`}
          onClick={() => page.actions.openDialog("otherwise")}
        >
          Replay with one change…
        </LinkButton>
      )}
      <ActionButton {...button} what="Export" work={save} />
      {isOurs && (
        <ActionButton
          {...button}
          what="Delete"
          work={async () => void (await lab.deleteWorld({ world: id }))}
        />
      )}
      {actions.full && isOurs && <ActionButton {...button} what="Delete forever" work={erase} />}
    </div>
  );
}

/** Opens a world, or watches one that another tab plays. */
function OpenButton({ world, actions }: Omit<ContentProps, "erase">) {
  const page = usePage();
  const { id, open } = world;
  if (open === "here" || open === "watched")
    return <span className="soft">{open === "here" ? "on screen" : "watching"}</span>;
  return (
    <button
      type="button"
      aria-label={`${open === "" ? "Open" : "Watch"} ${nameOf(world)}`}
      title={open === "" ? undefined : "Another tab plays this world."}
      aria-busy={actions.doing.includes("Open") || undefined}
      onClick={() =>
        actions.press("Open", async () => {
          await page.client.lab.openWorld({ world: id });
          page.actions.closeDialog();
          return undefined;
        })
      }
    >
      {open === "" ? "Open" : "Watch"}
    </button>
  );
}

interface LinkButtonProps {
  label: string;
  busy?: boolean;
  onClick: () => void;
  children: string;
}

function LinkButton({ label, busy = false, onClick, children }: LinkButtonProps) {
  return (
    <button
      type="button"
      data-link=""
      aria-label={label}
      aria-busy={busy || undefined}
      onClick={onClick}
    >
      {children}
    </button>
  );
}

interface ActionButtonProps {
  what: string;
  /** Name of the world. */
  name: string;
  actions: RowActions;
  work: Work;
}

/** A button that runs an action of the row. */
function ActionButton({ what, name, actions, work }: ActionButtonProps) {
  return (
    <LinkButton
      label={`${what} ${name}`}
      busy={actions.doing.includes(what)}
      onClick={() => actions.press(what, work)}
    >
      {what}
    </LinkButton>
  );
}

const nameOf = ({ name }: WorldInfo): string => name || UNNAMED;

/** A date after a label; nothing if it is unknown. */
function Time({ word, time }: { word: string; time: string }) {
  return (
    time !== "" && (
      <>
        {" "}
        · {word} <time dateTime={time}>{localTime(time)}</time>
      </>
    )
  );
}

function Result({ text, ok }: { text: string; ok: boolean }) {
  return (
    text !== "" && (
      <p className={ok ? css.about : css.problem} role={ok ? "status" : "alert"}>
        {text}
      </p>
    )
  );
}
