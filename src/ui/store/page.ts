/** The page's context: the engine's client, the stores and the actions. Tests create their own. */
import { createContext, useContext } from "react";
import { useStore } from "zustand";
import type { Client } from "../../client/client.ts";
import { type Actions, createActions } from "./actions.ts";
import { createDialogStore, type OpenDialog } from "./dialog.ts";
import { createFrameStore, type FrameState } from "./frame-store.ts";
import { createNoticeStore, type Notices } from "./notices.ts";
import { createRoundStore, type RoundState } from "./rounds.ts";

export type Page = ReturnType<typeof createPage>;

export function createPage(client: Client) {
  const frames = createFrameStore();
  const dialog = createDialogStore();
  const notices = createNoticeStore();
  const rounds = createRoundStore();
  const actions = createActions(client, frames, dialog, notices);
  return { client, frames, dialog, notices, rounds, actions };
}

const PageContext = createContext<Page | undefined>(undefined);
export const PageProvider = PageContext.Provider;

export function usePage(): Page {
  const page = useContext(PageContext);
  if (!page) throw new Error("no PageProvider above");
  return page;
}

export const useActions = (): Actions => usePage().actions;

/** A slice of the page's state; the component renders again when the slice changes. */
export const useFrameState = <T>(slice: (state: FrameState) => T): T =>
  useStore(usePage().frames, slice);
export const useDialog = <T>(slice: (state: OpenDialog) => T): T =>
  useStore(usePage().dialog, slice);
export const useNotices = <T>(slice: (state: Notices) => T): T =>
  useStore(usePage().notices, slice);
export const useRound = <T>(slice: (state: RoundState) => T): T =>
  useStore(usePage().rounds, slice);

/**
 * True once the engine's first answer is on screen, or the reason of its failure. Until then other
 * parts are not fetched: on a slow connection they would delay the engine's script, and on a slow
 * processor starting so many fetches takes longer than showing a height.
 */
export const useIsAnswered = (): boolean => useFrameState(isAnswered);
export const isAnswered = ({ painted, lost, problem }: FrameState): boolean =>
  painted || Boolean(lost ?? problem);
