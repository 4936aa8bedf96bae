/** Finds entries of the palette by words. */
import { markLabels } from "../store/marks.ts";
import type { Entry, PaletteContext } from "./entries.ts";

/** Blocks for a query: the one with that number, and those with matching marks. */
function blocksFor(
  { frame, blocks, travel }: PaletteContext["state"],
  words: readonly string[],
): Entry[] {
  // In the past as well: to move forward.
  const { height = 0, initialHeight = 1 } = (travel?.live.frame ?? frame)?.chain ?? {};
  const number = words
    .map((word) => word.replaceAll(",", ""))
    .find((word) => /^\d{1,10}$/.test(word));
  const about = (at: number): string => {
    const cell = blocks.find((one) => one.height === at);
    return cell ? markLabels(cell.marks).join(", ") : "";
  };
  const entry = (at: number): Entry => ({
    ...{ group: "Blocks", title: `Block ${at}`, about: about(at), words: "block height" },
    deed: { does: "select", kind: "block", id: String(at) },
  });
  if (number !== undefined) {
    const at = Number(number);
    return at >= initialHeight && at <= height ? [entry(at)] : [];
  }
  return blocks
    .filter(({ marks }) => marks > 0)
    .slice(-MARKED)
    .reverse()
    .map(({ height: at }) => entry(at));
}

/** Maximum number of offered marked blocks, the newest. */
const MARKED = 200;
/** Maximum number of shown entries; a longer query has fewer. */
export const SHOWN = 60;

export interface Found {
  readonly shown: readonly Entry[];
  readonly all: number;
}

/**
 * The entries with all words of a query, best first: those that start with it, those whose title
 * has each word at the start of a word, those with all in their title, the others; the shorter of
 * equals first.
 */
export function find(
  entries: readonly Entry[],
  state: PaletteContext["state"],
  typed: string,
): Found {
  const query = typed.trim().toLowerCase();
  if (query === "") {
    const first = entries.filter(({ group }) => group === "Actions" || group === "Views");
    return { shown: first, all: entries.length };
  }
  const words = query.split(/\s+/);
  const ranked: (readonly [rank: number, entry: Entry])[] = [];
  for (const entry of [...entries, ...blocksFor(state, words)]) {
    const rank = rankOf(entry, query, words);
    if (rank !== undefined) ranked.push([rank, entry]);
  }
  ranked.sort(([a, { title: x }], [b, { title: y }]) => a - b || x.length - y.length);
  return { shown: ranked.slice(0, SHOWN).map(([, entry]) => entry), all: ranked.length };
}

function rankOf(
  { title, about = "", words: others = "" }: Entry,
  query: string,
  words: readonly string[],
): number | undefined {
  const name = title.toLowerCase();
  if (name === query) return 0;
  if (name.startsWith(query)) return 1;
  const text = ` ${name}`;
  if (words.every((word) => /[\s-]/.test(text[text.indexOf(word) - 1] ?? ""))) return 2;
  if (words.every((word) => name.includes(word))) return 3;
  const all = `${name} ${about.toLowerCase()} ${others.toLowerCase()}`;
  return words.every((word) => all.includes(word)) ? 4 : undefined;
}
