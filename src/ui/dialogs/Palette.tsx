import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from "react";
import { keyActions } from "../keys.ts";
import { type Entry, entriesOf, find } from "../palette/entries.ts";
import { compareWith } from "../panels/compare/open.ts";
import { WORLD } from "../panels/compare/other.ts";
import { KIND_LABELS, linesTable, shownLines } from "../panels/drawer/lines-table.ts";
import { EMPTY, scenarioOf } from "../panels/scenario/document.ts";
import { picturesOnScreen, savePicture } from "../pictures/on-screen.ts";
import { useNewWorlds } from "../store/new-worlds.ts";
import { WATCHED } from "../store/notices.ts";
import { usePage } from "../store/page.ts";
import { goTo } from "../store/route.ts";
import { saveGenesis, saveThisWorld } from "../store/save-chain.ts";
import { chooseTheme, THEME_NAMES, THEMES } from "../store/theme.ts";
import { selectBlock } from "../store/travel.ts";
import { typedAhead } from "../store/typed-ahead.ts";
import type { WorldInfo } from "../store/types.ts";
import { wouldUndo } from "../store/undo.ts";
import { showDocument } from "../views/documents.ts";
import { VIEWS } from "../views/views.ts";
import { useWatching } from "../widgets/ControlButton.tsx";
import { Dialog } from "../widgets/Dialog.tsx";
import { count } from "../widgets/format.ts";
import { saveTable } from "../widgets/save-table.ts";
import { useNames } from "../widgets/use-names.ts";
import type { Bundled } from "./bundled-stories.ts";
import css from "./Palette.module.css";

/** Number of options that Page Up and Page Down skip. */
const PAGE = 10;

