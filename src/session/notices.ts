import { errorText } from "../engine/framework/errors.ts";
import {
  BEGINNINGS,
  costs,
  HEADS,
  readKeyframeKey,
  readPageKey,
  readTreesKey,
  segmentFirst,
} from "./history/keys.ts";
import type { Damage } from "./history/record.ts";
import type { Notice, NoticeAction, NoticeKind } from "./saving.ts";

/** A notice before it has its id. */
export type NoticeDraft = Omit<Notice, "id">;

type Kind = Damage["kind"];

const IS: Readonly<Record<Kind, string>> = {
  missing: "is missing",
  foreign: "is not what Chainlab wrote there",
  damaged: "is damaged",
  too_new: "was written by a later version of Chainlab",
  cut: "is cut short",
  outdated: "is older than its journal",
};
const ARE: Readonly<Record<Kind, string>> = {
  missing: "are missing",
  foreign: "are not what Chainlab wrote there",
  damaged: "are damaged",
  too_new: "were written by a later version of Chainlab",
  cut: "are cut short",
  outdated: "are older than its journal",
};

/** Labels of records that have two copies. */
const COPIES = [
  { keys: BEGINNINGS, name: "its beginning" },
  { keys: HEADS, name: "its last save" },
] as const;

const DATE = new Intl.DateTimeFormat("en", { dateStyle: "long" });
const number = (n: number): string => n.toLocaleString("en-US");

/**
 * Describes damaged records; two copies of one count as one.
 * @param entries of the journal, if known
 */
function describe(damage: readonly Damage[], entries?: number): string {
  const copies = COPIES.flatMap(({ keys, name }) => {
    const [one, other] = damage.filter(({ key }) => keys.some((copy) => copy === key));
    if (one === undefined) return [];
    if (other === undefined) return `one of two copies of ${name} ${IS[one.kind]}`;
    if (one.kind === other.kind) return `both copies of ${name} ${ARE[one.kind]}`;
    return `one copy of ${name} ${IS[one.kind]} and the other ${IS[other.kind]}`;
  });
  const single = damage.filter(({ key }) =>
    COPIES.every(({ keys }) => !keys.some((copy) => copy === key)),
  );
  return [...copies, ...single.map((one) => describeOne(one, entries))].join("; ");
}

/** Describes one damaged record. */
function describeOne(damage: Damage, entries?: number): string {
  const { key, kind } = damage;
  const first = segmentFirst(key);
  if (Number.isSafeInteger(first)) {
    if (holdsAll(damage, entries)) return `the end of its journal ${IS[kind]}`;
    return `from action ${number((damage.from ?? first) + 1)} on its journal ${IS[kind]}`;
  }
  const { rounds } = readKeyframeKey(key) ?? {};
  if (rounds !== undefined) return `the keyframe of round ${number(rounds)} ${IS[kind]}`;
  const trees = readTreesKey(key);
  if (trees) return `what the keyframes from round ${number(trees.rounds)} on share ${IS[kind]}`;
  return `${readPageKey(key) ? "a page of old blocks" : "a record"} ${IS[kind]}`;
}

/** True if every action could be read, though its record is damaged. */
const holdsAll = ({ from }: Damage, entries?: number): boolean =>
  from !== undefined && entries !== undefined && from >= entries;

/** Describes the damage in a sentence. */
export const found = (damage: readonly Damage[], entries?: number): string =>
  `In what is saved of this world, ${describe(damage, entries)}.`;

/**
 * Notice of damage found when a world was opened.
 * @param height up to which it was restored
 * @param entries of its journal at the last save, if known
 */
export function damageNotice(
  damage: readonly Damage[],
  height: number,
  entries?: number,
): NoticeDraft {
  const block = `block ${number(height)}`;
  const costly = damage.filter(costs);
  const isHead = ({ key }: Damage): boolean => HEADS.some((head) => head === key);
  if (costly.length > 0) {
    // If one head is damaged, the other may not be the last one.
    const known = damage.some(isHead) ? undefined : entries;
    const quarantined = costly.every((one) => holdsAll(one, known))
      ? `No action is lost: the world came back up to ${block}.`
      : `Everything before that was kept and replayed, up to ${block}. The rest was set aside, and is in the file of ` +
        "this world when it is exported.";
    return notice("damaged", `${found(damage, known)} ${quarantined}`, [
      "continue",
      "export",
      "start_anew",
    ]);
  }
  if (damage.filter(isHead).length === HEADS.length) {
    const isOlder = damage.some(({ kind }) => kind === "outdated");
    const name = isOlder ? "name is that of the older save" : "name and speed are not known";
    return notice(
      "damaged",
      `${found(damage)} All actions that were found were replayed, up to ${block}; how many there had been stood in ` +
        `the last save. Blocks after the last action may be missing, and the world's ${name}.`,
      ["continue", "export", "start_anew"],
    );
  }
  if (damage.some(isHead)) {
    return notice(
      "damaged",
      `${found(damage)} All actions that were found were replayed. The other copy has the world at ${block}; if that ` +
        "is the older one, the blocks after it are made anew.",
      ["continue"],
    );
  }
  return notice("damaged", `${found(damage)} It was not needed: the world is as it was.`, [
    "continue",
  ]);
}

/** Damage found in the journal before the keyframe that the world was opened from. */
export const oldDamageNotice = (damage: Damage): NoticeDraft =>
  notice(
    "damaged",
    `${found([damage])} The world itself is as it was, from a later keyframe; another version of Chainlab, ` +
      "and a file of this world, could only restore what was before the damage.",
    ["continue", "export", "start_anew"],
  );

