import { History, type Save } from "./history/history.ts";
import type { Host, Storage } from "./history/storage.ts";
import { CLEARED, type NoticeDraft } from "./notices.ts";
import type { RunningWorld } from "./running-world.ts";
import { genesisOf } from "./save.ts";
import type { SavedPlay } from "./saved.ts";

/** Adds a notice to those of the page; it is about the played world unless another is passed. */
export type Notify = (notice: NoticeDraft, world?: string) => void;

/** A running world with its history. */
export interface Saved {
  readonly live: RunningWorld;
  readonly history: History;
}

/**
 * Writes the changes of a world. Resolves to true if everything was written again, since the
 * storage had lost it. Rejects if it cannot be written.
 */
export async function writeWorld(
  saved: Saved,
  play: SavedPlay,
  host: Host,
  tell: Notify,
): Promise<boolean> {
  const { live, history } = saved;
  addEntries(saved);
  const save = saveOf(saved, play, host);
  const again = (await history.write(save)) === "written_again";
  if (again) tell(CLEARED, history.id);
  await history.pages.write(live.sim.pages, host.build);
  return again;
}

/** A world as records for a file. Throws LostWorld if its first actions are only in storage. */
export function recordsOf(
  saved: Saved,
  play: SavedPlay,
  host: Host,
): ReadonlyMap<string, Uint8Array> {
  addEntries(saved);
  return saved.history.records(saveOf(saved, play, host));
}

const saveOf = ({ live: { sim } }: Saved, play: SavedPlay, { now }: Host): Save => ({
  play: { ...play, rounds: sim.rounds },
  height: sim.lastBlock.height,
  appHash: sim.lastBlock.appHash,
  impossible: sim.tampered.length > 0,
  now: now(),
});

/** Adds a world's new commands to its history. */
export function addEntries({ live: { sim }, history }: Saved): void {
  for (const entry of sim.entriesInMemory(history.entries)) history.add(entry);
}

/** Creates the history of an unsaved world. */
export function beginHistory(
  live: RunningWorld,
  name: string,
  storage: Storage,
  host: Host,
): History {
  const history = History.begin(storage, host.id(), genesisOf(live));
  history.name = name;
  history.createdMs = host.now();
  return history;
}
