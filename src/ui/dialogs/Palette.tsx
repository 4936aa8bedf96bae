import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from "react";
import { keyActions } from "../keys.ts";
import { type Entry, entriesOf } from "../palette/entries.ts";
import { find } from "../palette/find.ts";
import { compareWith } from "../panels/compare/open.ts";
import { WORLD } from "../panels/compare/other.ts";
import { KIND_LABELS, linesTable, shownLines } from "../panels/drawer/lines-table.ts";
import { EMPTY, scenarioOf } from "../panels/scenario/document.ts";
import { picturesOnScreen, savePicture } from "../pictures/on-screen.ts";
import { useNewWorlds } from "../store/new-worlds.ts";
import { WATCHED } from "../store/notices.ts";
import { type Page, usePage } from "../store/page.ts";
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
import { count, plural } from "../widgets/format.ts";
import { saveTable } from "../widgets/save-table.ts";
import { useNames } from "../widgets/use-names.ts";
import type { Bundled } from "./bundled-stories.ts";
import css from "./Palette.module.css";

/** Number of options that Page Up and Page Down skip. */
const PAGE = 10;

/** All entries except blocks; `isComplete` once those that are loaded are there. */
function useEntries() {
  const { frames, client, notices } = usePage();
  const [stories, setStories] = useState<readonly Bundled[]>();
  const [worlds, setWorlds] = useState<readonly WorldInfo[]>();
  const [undo, setUndo] = useState<string>();
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
  return { entries, isComplete: stories !== undefined && worlds !== undefined };
}

/** Returns a function that closes the palette and runs the action of an entry. */
function useTake(): (entry: Entry | undefined) => void {
  const page = usePage();
  const { actions } = page;
  const { runStory } = useNewWorlds();
  const watching = useWatching();
  const named = useNames();
  return (entry) => {
    if (entry === undefined) return;
    if (entry.controls && watching) {
      actions.notify(WATCHED, "error");
      return;
    }
    actions.closeDialog();
    // The dialog returns the focus first, so that the next one can take it; the next key comes
    // after both.
    queueMicrotask(() => void act(page, entry, { named, runStory }));
  };
}

/** Results of hooks that the actions of entries need. */
interface HookResults {
  readonly named: ReturnType<typeof useNames>;
  readonly runStory: ReturnType<typeof useNewWorlds>["runStory"];
}

function act(page: Page, { deed, controls }: Entry, { named, runStory }: HookResults): unknown {
  const { actions, frames, dialog, client } = page;
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
}

const searchEntry = (entries: readonly Entry[]): Entry | undefined =>
  entries.find(({ deed }) => deed.does === "search");

/** Every action, dialog and view, found by typing. */
export default function Palette() {
  const { frames } = usePage();
  const id = useId();
  const [ahead, setAhead] = useState(typedAhead);
  const [typed, setTyped] = useState(ahead.text);
  const [at, setAt] = useState(0);
  const { entries, isComplete } = useEntries();
  const take = useTake();
  const { shown, all } = useMemo(
    () => find(entries, frames.getState(), typed),
    [entries, frames, typed],
  );
  const chosen = Math.min(at, shown.length - 1);
  // Handle the key pressed before the field appeared, once all entries are loaded.
  useEffect(() => {
    if (ahead.next === undefined || !isComplete) return;
    setAhead({ text: "", next: undefined });
    take(ahead.next === "take" ? shown[0] : searchEntry(entries));
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
    else if (event.key === "/" && typed === "") take(searchEntry(entries));
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
      <Options id={id} entries={shown} chosen={chosen} onPoint={setAt} onTake={take} />
      <p className={css.found} role="status">
        {foundText(shown.length, all, typed.trim())}
      </p>
    </Dialog>
  );
}

/** The number of found entries, as text. */
function foundText(shown: number, all: number, typed: string): string {
  if (shown === 0) return `Nothing is called “${typed}”.`;
  if (typed === "") return `${count(all)} things, and every block by its height: type to find one.`;
  return shown < all
    ? `The first ${count(shown)} of ${count(all)}: type more to see the others.`
    : `${plural(all, "thing")} found`;
}

interface OptionsProps {
  id: string;
  entries: readonly Entry[];
  /** Index of the chosen entry, which is scrolled to. */
  chosen: number;
  onPoint: (index: number) => void;
  onTake: (entry: Entry) => void;
}

/** The found entries by group. */
function Options({ id, entries, chosen, onPoint, onTake }: OptionsProps) {
  const list = useRef<HTMLDivElement>(null);
  const watching = useWatching();
  useEffect(() => {
    list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  });
  return (
    <div id={`${id}-list`} ref={list} role="listbox" aria-label="Found" className={css.list}>
      {groupsOfEntries(entries).map(({ group, from, some }) => (
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
              onPointerMove={() => from + i !== chosen && onPoint(from + i)}
              onClick={() => onTake(entry)}
            >
              <span className={css.title}>{entry.title}</span>
              {entry.about && <span className={css.about}>{entry.about}</span>}
              {entry.key && <kbd>{entry.key}</kbd>}
            </div>
          ))}
        </div>
      ))}
    </div>
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
