/** Entries of the command palette: actions, dialogs and views, each with its search words. */
import { type Bundled, groupsOf } from "../dialogs/bundled-stories.ts";
import type { PictureKind } from "../pictures/on-screen.ts";
import type { DialogName, DrawerTab } from "../store/dialog.ts";
import { DRAWER_TABS } from "../store/drawer-tabs.ts";
import type { ActivityKind, FrameState } from "../store/frame-store.ts";
import { KEY_TEXTS } from "../store/key-texts.ts";
import type { WorldInfo } from "../store/types.ts";
import { capital, count, plural, UNNAMED } from "../widgets/format.ts";

/** Action of a palette entry; executed by the component that shows it. */
export type Deed =
  | { readonly does: "key"; readonly key: string }
  | { readonly does: "dialog"; readonly name: DialogName; readonly subject?: string }
  | { readonly does: "picture"; readonly title: string; readonly kind: PictureKind }
  | { readonly does: "view"; readonly view: string }
  | {
      readonly does: "select";
      readonly kind: "node" | "block" | "proposal" | "evidence";
      readonly id: string;
    }
  | { readonly does: "drawer"; readonly tab: DrawerTab }
  | { readonly does: "theme"; readonly theme: string }
  | { readonly does: "speed"; readonly speed: number }
  | { readonly does: "story"; readonly file: string }
  | { readonly does: "world"; readonly id: string }
  | { readonly does: "compare"; readonly world: string }
  | { readonly does: "save-lines"; readonly kind: ActivityKind }
  | { readonly does: "scenario"; readonly what: "run" | "goOn" | "new" | "pin" }
  | { readonly does: "follow" | "search" | "save-genesis" | "save-world" };

export interface Entry {
  readonly group: string;
  readonly title: string;
  /** Shown beside it, and searched too. */
  readonly about?: string;
  /** Additional search words. */
  readonly words?: string;
  /** The key of the same action. */
  readonly key?: string;
  /** True if it changes the world: disabled if another tab plays it. */
  readonly controls?: boolean;
  readonly deed: Deed;
}

/** Sources of the palette's entries. */
export interface PaletteContext {
  readonly views: readonly { readonly name: string; readonly title: string }[];
  readonly themes: Readonly<Record<string, string>>;
  readonly state: Pick<FrameState, "frame" | "blocks" | "travel">;
  readonly stories: readonly Bundled[];
  readonly worlds: readonly WorldInfo[];
  /** Effect of the undo key; undefined until it is loaded. */
  readonly undo?: string | undefined;
  /** Titles of the pictures on screen. */
  readonly pictures: readonly string[];
}

/** Exports to a file, each with a dialog for the range of heights. */
const EXPORTS: readonly (readonly [title: string, words: string])[] = [
  ["Save a trace of what nodes did…", "export perfetto rounds file"],
  ["Save blocks as CSV…", "export table spreadsheet file"],
  ["Save events as CSV…", "export table spreadsheet file"],
];

/** Exports of the newest drawer lines, saved immediately. */
const LINES: readonly (readonly [title: string, kind: ActivityKind])[] = [
  ["Save the newest steps as CSV", "step"],
  ["Save the newest events as CSV", "event"],
  ["Save the newest lines of logs as CSV", "log"],
];

const KINDS: readonly PictureKind[] = ["svg", "png"];

/** Actions of the scenario editor; a run executes the scenario that is open there. */
const SCENARIO: readonly (readonly [
  what: Extract<Deed, { does: "scenario" }>["what"],
  title: string,
  words: string,
])[] = [
  ["run", "Run the scenario in the editor", "test steps"],
  ["goOn", "Continue the scenario from where it stops", "run resume breakpoint"],
  ["new", "Write a new scenario", "edit create empty yaml"],
  ["pin", "Assert a current value in the scenario", "pin number expectation expect"],
];

/** Actions of the Worlds dialog. */
const WORLDS: readonly (readonly [title: string, words: string])[] = [
  ["Rename this world, or note something about it…", "name comment branch"],
  ["Duplicate this world…", "copy branch"],
  ["Delete this world…", "remove branch"],
  ["Import a world…", "open upload file"],
];

const SPEEDS = [1, 2, 5, 10, 50, 200, 0];

/** All entries except blocks, whose number is unlimited. */
export const entriesOf = (context: PaletteContext): Entry[] => [
  ...actionEntries(context),
  ...viewEntries(context),
  ...fileEntries(context),
  ...scenarioEntries(context),
  ...WORLDS.map(
    ([title, words]): Entry => ({
      ...{ group: "Worlds", title, words: words, deed: { does: "dialog", name: "worlds" } },
    }),
  ),
  {
    ...{ group: "Settings", title: "Follow the story, or stay in this view" },
    ...{ words: "told shown", deed: { does: "follow" } },
  },
  {
    ...{ group: "State", title: "Change a byte of a value, and see what no longer fits" },
    ...{ words: "tamper impossible proof hex", deed: { does: "view", view: "state" } },
  },
  ...DRAWER_TABS.map(
    ({ tab, title, key }): Entry => ({
      ...{ group: "Drawer", title, key: `Shift ${key}`, words: "drawer" },
      deed: { does: "drawer", tab },
    }),
  ),
  ...chainEntries(context),
  ...storyEntries(context),
  ...worldEntries(context),
  ...settingEntries(context),
];

