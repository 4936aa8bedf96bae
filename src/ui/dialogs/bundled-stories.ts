/** A bundled scenario, as its list says of it. */
export interface Bundled {
  readonly file: string;
  readonly title: string;
  readonly about: string;
  readonly group?: string;
  readonly level?: string;
  /** How long it tells itself, about. */
  readonly seconds?: number;
  /** Words of the field that it is about, beside those of its text. */
  readonly words?: readonly string[];
}

const GROUPS: readonly (readonly [name: string, title: string])[] = [
  ["start_here", "Start here"],
  ["evidence", "Evidence"],
  ["upgrades", "Upgrades"],
  ["governance", "Governance"],
  ["sidecar", "Sidecar (Cosmovisor)"],
  ["network", "Network"],
  ["edge_cases", "Edge cases"],
  ["", "Others"],
];

/** From what one should know least for. */
const LEVELS = ["beginner", "advanced", "expert"];

const byLevel = (a: Bundled, b: Bundled): number =>
  LEVELS.indexOf(a.level ?? "") - LEVELS.indexOf(b.level ?? "");

/** Whether a story has every word that is looked for. */
function has({ title, about, words = [] }: Bundled, wanted: string): boolean {
  const text = [title, about, ...words].join(" ").toLowerCase();
  return wanted
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

export interface Group {
  readonly title: string;
  readonly stories: readonly Bundled[];
}

/** The stories that are looked for by group, the easiest first; a group without any is left out. */
export function groupsOf(stories: readonly Bundled[], wanted: string): readonly Group[] {
  const found = stories.filter((story) => has(story, wanted.trim())).sort(byLevel);
  const isOf = ({ group }: Bundled, name: string): boolean =>
    GROUPS.some(([known]) => known === group) ? group === name : name === "";
  return GROUPS.map(([name, title]) => ({
    title,
    stories: found.filter((story) => isOf(story, name)),
  })).filter((group) => group.stories.length > 0);
}