/** Every action, dialog and view, found by typing. */
export default function Palette() {
  const page = usePage();
  const { actions, frames, dialog, client, notices } = page;
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const [ahead, setAhead] = useState(typedAhead);
  const [typed, setTyped] = useState(ahead.text);
  const [at, setAt] = useState(0);
  const [stories, setStories] = useState<readonly Bundled[]>();
  const [worlds, setWorlds] = useState<readonly WorldInfo[]>();
  const [undo, setUndo] = useState<string>();
  const { runStory } = useNewWorlds();
  const watching = useWatching();
  const named = useNames();
  useEffect(() => {
    // Sources that fail to load are not offered; their own dialogs show the reason.
    void fetch("scenarios/index.json")
      .then((answer) => answer.json())
      .then(setStories, () => setStories([]));
    client.lab.listWorlds({}).then(
      ({ worlds }) => setWorlds(worlds),
      () => setWorlds([]),
    );
    wouldUndo({ client, frames, notices }).then(
      ({ text }) => setUndo(text),
      () => {},
    );
  }, [client, frames, notices]);
  // For the chain when the palette was opened: the option under the pointer must not move.
  const entries = useMemo(
    () =>
      entriesOf({
        ...{ views: VIEWS, themes: THEME_NAMES, state: frames.getState() },
        ...{ stories: stories ?? [], worlds: worlds ?? [], undo },
        pictures: picturesOnScreen().map(({ title }) => title),
      }),
    [frames, stories, worlds, undo],
  );
  const { shown, all } = useMemo(
    () => find(entries, frames.getState(), typed),
    [entries, frames, typed],
  );
  const chosen = Math.min(at, shown.length - 1);
  useEffect(() => {
    list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  });

  const act = ({ deed, controls }: Entry): unknown => {
    switch (deed.does) {
      case "key":
        return keyActions(page)[deed.key]?.();
      case "dialog":
        return controls
          ? actions.inBranch(() => actions.openDialog(deed.name))
          : actions.openDialog(deed.name, deed.subject);
      case "picture": {
        const picture = picturesOnScreen().find(({ title }) => title === deed.title);
        return picture && savePicture(page, picture, deed.kind);
      }
      case "save-lines": {
        const lines = shownLines(deed.kind, frames.getState().activity[deed.kind], named);
        return saveTable(KIND_LABELS[deed.kind], linesTable(lines));
      }
      case "save-genesis":
        return saveGenesis(page);
      case "save-world":
        return saveThisWorld(page);
      case "view":
        return goTo({ view: deed.view });
      case "select":
        goTo({ selection: { kind: deed.kind, id: deed.id }, presenting: false });
        return deed.kind === "block" && selectBlock(page, Number(deed.id));
      case "drawer":
        return dialog.setState({ drawer: deed.tab });
      case "theme":
        return chooseTheme(THEMES.find((theme) => theme === deed.theme) ?? "system");
      case "speed":
        return actions.inBranch(() => actions.setSpeed(deed.speed));
      case "story":
        return runStory(deed.file);
      case "world":
        return client.lab.openWorld({ world: deed.id }).catch(actions.report);
      case "compare":
        return compareWith(page, { other: WORLD + deed.world, at: 0 });
      case "scenario": {
        const scenario = scenarioOf(page);
        showDocument("scenario");
        if (deed.what === "run") return scenario.run();
        if (deed.what === "goOn") return scenario.continueRun();
        if (deed.what === "new") return scenario.open("mine.yaml", EMPTY);
        return scenario.store.setState({ pinning: true });
      }
      case "follow":
        return dialog.setState({ follows: !dialog.getState().follows });
      case "search":
        return document.querySelector<HTMLElement>("main [type=search]")?.focus();
      default:
        return deed satisfies never;
    }
  };
  const take = (entry: Entry | undefined): void => {
    if (entry === undefined) return;
    if (entry.controls && watching) {
      actions.notify(WATCHED, "error");
      return;
    }
    actions.closeDialog();
    // The dialog returns the focus first, so that the next one can take it; the next key comes
    // after both.
    queueMicrotask(() => void act(entry));
  };
  // Handle the key pressed before the field appeared, once all entries are loaded.
  useEffect(() => {
    if (ahead.next === undefined || stories === undefined || worlds === undefined) return;
    setAhead({ text: "", next: undefined });
    take(ahead.next === "take" ? shown[0] : entries.find(({ deed }) => deed.does === "search"));
  });
  const moved: Readonly<Record<string, (last: number) => number>> = {
    ArrowDown: (last) => (chosen === last ? 0 : chosen + 1),
    ArrowUp: (last) => (chosen <= 0 ? last : chosen - 1),
    PageDown: (last) => Math.min(last, chosen + PAGE),
    PageUp: () => Math.max(0, chosen - PAGE),
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    const move = moved[event.key];
    if (move) setAt(move(shown.length - 1));
    else if (event.key === "Enter") take(shown[chosen]);
    else if (event.key === "/" && typed === "")
      take(entries.find(({ deed }) => deed.does === "search"));
    else return;
    event.preventDefault();
  };

  return (
    <Dialog title="Palette" wide>
      <input
        type="text"
        role="combobox"
        className={css.input}
        aria-label="Find anything"
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={chosen >= 0 ? `${id}-${chosen}` : undefined}
        autoComplete="off"
        spellCheck={false}
        placeholder="An action, a validator, a block, a story…"
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div id={`${id}-list`} ref={list} role="listbox" aria-label="Found" className={css.list}>
        {groupsOfEntries(shown).map(({ group, from, some }) => (
          // biome-ignore lint/a11y/useSemanticElements: no element of HTML groups options outside a select
          <div key={`${group} ${from}`} role="group" aria-label={group}>
            <p className={css.group} aria-hidden="true">
              {group}
            </p>
            {some.map((entry, i) => (
              // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus
              // biome-ignore lint/a11y/useKeyWithClickEvents: the field hears the keys
              <div
                key={`${entry.title} ${JSON.stringify(entry.deed)}`}
                id={`${id}-${from + i}`}
                role="option"
                aria-selected={from + i === chosen}
                aria-disabled={(entry.controls && watching) || undefined}
                className={css.option}
                onPointerMove={() => from + i !== chosen && setAt(from + i)}
                onClick={() => take(entry)}
              >
                <span className={css.title}>{entry.title}</span>
                {entry.about && <span className={css.about}>{entry.about}</span>}
                {entry.key && <kbd>{entry.key}</kbd>}
              </div>
            ))}
          </div>
        ))}
      </div>
      <p className={css.found} role="status">
        {shown.length === 0
          ? `Nothing is called “${typed.trim()}”.`
          : typed.trim() === ""
            ? `${count(all)} things, and every block by its height: type to find one.`
            : shown.length < all
              ? `The first ${count(shown.length)} of ${count(all)}: type more to see the others.`
              : `${count(all)} found`}
      </p>
    </Dialog>
  );
}

interface Group {
  readonly group: string;
  /** Index of the first option among all. */
  readonly from: number;
  readonly some: Entry[];
}

/** Groups consecutive entries of one group under its name; the order, best first, is preserved. */
function groupsOfEntries(entries: readonly Entry[]): readonly Group[] {
  const groups: Group[] = [];
  for (const [from, entry] of entries.entries()) {
    const last = groups.at(-1);
    if (last?.group === entry.group) last.some.push(entry);
    else groups.push({ group: entry.group, from, some: [entry] });
  }
  return groups;
}
