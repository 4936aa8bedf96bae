/**
 * Query part of the address, after the view and the selection: `?world=…&height=…&drawer=…`, and
 * `&with=…&at=…` for a comparison. Links within the page omit it, and it is added to their targets;
 * an address that has it is followed.
 */
import { type ClientError, CODE } from "../../client/client.ts";
import type { DrawerTab, Link } from "../store/dialog.ts";
import { DRAWER_TABS } from "../store/drawer-tabs.ts";
import type { FrameState } from "../store/frame-store.ts";
import type { Page } from "../store/page.ts";
import { FIRST_VIEW, hrefTo, read } from "../store/route.ts";
import { backToLive, liveHeight, travelTo } from "../store/travel.ts";
import type { DocumentName } from "../views/close-document.ts";
import { count, sentence } from "../widgets/format.ts";
import { isShared, readLink } from "./link.ts";

const LINKS: readonly Link[] = ["time", "command"];
/** The drawer as it is at first, of which an address says nothing. */
const FIRST_TAB: DrawerTab = "step";
const CLOSED = "closed";
/** The view that compares. */
const COMPARE: DocumentName = "compare";

/** A node plays one world for all who look at it. */
const hasWorlds = (): boolean => !document.documentElement.dataset.node;

/**
 * The world of each page when its address was last let go: between the page and the presenter nothing follows it, and
 * another world may come then.
 */
const LEFT = new WeakMap<Page, string>();

/** Keeps the address and what is on screen the same, from now on, and opens what a link holds. Returns what ends it. */
export function followAddress(page: Page): () => void {
  const { client, dialog, frames, actions } = page;
  const worldNow = (): string => frames.getState().frame?.player?.kept?.id ?? "";
  let world = worldNow();
  /** The height of an address whose world is not brought back yet; 0 for the newest. */
  let wantedHeight = 0;
  /** The world of an address that is being opened. */
  let wantedWorld = "";
  /** True if the newest block was shown at the last stop at a height. */
  let wasLive = true;

  const queryNow = (): string => {
    const query = new URLSearchParams();
    const { drawer, compared } = dialog.getState();
    if (drawer !== FIRST_TAB) query.set("drawer", drawer ?? CLOSED);
    // Until it is known which world is on screen, the address names the one that is wanted.
    const named = world || queryIn(location.hash).get("world");
    if (named && hasWorlds()) query.set("world", named);
    const height = addressed(frames.getState())?.height ?? wantedHeight;
    if (height > 0) query.set("height", String(height));
    if (compared !== undefined && read().view === COMPARE) {
      query.set("with", compared.other);
      if (compared.at) query.set("at", String(compared.at));
    }
    return query.size > 0 ? `?${query}` : "";
  };
  /** Says in the address what is on screen: as a place of its own to come back to, or as the same place. */
  const write = (isPlace: boolean): void => {
    const hash = hrefTo({}) + queryNow();
    if (hash === location.hash || isShared(location.hash)) return;
    history[isPlace ? "pushState" : "replaceState"](history.state, "", hash);
  };

  let soon: ReturnType<typeof setTimeout> | undefined;
  /** The same place, a task later: what a key does is on screen before its address is. */
  const writeSoon = (): void => {
    clearTimeout(soon);
    soon = setTimeout(write, 0, false);
  };

  /** @param isNew whether it is another address than before, so that what is on screen is to follow it */
  const follow = (isNew: boolean): void => {
    if (isShared(location.hash)) {
      openLink(page);
      return;
    }
    const at = location.hash.indexOf("?");
    const query = queryIn(location.hash);
    if (at >= 0) {
      const named = query.get("drawer") ?? FIRST_TAB;
      const drawer = DRAWER_TABS.find(({ tab }) => tab === named)?.tab;
      if (drawer !== undefined || named === CLOSED) dialog.setState({ drawer });
    }
    if (at >= 0) wantedHeight = heightIn(query, "height");
    const other = query.get("with");
    if (other) dialog.setState({ compared: { other, at: linkIn(query) ?? heightIn(query, "at") } });
    if (world === "") return;
    const wanted = query.get("world") ?? "";
    if (wanted && wanted !== world && hasWorlds()) {
      wantedWorld = wanted;
      client.lab.openWorld({ world: wanted }).catch(({ code, message }: ClientError) => {
        // It is a height of that world, and of no other.
        wantedHeight = 0;
        wantedWorld = "";
        const why =
          code === CODE.notFound
            ? "this browser does not keep."
            : `cannot be opened: ${sentence(message)}`;
        actions.notify(`The address names a world that ${why}`, "error");
        write(false);
      });
    } else {
      wantedWorld = "";
      // Before there was an address to write to, a person may have gone to a height by a key.
      if (isNew && at >= 0 && wantedHeight === 0) backToLive(page);
      write(false);
      travelWhenThere();
    }
  };
  const travelWhenThere = (): void => {
    if (wantedHeight === 0 || !isThere(frames.getState())) return;
    if (wantedWorld !== "" && wantedWorld !== worldNow()) return;
    const height = wantedHeight;
    wantedHeight = 0;
    const newest = liveHeight(frames.getState());
    if (height <= newest) travelTo(page, height);
    else {
      const text = `The address names block ${count(height)}: the newest is ${count(newest)}.`;
      actions.notify(text, "error");
      backToLive(page);
      write(false);
    }
  };

  const stops = [
    dialog.subscribe(({ drawer, compared }, before) => {
      if (compared !== before.compared) write(compared?.other !== before.compared?.other);
      // A running story creates no history entries of its own: the view that it opens does.
      const told = frames.getState().frame?.story?.state === "running";
      if (drawer !== before.drawer) write(!told);
    }),
    frames.subscribe((state, stateBefore) => {
      travelWhenThere();
      const travel = addressed(state);
      const before = addressed(stateBefore);
      // To leave the newest block, or come back to it, is a place of its own; what is passed on the way is none.
      if (!travel?.moving && (before?.moving || travel?.height !== before?.height)) {
        if (!travel === wasLive) writeSoon();
        else write(true);
        wasLive = !travel;
      }
      const shown = worldNow();
      if (shown === world || shown === "") return;
      const isFirst = world === "";
      world = shown;
      // An address that names another world is followed, not overwritten.
      if (isFirst) follow(false);
      else write(true);
    }),
  ];
  const changed = (): void => follow(true);
  addEventListener("hashchange", changed);
  const left = LEFT.get(page);
  // It names the world that went meanwhile because nothing took that out, not because a person wants it.
  if (left && left !== world && left === queryIn(location.hash).get("world")) write(true);
  else follow(false);
  return () => {
    LEFT.set(page, world);
    removeEventListener("hashchange", changed);
    clearTimeout(soon);
    for (const stop of stops) stop();
  };
}

