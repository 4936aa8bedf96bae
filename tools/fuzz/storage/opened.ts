/** Invariants after a world was opened, or was refused. */
import { equal } from "../../../src/base/bytes.ts";
import { assertInvariant } from "../../../src/engine/simulation/invariants.testing.ts";
import { QUARANTINE, worldPrefix } from "../../../src/session/history/keys.ts";
import { RECORD, readRecord } from "../../../src/session/history/record.ts";
import type { Notice, Saving } from "../../../src/session/saving.ts";
import type { FailingStorage } from "./damage.ts";
import type { Found } from "./damaged.ts";
import { proper } from "./texts.ts";

type Records = ReadonlyMap<string, Uint8Array>;

/** A world before it was opened. */
export interface Before {
  readonly id: string;
  readonly records: Records;
  readonly found: Found;
  /** Ids of notices. */
  readonly known: readonly string[];
}

export async function checkRefused(
  { id, records, found, known }: Before,
  storage: FailingStorage,
  saving: Saving,
  why: string,
): Promise<void> {
  assertInvariant("a world is refused only if it must be", found.mayRefuse, () => `${id}: ${why}`);
  for (const [key, record] of of(records, id)) {
    const now = storage.records.get(key);
    assertInvariant(
      "a refused world stays as it is",
      now !== undefined && equal(now, record),
      () => key,
    );
  }
  const notice = saving.notices.find((one) => !known.includes(one.id));
  assertInvariant("a refusal is said", notice !== undefined, () => why);
  await checkNotice(notice, saving);
}

/** Resolves to whether something was cut off. @param save saves the world, and resolves to whether it could */
export async function checkOpened(
  { id, records, found, known }: Before,
  storage: FailingStorage,
  saving: Saving,
  save: () => Promise<boolean>,
): Promise<boolean> {
  const notices = saving.notices.filter((notice) => !known.includes(notice.id));
  const texts = notices.map(({ text }) => text).join(" ");
  const said = notices.some(({ kind }) => kind === "damaged" || kind === "mismatch");
  assertInvariant("damage is said", said || !found.toBeSaid, () => `${found.text}: ${texts}`);
  assertInvariant("nothing is said of what is sound", !said || found.any, () => texts);
  for (const notice of notices) await checkNotice(notice, saving);
  // Without either last save nobody knows of actions of which nothing is left: they are missing from then on.
  const cut = texts.includes("set aside") || texts.includes("how many there had been stood");
  if (!said || !(await save())) return false;
  const isAnother = found.mayBeAnother((name) => records.has(worldPrefix(id) + name));
  for (const [key, record] of of(records, id)) {
    const name = key.slice(worldPrefix(id).length);
    if (!found.mustStay(name, { cut, isAnother })) continue;
    const stays = isKept(storage.records, id, name, record);
    assertInvariant(
      "what is left over is set aside",
      stays,
      () => `${key}: ${found.text}: ${texts}`,
    );
  }
  return cut;
}

const of = (records: Records, id: string): readonly (readonly [string, Uint8Array])[] =>
  [...records].filter(([key]) => key.startsWith(worldPrefix(id)));

/** True if a record is at its key or quarantined. */
function isKept(records: Records, id: string, name: string, record: Uint8Array): boolean {
  const now = records.get(worldPrefix(id) + name);
  if (now && equal(now, record)) return true;
  return [...records].some(
    ([key, each]) =>
      key.startsWith(`${QUARANTINE}${id}/`) && key.endsWith(`/${name}`) && equal(each, record),
  );
}

async function checkNotice(notice: Notice | undefined, saving: Saving): Promise<void> {
  if (notice === undefined) return;
  const { id, text, actions } = notice;
  proper(text, actions);
  if (!actions.includes("export")) return;
  const file = await saving.answer(id, "export");
  assertInvariant(
    "an export is a file",
    "payload" in readRecord(RECORD.file, "file", file?.content),
    () => text,
  );
}
