import { type CSSProperties, type FormEvent, useEffect, useId, useRef, useState } from "react";
import { WORLD_NAME, WORLD_NOTE } from "../../base/limits.ts";
import { type ClientError, CODE } from "../../client/client.ts";
import { compareWith } from "../panels/compare/open.ts";
import { WORLD } from "../panels/compare/other.ts";
import { usePage } from "../store/page.ts";
import { requestPersistence } from "../store/persistence.ts";
import type { WorldInfo, WorldList } from "../store/types.ts";
import { capital, count, sentence, UNNAMED } from "../widgets/format.ts";
import { saveWorld } from "../widgets/save-file.ts";
import { bytes, localDate, localTime } from "../widgets/sizes.ts";
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
  const page = usePage();
  const { client, actions } = page;
  const { id, open, problem: unreadable } = world;
  const name = world.name || UNNAMED;
  const [doing, setDoing] = useState<readonly string[]>([]);
  const turn = useRef(Promise.resolve());
  const [said, setSaid] = useState({ text: "", ok: true });
  const [full, setFull] = useState(false);
  const [renaming, setRenaming] = useState(false);
  const [noting, setNoting] = useState(false);
  const levels = { "--depth": Math.min(depth, MOST_LEVELS) } as CSSProperties;
  const { lab } = client;
  const row = useRef<HTMLLIElement>(null);
  const was = useRef(deleted);
  useEffect(() => {
    // The pressed button is gone: its opposite gets the focus.
    if (was.current !== deleted) row.current?.querySelector("button")?.focus();
    was.current = deleted;
  }, [deleted]);

  const attempt = async (work: () => Promise<string | undefined>): Promise<void> => {
    setSaid({ text: "", ok: true });
    try {
      const text = (await work()) ?? "";
      await onChanged();
      setSaid({ text, ok: true });
    } catch (error) {
      const { code, message } = error as ClientError;
      setFull(code === CODE.resourceExhausted);
      setSaid({ text: capital(sentence(message)), ok: false });
    }
  };
  /**
   * Runs actions in sequence; shows the result if it is not visible otherwise, or the reason of a
   * failure.
   */
  const act = (what: string, work: () => Promise<string | undefined>): Promise<void> => {
    setDoing((others) => [...others, what]);
    turn.current = turn.current.then(async () => {
      await attempt(work);
      setDoing(([, ...others]) => others);
    });
    return turn.current;
  };
  /** Runs a button's action; a second press while it is pending is ignored. */
  const press = (what: string, work: () => Promise<string | undefined>): void => {
    if (!doing.includes(what)) void act(what, work);
  };
  const button = (what: string, work: () => Promise<string | undefined>) => (
    <button
      type="button"
      data-link=""
      aria-label={`${what} ${name}`}
      aria-busy={doing.includes(what) || undefined}
      onClick={() => press(what, work)}
    >
      {what}
    </button>
  );

  const erase = async (): Promise<undefined> => {
    await lab.deleteWorld({ world: id, forever: true });
    row.current?.parentElement?.focus();
  };

  if (deleted) {
    return (
      <li ref={row} className={css.world} style={levels} data-deleted="">
        <p>
          <b className={css.name}>{name}</b> is deleted.
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
          {button("Restore", async () => void (await lab.restoreWorld({ world: id })))}
          {button("Delete forever", erase)}
        </div>
        <Result {...said} />
      </li>
    );
  }
  return (
    <li
      ref={row}
      className={css.world}
      style={levels}
      data-branch={world.parent && ""}
      aria-current={open === "here" || undefined}
    >
      {renaming ? (
        <EditableText
          label={`New name of ${name}`}
          text={name}
          most={WORLD_NAME}
          onEnd={async (next, byKey) => {
            setRenaming(false);
            // The field is gone: the button that opened it gets the focus.
            if (byKey) row.current?.querySelector("button")?.focus();
            if (next === undefined) return;
            void requestPersistence();
            await act(
              "Rename",
              async () => void (await lab.renameWorld({ world: id, name: next })),
            );
          }}
        />
      ) : (
        <b className={css.name}>{name}</b>
      )}
      {world.impossible && (
        <p className={css.impossible}>impossible: a value was changed by hand in it</p>
      )}
      {world.parent && (
        <p className={css.about}>
          branch of {of ? `“${of}”` : "a world that is gone"}{" "}
          {world.parent.height === 0
            ? "from its beginning"
            : `from block ${count(world.parent.height)}`}
        </p>
      )}
      {noting ? (
        <EditableText
          label={`Note of ${name}`}
          text={world.note}
          most={WORLD_NOTE}
          onEnd={async (next, byKey) => {
            setNoting(false);
            if (byKey) row.current?.querySelector("button")?.focus();
            if (next === undefined) return;
            await act("Note", async () => void (await lab.noteWorld({ world: id, note: next })));
          }}
        />
      ) : (
        world.note && <p className={css.note}>{world.note}</p>
      )}
      <p className={css.about}>
        {unreadable && `${unreadable} What is left of it: `}
        {world.saved && `block ${count(world.height)} · `}
        {bytes(world.bytes)}
        <Time word="saved" time={world.saved} />
        <Time word="created" time={world.created} />
      </p>
      <div className={css.links}>
        {(open === "" || open === "here") && !unreadable && (
          <button
            type="button"
            data-link=""
            aria-label={`Rename ${name}`}
            onClick={() => setRenaming(true)}
          >
            Rename
          </button>
        )}
        {(open === "" || open === "here") && !unreadable && (
          <button
            type="button"
            data-link=""
            aria-label={`${world.note ? "Change the note of" : "Note on"} ${name}`}
            onClick={() => setNoting(true)}
          >
            {world.note ? "Note" : "Add a note"}
          </button>
        )}
        {!unreadable &&
          button("Duplicate", async () => {
            void requestPersistence();
            await lab.duplicateWorld({ world: id });
            return "A copy was added at the top of the list.";
          })}
        {open !== "here" && open !== "watched" && !unreadable && (
          <button
            type="button"
            data-link=""
            aria-label={`Compare with ${name}`}
            onClick={() => {
              actions.closeDialog();
              compareWith(page, { other: WORLD + id, at: 0 });
            }}
          >
            Compare
          </button>
        )}
        {open === "here" && (
          <button
            type="button"
            data-link=""
            aria-label={`Replay ${name} with one change`}
            onClick={() => actions.openDialog("otherwise")}
          >
            Replay with one change…
          </button>
        )}
        {button("Export", async () => {
          const file = await lab.exportWorld({ world: id });
          saveWorld(file);
          return `Exported as ${file.name}.`;
        })}
        {(open === "" || open === "here") &&
          button("Delete", async () => void (await lab.deleteWorld({ world: id })))}
        {full && (open === "" || open === "here") && button("Delete forever", erase)}
      </div>
      <div className={css.open}>
        {unreadable ? null : open === "here" || open === "watched" ? (
          <span className="soft">{open === "here" ? "on screen" : "watching"}</span>
        ) : (
          <button
            type="button"
            aria-label={`${open === "" ? "Open" : "Watch"} ${name}`}
            title={open === "" ? undefined : "Another tab plays this world."}
            aria-busy={doing.includes("Open") || undefined}
            onClick={() =>
              press("Open", async () => {
                await lab.openWorld({ world: id });
                actions.closeDialog();
                return undefined;
              })
            }
          >
            {open === "" ? "Open" : "Watch"}
          </button>
        )}
      </div>
      <Result {...said} />
    </li>
  );
}

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