export const unreadableNotice = (name: string, damage: readonly Damage[]): NoticeDraft =>
  notice(
    "damaged",
    `${name === "" ? "A saved world" : `The saved world “${name}”`} cannot be opened: ${damage.find(({ beyond }) => beyond !== undefined)?.beyond ?? describe(damage)}. ` +
      "It stays in the storage as it is; what is on screen is another world.",
    ["continue", "export"],
  );

export const quarantinedNotice = (name: string): NoticeDraft =>
  notice("kept_aside", `The world as it was is kept: “${name}”.`, ["continue"]);

export const mismatchNotice = (height: number): NoticeDraft =>
  notice(
    "mismatch",
    `This world was replayed to block ${number(height)} and has another app hash there than was saved. No ` +
      "action is lost; this version of Chainlab comes to other results.",
    ["continue", "export", "start_anew"],
  );

export const refusedNotice = (height: number, why: string): NoticeDraft =>
  notice(
    "mismatch",
    `This world was replayed to block ${number(height)}: this version refuses what was done next in it (${why}). It waits ` +
      "there. What comes after that is set aside, and part of the world's file.",
    ["continue", "export", "start_anew"],
  );

export const CLEARED = notice(
  "cleared",
  "What was saved of this world, or a part of it, was cleared while it was running. What is in memory of it was " +
    "written again.",
  ["continue", "export"],
);

export const LOST = notice(
  "cleared",
  "What was saved of this world was cleared while it was running, and its first actions are no longer in memory: " +
    "it cannot be saved any more. It runs on until this tab is closed.",
  ["continue", "start_anew"],
);

/** All data of the browser's storage is gone. @param writtenMs time of the last save */
export const goneNotice = (writtenMs: number): NoticeDraft =>
  notice(
    "cleared",
    `The storage of this page is empty, though worlds were saved in it on ${DATE.format(writtenMs)}: the browser lost them, or ` +
      "they were cleared there. Worlds that were exported to files can be imported again; what is on screen is a new one.",
    ["continue"],
  );

export const EVICTING = notice(
  "letting_go",
  "This world is not saved and is getting too long for memory: its oldest blocks will soon be let go. They can " +
    "still be looked at, but are replayed from the beginning each time.",
  ["continue"],
);

export const FULL = notice(
  "full",
  "The storage is full, so this world is not being saved. Delete worlds that are not needed, or export this one.",
  ["retry", "export", "continue"],
);

export const unavailableNotice = (reason: string): NoticeDraft =>
  notice(
    "unavailable",
    `This world is not being saved: ${withoutStop(reason)}. Saving is tried again by itself.`,
    ["retry", "export", "continue"],
  );

export const OVERTAKEN = notice(
  "unavailable",
  "Another tab has saved this world since, so it is not being saved here. Export it to keep what was done here; " +
    "reload the page to see what the other tab has.",
  ["export", "continue"],
);

/** A world was restored only in part, since the storage failed meanwhile. */
export const unopenedNotice = (reason: string): NoticeDraft =>
  notice(
    "unopened",
    `This world could not be opened: ${withoutStop(reason)}. What is saved of it stays as it is, and what is on ` +
      "screen is not saved.",
    ["retry", "start_anew"],
  );

/** A tab could not show the saved worlds when it started; it has a new world, which is saved. */
export const notShownNotice = (reason: string): NoticeDraft =>
  notice(
    "unopened",
    `The saved world could not be opened: ${withoutStop(reason)}. It stays as it is; what is on screen is a new one.`,
    ["retry", "continue"],
  );

/** The same for a tab that should have continued the world of another one. */
export const notMigratedNotice = (reason: string): NoticeDraft =>
  notice(
    "unopened",
    `The world of the other tab could not be opened: ${withoutStop(reason)}. It stays as it is; what is on screen is ` +
      "a new one.",
    ["retry", "continue"],
  );

export const DELETED = notice(
  "deleted",
  "The world that was on screen was deleted in another tab, so what is on screen is a new one. Unless it was deleted " +
    "forever, it can be restored in the list of worlds (W).",
  ["continue"],
);

/** True if the error says that the storage is full. */
export const isFull = (error: unknown): boolean =>
  error instanceof Error && error.name === "QuotaExceededError";

/** Notice about a world that is no longer played. */
export const pendingWriteNotice = (name: string, error: unknown): NoticeDraft =>
  notice(
    "left",
    `What was done last in “${name}” is not saved: ` +
      `${isFull(error) ? "the storage is full" : withoutStop(errorText(error))}. Saving it is tried again until ` +
      "this tab is closed.",
    ["retry", "export", "continue"],
  );

export const pendingWriteCopiedNotice = (name: string, copy: string): NoticeDraft =>
  notice(
    "left",
    `Another tab has gone on with “${name}”, which was not saved in time here. What was done here is kept as ` +
      `a world of its own, “${copy}”.`,
    ["continue"],
  );

export const pendingWriteLostNotice = (name: string): NoticeDraft =>
  notice(
    "cleared",
    `What was saved of “${name}” was cleared or is another tab's now, and its first actions are no longer in memory: ` +
      "what was done last in it is lost.",
    ["continue"],
  );

export const MOVED = notice(
  "moved",
  "A world that an earlier version of Chainlab saved was taken over into the list of worlds.",
  ["continue"],
);

/** A reason for use within a sentence; browsers end theirs with a full stop. */
const withoutStop = (reason: string): string => reason.replace(/\.+$/, "");

function notice(kind: NoticeKind, text: string, actions: readonly NoticeAction[]): NoticeDraft {
  return { kind, text, actions };
}