const actionEntries = ({ undo }: PaletteContext): Entry[] => [
  ...KEY_TEXTS.flatMap(({ key, does, action, words = "", controls = false }): Entry[] =>
    action === undefined
      ? []
      : [
          {
            group: "Actions",
            title: capital(action === "z" ? (undo ?? does) : does),
            key,
            words: `${words} ${does}`,
            controls,
            deed: { does: "key", key: action },
          },
        ],
  ),
  { group: "Actions", title: "Search in this view", key: "/ /", deed: { does: "search" } },
];

const viewEntries = ({ views }: PaletteContext): Entry[] =>
  views.map(
    ({ name, title }, i): Entry => ({
      ...{ group: "Views", title, key: String(i + 1), words: "view tab" },
      deed: { does: "view", view: name },
    }),
  );

const fileEntries = ({ pictures }: PaletteContext): Entry[] => [
  ...[...new Set(pictures)].flatMap((title) =>
    KINDS.map(
      (kind): Entry => ({
        ...{ group: "Files", title: `Save the picture ${title} as ${kind.toUpperCase()}` },
        ...{ words: "export image chart download", deed: { does: "picture", title, kind } },
      }),
    ),
  ),
  ...EXPORTS.map(
    ([title, words]): Entry => ({
      ...{ group: "Files", title, words: words },
      deed: { does: "dialog", name: "share", subject: "exports" },
    }),
  ),
  ...LINES.map(
    ([title, kind]): Entry => ({
      ...{ group: "Files", title, words: "export table spreadsheet file drawer" },
      deed: { does: "save-lines", kind },
    }),
  ),
  {
    ...{ group: "Files", title: "Save the state as a genesis file", words: "export json" },
    deed: { does: "save-genesis" },
  },
  {
    ...{ group: "Files", title: "Save this world as a file", words: "export download" },
    deed: { does: "save-world" },
  },
];

function scenarioEntries({ views }: PaletteContext): Entry[] {
  const isWritten = views.some(({ name }) => name === "scenario");
  return SCENARIO.filter(([what]) => what === "new" || isWritten).map(
    ([what, title, words]): Entry => ({
      ...{
        group: "Scenario",
        title,
        words: `${words} scenario`,
        deed: { does: "scenario", what },
      },
      controls: what === "run" || what === "goOn",
    }),
  );
}

/** Selections of what the chain has. */
function chainEntries({ state: { frame } }: PaletteContext): Entry[] {
  const { validators = [], nodes = [], proposals = [], evidence = [] } = frame ?? {};
  const validating = new Set(validators.map(({ name }) => name));
  return [
    ...validators.map(
      (validator): Entry => ({
        ...{ group: "Validators", title: validator.name, about: stateOf(validator) },
        ...{ words: `validator ${validator.operatorAddress} ${validator.consensusAddress}` },
        deed: { does: "select", kind: "node", id: validator.name },
      }),
    ),
    ...nodes
      .filter(({ name }) => !validating.has(name))
      .map(
        ({ name, process }): Entry => ({
          ...{ group: "Validators", title: name, about: `node, ${process}` },
          deed: { does: "select", kind: "node", id: name },
        }),
      ),
    ...proposals.map(
      ({ id, title, status }): Entry => ({
        ...{ group: "Proposals", title: `Proposal ${id}: ${title}`, about: status },
        deed: { does: "select", kind: "proposal", id: String(id) },
      }),
    ),
    ...evidence.map(
      ({ hash, validator, height }): Entry => ({
        ...{ group: "Evidence", title: `Evidence against ${validator}` },
        ...{ about: `infraction at ${count(height)}`, words: hash },
        deed: { does: "select", kind: "evidence", id: hash },
      }),
    ),
  ];
}

const storyEntries = ({ stories }: PaletteContext): Entry[] =>
  groupsOf(stories, "").flatMap(({ stories: some }) =>
    some.map(
      ({ file, title, about, words = [] }): Entry => ({
        ...{ group: "Stories", title, words: `story scenario ${about} ${words.join(" ")}` },
        deed: { does: "story", file },
      }),
    ),
  );

const worldEntries = ({ worlds }: PaletteContext): Entry[] => [
  ...worlds.map(
    ({ id, name, height, open }): Entry => ({
      ...{ group: "Worlds", title: name || UNNAMED, words: "world open branch" },
      about: open === "here" ? "on screen" : `block ${count(height)}`,
      deed: { does: "world", id },
    }),
  ),
  ...worlds
    .filter(({ open }) => open !== "here" && open !== "watched")
    .map(
      ({ id, name, height }): Entry => ({
        ...{ group: "Worlds", title: `Compare with ${name || UNNAMED}` },
        ...{ about: `block ${count(height)}`, words: "difference diff side" },
        deed: { does: "compare", world: id },
      }),
    ),
];

const settingEntries = ({ themes }: PaletteContext): Entry[] => [
  ...Object.entries(themes).map(
    ([theme, name]): Entry => ({
      ...{
        group: "Settings",
        title: `Theme: ${name.toLowerCase()}`,
        words: "setting colours",
      },
      deed: { does: "theme", theme },
    }),
  ),
  ...SPEEDS.map(
    (speed): Entry => ({
      ...{
        group: "Settings",
        words: "setting blocks per second fast slow",
        controls: true,
      },
      title: speed === 0 ? "Speed: full speed" : `Speed: ${plural(speed, "block")}/s`,
      deed: { does: "speed", speed },
    }),
  ),
];

/** Returns the state of a validator, shown beside its name. */
const stateOf = ({
  power,
  bond,
  jailed,
  tombstoned,
}: {
  power: number;
  bond: string;
  jailed: boolean;
  tombstoned: boolean;
}): string => {
  const state = tombstoned ? "tombstoned" : jailed ? "jailed" : bond;
  return power > 0 && state === "bonded" ? `power ${count(power)}` : state;
};