interface EditableTextProps {
  label: string;
  text: string;
  /** Maximum characters. */
  most: number;
  /** Called with the new text, or with undefined if it is unchanged. */
  onEnd: (text: string | undefined, byKey: boolean) => void;
}

/** A text in a field: Enter or leaving it accepts the new one, Escape restores the old. */
function EditableText({ label, text: old, most, onEnd }: EditableTextProps) {
  const id = useId();
  const [text, setText] = useState(old);
  const over = useRef(false);
  const end = (next: string, byKey: boolean): void => {
    if (over.current) return;
    over.current = true;
    onEnd(next.trim() === old ? undefined : next.trim(), byKey);
  };
  const send = (event: FormEvent): void => {
    event.preventDefault();
    end(text, true);
  };
  return (
    <form className={css.rename} onSubmit={send}>
      <label htmlFor={id} className="hidden">
        {label}
      </label>
      <input
        id={id}
        // biome-ignore lint/a11y/noAutofocus: it takes the place of the button that was just pressed
        autoFocus
        dir="auto"
        maxLength={most}
        value={text}
        onChange={({ target }) => setText(target.value)}
        onFocus={({ target }) => target.select()}
        onBlur={() => end(text, false)}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          event.preventDefault();
          end(old, true);
        }}
      />
    </form>
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
