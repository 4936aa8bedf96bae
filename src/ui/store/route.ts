/**
 * The page's route in the URL's hash: `#/view` or `#/view/kind/id`, and the same below `#/present`
 * for the presenter. Below a view of one kind, `#/evidence/id` is enough. The browser's Back works. The query after `?` (world, height, drawer) is read
 * and written by `share/address.ts`.
 */
import { useSyncExternalStore } from "react";
import { ADDRESS_CHARACTERS } from "../../base/address-limit.ts";

export const KINDS = ["node", "block", "proposal", "evidence"] as const;
interface Selection {
  readonly kind: (typeof KINDS)[number];
  readonly id: string;
}

/** The view of an address without one. */
export const FIRST_VIEW = "network";

export interface Route {
  /** As in the address; may be unknown. */
  readonly view: string;
  readonly selection: Selection | undefined;
  /** The address below its view where that is no selection; absent if there is none. */
  readonly unread?: string | undefined;
  /** True in the presenter, which shows only the story's sentence and the view, large. */
  readonly presenting: boolean;
}

const PRESENT = "present";

/** The kind of an id directly below a view. */
const KIND_OF_VIEW: Readonly<Record<string, Selection["kind"]>> = {
  network: "node",
  evidence: "evidence",
  governance: "proposal",
};

/** Parses a hash; one that is too long to be a link is ignored. */
export function parseRoute(source: string): Route {
  const [hash = ""] = source.length > ADDRESS_CHARACTERS ? "" : source.split("?");
  const parts = hash.replace(/^#?\/?/, "").split("/");
  const presenting = parts[0] === PRESENT;
  const [view = "", kind = "", id = ""] = presenting ? parts.slice(1) : parts;
  const selection = selectionIn(view, kind, id);
  return {
    presenting,
    view: view || FIRST_VIEW,
    selection,
    ...(kind !== "" && !selection && { unread: id === "" ? kind : `${kind}/${id}` }),
  };
}

function selectionIn(view: string, kind: string, id: string): Selection | undefined {
  if (isKind(kind)) return id === "" ? undefined : { kind, id: decode(id) };
  const usual = id === "" && Object.hasOwn(KIND_OF_VIEW, view) ? KIND_OF_VIEW[view] : undefined;
  return kind !== "" && usual ? { kind: usual, id: decode(kind) } : undefined;
}

export function formatRoute({ view, selection, unread, presenting }: Route): string {
  const place = presenting ? `#/${PRESENT}/${view}` : `#/${view}`;
  if (selection) return `${place}/${selection.kind}/${encodeURIComponent(selection.id)}`;
  return unread === undefined ? place : `${place}/${unread}`;
}

/** The current address with some changes, for links. */
export function hrefTo(change: Partial<Route>): string {
  const { unread, ...route } = read();
  const isChanged = Object.keys(change).length > 0;
  return formatRoute({ ...route, unread: isChanged ? undefined : unread, ...change });
}

export function goTo(change: Partial<Route>): void {
  const hash = hrefTo(change);
  if (hash !== hrefTo({})) location.hash = hash;
}

export const useRoute = (): Route => useSyncExternalStore(listen, read);

let last: { hash: string; route: Route } | undefined;
export function read(): Route {
  if (last?.hash !== location.hash)
    last = { hash: location.hash, route: parseRoute(location.hash) };
  return last.route;
}

function listen(changed: () => void): () => void {
  addEventListener("hashchange", changed);
  return () => removeEventListener("hashchange", changed);
}

function isKind(text: string): text is Selection["kind"] {
  return (KINDS as readonly string[]).includes(text);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
