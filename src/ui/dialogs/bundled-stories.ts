/** A bundled scenario, as in its list. */
export interface Bundled {
  readonly file: string;
  readonly title: string;
  readonly about: string;
  readonly group?: string;
  readonly level?: string;
  /** Approximate playing time. */
  readonly seconds?: number;
  /** Search words about its topic, besides those in its text. */
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

/** Ordered by required knowledge, ascending. */
const LEVELS = ["beginner", "advanced", "expert"];

const byLevel = (a: Bundled, b: Bundled): number =>
  LEVELS.indexOf(a.level ?? "") - LEVELS.indexOf(b.level ?? "");

const hasAll = (text: string, wanted: string): boolean =>
  wanted
    .toLowerCase()
    .split(/[\s-]+/)
    .every((word) => text.toLowerCase().includes(word));

/** True if a story has every word of the search. */
const has = ({ title, about, words = [] }: Bundled, wanted: string): boolean =>
  hasAll([title, about, ...words].join(" "), wanted);

export interface Group {
  readonly title: string;
  readonly stories: readonly Bundled[];
}

/**
 * The matching stories by group: first those with all words in their title and their groups, then
 * the easiest; empty groups are omitted.
 */
export function groupsOf(stories: readonly Bundled[], wanted: string): readonly Group[] {
  const words = wanted.trim();
  const misses = ({ title }: Bundled): number => (hasAll(title, words) ? 0 : 1);
  const found = stories
    .filter((story) => has(story, words))
    .sort((a, b) => misses(a) - misses(b) || byLevel(a, b));
  const best = ({ stories }: Group): number => Math.min(...stories.map(misses));
  const isOf = ({ group }: Bundled, name: string): boolean =>
    GROUPS.some(([known]) => known === group) ? group === name : name === "";
  return GROUPS.map(([name, title]) => ({
    title,
    stories: found.filter((story) => isOf(story, name)),
  }))
    .filter((group) => group.stories.length > 0)
    .sort((a, b) => best(a) - best(b));
}
