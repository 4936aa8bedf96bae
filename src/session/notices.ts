import { errorText } from "../engine/framework/errors.ts";
import { BEGINNINGS, costs, HEADS, KEYFRAMES, segmentFirst } from "./history/keys.ts";
import type { Damage } from "./history/record.ts";
import type { Notice, NoticeAction, NoticeKind } from "./saving.ts";

/** A notice before it has its id. */
export type NoticeDraft = Omit<Notice, "id">;

const FOUND: Readonly<Record<Damage["kind"], string>> = {
  missing: "is missing",
  foreign: "is of another program or another record",
  damaged: "is damaged",
  too_new: "was written by a later version of Chainlab",
  cut: "is cut off",
};

/** A record in words, by its key. */
function nameOf(key: string): string {
  const first = segmentFirst(key);
  if (Number.isSafeInteger(first)) return `the journal from action ${first + 1} on`;
  if (HEADS.some((head) => head === key)) return "one of two copies of the last save";
  if (BEGINNINGS.some((copy) => copy === key)) return "one of two copies of the beginning";
  return key.startsWith(KEYFRAMES) ? `the keyframe ${key.slice(KEYFRAMES.length)}` : key;
}

const describe = (damage: readonly Damage[]): string =>
  damage.map(({ kind, key }) => `${nameOf(key)} ${FOUND[kind]}`).join("; ");

/** What was found when a world was opened. @param height up to which it came back */
export function damageNotice(damage: readonly Damage[], height: number): NoticeDraft {
  const text = `In what is saved of this world, ${describe(damage)}.`;
  if (damage.some(costs)) {
    return notice(
      "damaged",
      `${text} Everything before it was kept and played, up to block ${height}. What is left over was set aside.`,
      ["continue", "export", "start_anew"],
    );
  }
  if (HEADS.every((head) => damage.some(({ key }) => key === head))) {
    return notice(
      "damaged",
      `${text} No action is lost; how it was played is, and blocks after the last action may be, from block ${height} on.`,
      ["continue", "export", "start_anew"],
    );
  }
  if (damage.some(({ key }) => HEADS.some((head) => head === key))) {
    // The damaged one may be the newest: then the other is a save older.
    return notice(
      "damaged",
      `${text} No action is lost. The world is as the other save has it, at block ${height}; if that is the older one, the blocks of the last moment are made anew.`,
      ["continue"],
    );
  }
  return notice("damaged", `${text} It was not needed: the world is as it was.`, ["continue"]);
}

/** Found in the journal before the keyframe that the world was opened from. */
export const oldDamageNotice = (damage: Damage): NoticeDraft =>
  notice(
    "damaged",
    `In what is saved of this world, ${describe([damage])}. The world itself is as it was, from a later ` +
      "keyframe; another version of Chainlab could only bring back what was before the damage.",
    ["continue", "export", "start_anew"],
  );

export const unreadableNotice = (name: string, damage: readonly Damage[]): NoticeDraft =>
  notice(
    "damaged",
    `The saved world ${name === "" ? "" : `“${name}” `}cannot be opened: ${describe(damage)}. It stays as it is.`,
    ["continue", "export", "start_anew"],
  );

export const mismatchNotice = (height: number): NoticeDraft =>
  notice(
    "mismatch",
    `This world came out otherwise than it was saved: at block ${height} it has another app hash. Its actions ` +
      "were all played again; what differs is what this version of Chainlab makes of them.",
    ["continue", "export", "start_anew"],
  );

export const CLEARED = notice(
  "cleared",
  "The browser has cleared what was saved while this world was running. All of this world was written again.",
  ["continue", "export"],
);

export const LOST = notice(
  "cleared",
  "What was saved of this world was cleared while it was running, and its first actions are no longer in memory: " +
    "it cannot be saved any more. It runs on until this tab is closed.",
  ["continue", "start_anew"],
);

export const LETTING_GO = notice(
  "letting_go",
  "This world is not saved and is getting too long for memory: its oldest blocks are let go soon. They can still be " +
    "looked at, but each time they are computed again from the beginning.",
  ["continue"],
);

export const FULL = notice(
  "full",
  "The storage is full, so this world is not being saved. Delete worlds that are not needed, or export this one.",
  ["retry", "export", "continue"],
);

export const unavailableNotice = (reason: string): NoticeDraft =>
  notice("unavailable", `This world is not being saved: ${reason}. It is tried again.`, [
    "retry",
    "export",
    "continue",
  ]);

/** Whether an error says that the storage has no room left. */
export const isFull = (error: unknown): boolean =>
  error instanceof Error && error.name === "QuotaExceededError";

/** Of a world that another has taken the place of. */
export const leftNotice = (name: string, error: unknown): NoticeDraft =>
  notice(
    "unavailable",
    `What was done last in “${name}” is not saved: ${isFull(error) ? "the storage is full" : errorText(error)}. ` +
      "It is tried again until this tab is closed.",
    ["retry", "export", "continue"],
  );

export const leftCopiedNotice = (name: string, copy: string): NoticeDraft =>
  notice(
    "unavailable",
    `Another tab has gone on with “${name}”, which was not saved in time here. As it was here it is kept as “${copy}”.`,
    ["continue"],
  );

export const leftLostNotice = (name: string): NoticeDraft =>
  notice(
    "cleared",
    `What was saved of “${name}” was cleared or is another tab's now, and its first actions are no longer in memory: ` +
      "what was done last in it is lost.",
    ["continue"],
  );

export const MOVED = notice(
  "moved",
  "This world was saved by an earlier version of Chainlab and was taken over.",
  ["continue"],
);

function notice(kind: NoticeKind, text: string, actions: readonly NoticeAction[]): NoticeDraft {
  return { kind, text, actions };
}
