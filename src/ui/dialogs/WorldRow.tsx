import { type FormEvent, useEffect, useId, useRef, useState } from "react";
import { askToKeep } from "../store/keep.ts";
import { usePage } from "../store/page.ts";
import type { WorldInfo } from "../store/types.ts";
import { count } from "../widgets/format.ts";
import { saveWorld } from "../widgets/save-file.ts";
import { bytes, localTime } from "../widgets/sizes.ts";
import css from "./Worlds.module.css";

const MAX_NAME = 80;

interface WorldRowProps {
  world: WorldInfo;
  deleted: boolean;
  onChanged: () => Promise<void>;
}

/** One world with what can be done with it. */
export function WorldRow({ world, deleted, onChanged }: WorldRowProps) {
  const { client, actions } = usePage();
  const { id, name, open, problem: unreadable } = world;
  const [doing, setDoing] = useState("");
  const [problem, setProblem] = useState("");
  const [renaming, setRenaming] = useState(false);
  const { lab } = client;
  const row = useRef<HTMLLIElement>(null);
  const was = useRef(deleted);
  useEffect(() => {
    // The button that was pressed is gone: its opposite takes the focus.
    if (was.current !== deleted) row.current?.querySelector("button")?.focus();
    was.current = deleted;
  }, [deleted]);

  /** Does one thing at a time, and says here why it could not. */
  const act = async (what: string, work: () => Promise<unknown>): Promise<void> => {
    if (doing) return;
    setDoing(what);
    setProblem("");
    try {
      await work();
      await onChanged();
    } catch (error) {
      setProblem((error as Error).message);
    }
    setDoing("");
  };
  const button = (what: string, work: () => Promise<unknown>) => (
    <button
      type="button"
      data-link=""
      aria-label={`${what} ${name}`}
      aria-busy={doing === what || undefined}
      onClick={() => act(what, work)}
    >
      {what}
    </button>
  );

  if (deleted) {
    return (
      <li ref={row} className={css.world} data-deleted="">
        <p>
          <b className={css.name}>{name}</b> is deleted.
        </p>
        <div className={css.links}>{button("Undo", () => lab.restoreWorld({ world: id }))}</div>
        <Problem text={problem} />
      </li>
    );
  }
  return (
    <li ref={row} className={css.world} aria-current={open === "here" || undefined}>
      {renaming ? (
        <Rename
          name={name}
          onEnd={(next) => {
            setRenaming(false);
            if (!next) return;
            void act("Rename", () => lab.renameWorld({ world: id, name: next }));
            void askToKeep();
          }}
        />
      ) : (
        <b className={css.name}>{name}</b>
      )}
      <p className={css.about}>
        {unreadable && `${unreadable} What is left of it: `}
        {world.saved && `block ${count(world.height)} · `}
        {bytes(world.bytes)}
        {world.saved && (
          <>
            {" "}
            · saved <time dateTime={world.saved}>{localTime(world.saved)}</time> · begun{" "}
            <time dateTime={world.created}>{localTime(world.created)}</time>
          </>
        )}
      </p>
      <div className={css.links}>
        {open !== "elsewhere" && !unreadable && (
          <button
            type="button"
            data-link=""
            aria-label={`Rename ${name}`}
            onClick={() => setRenaming(true)}
          >
            Rename
          </button>
        )}
        {!unreadable &&
          button("Duplicate", () => {
            void askToKeep();
            return lab.duplicateWorld({ world: id });
          })}
        {button("Export", async () => saveWorld(await lab.exportWorld({ world: id })))}
        {open === "" && button("Delete", () => lab.deleteWorld({ world: id }))}
      </div>
      <div className={css.open}>
        {unreadable ? null : open === "here" ? (
          <span className="soft">on screen</span>
        ) : (
          <button
            type="button"
            aria-label={`${open === "" ? "Open" : "Watch"} ${name}`}
            title={open === "" ? undefined : "Another tab plays it."}
            aria-busy={doing === "Open" || undefined}
            onClick={() =>
              act("Open", async () => {
                await lab.openWorld({ world: id });
                actions.closeDialog();
              })
            }
          >
            {open === "" ? "Open" : "Watch"}
          </button>
        )}
      </div>
      <Problem text={problem} />
    </li>
  );
}

/** The name as a field: Enter or leaving it takes the new one, Escape the old. */
function Rename({ name, onEnd }: { name: string; onEnd: (name: string) => void }) {
  const id = useId();
  const [text, setText] = useState(name);
  const over = useRef(false);
  const end = (next: string): void => {
    if (over.current) return;
    over.current = true;
    onEnd(next.trim() === name ? "" : next.trim());
  };
  const send = (event: FormEvent): void => {
    event.preventDefault();
    end(text);
  };
  return (
    <form className={css.rename} onSubmit={send}>
      <label htmlFor={id} className="hidden">
        New name of {name}
      </label>
      <input
        id={id}
        // biome-ignore lint/a11y/noAutofocus: it takes the place of the button that was just pressed
        autoFocus
        maxLength={MAX_NAME}
        value={text}
        onChange={({ target }) => setText(target.value)}
        onBlur={() => end(text)}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          event.preventDefault();
          end("");
        }}
      />
    </form>
  );
}

function Problem({ text }: { text: string }) {
  return (
    text !== "" && (
      <p className={css.problem} role="alert">
        {text}
      </p>
    )
  );
}