/** The past as the address has it: none once the newest block is gone to, which may be drawn after the page is left. */
const addressed = ({ travel }: FrameState): FrameState["travel"] =>
  travel?.toLive ? undefined : travel;

/** Returns the query parameters of an address's hash. */
function queryIn(hash: string): URLSearchParams {
  const at = hash.indexOf("?");
  return new URLSearchParams(at < 0 ? "" : hash.slice(at));
}

/** The height that an address names; 0 if it names none that can be. */
function heightIn(query: URLSearchParams, name: "height" | "at"): number {
  const height = Number(query.get(name) ?? 0);
  return Number.isSafeInteger(height) && height > 0 ? height : 0;
}

const linkIn = (query: URLSearchParams): Link | undefined =>
  LINKS.find((one) => one === query.get("at"));

/** True if the world is on screen in the state in which it was left. */
const isThere = ({ frame }: FrameState): boolean =>
  frame?.chain !== undefined &&
  frame.player?.kept?.state !== "opening" &&
  !((frame.player?.restoring ?? 0) > 0 && (frame.player?.restoring ?? 0) < 1);

/** Shows what a link holds, before any of it runs. */
function openLink({ dialog }: Page): void {
  readLink(location.hash).then(
    (shared) => dialog.setState({ name: "shared", shared }),
    ({ message: problem }: Error) => dialog.setState({ name: "shared", shared: { problem } }),
  );
}

/** Takes a link out of the address, once what it holds was opened or is not wanted. */
export function leaveLink(): void {
  if (isShared(location.hash)) location.replace(hrefTo({ view: FIRST_VIEW, selection: undefined }));
}
