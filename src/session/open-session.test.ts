import { describe, expect, test } from "vitest";
import { genesisToJson } from "../api/genesis.ts";
import { toHex } from "../engine/primitives/bytes.ts";
import { openSession } from "./open-session.ts";
import type { Session } from "./session.ts";
import { MemoryStore } from "./testing.ts";

const NEVER = (): Promise<void> => new Promise(() => {});

/** Lets a session work until it has nothing to do at once. */
function settle(session: Session): void {
  let time = 0;
  const now = (): number => {
    time += 1;
    return time;
  };
  while (session.player.slice(10, now) === 0);
}

function blocks(session: Session, count: number): void {
  session.control({ case: "stepBlocks", value: count });
  settle(session);
}

/** Every command is one entry of the journal. */
function commands(session: Session, count: number): void {
  for (let i = 0; i < count; i++) {
    session.sim.apply({ type: "node", node: "val-3", action: { kind: i % 2 ? "start" : "stop" } });
  }
  session.player.changed();
}

async function opened(store: MemoryStore, own = true) {
  const tab = await openSession(store, own, NEVER);
  settle(tab.session);
  return tab;
}

async function fresh(store = new MemoryStore()) {
  const tab = await opened(store);
  tab.session.control({ case: "pause", value: true });
  return { store, ...tab };
}

const hashes = ({ sim }: Session): string[] =>
  Array.from({ length: sim.height }, (_, i) => toHex(sim.block(i + 1)?.hash ?? new Uint8Array()));
const notes = (session: Session) =>
  session.getFrame({}).activity.filter(({ kind }) => kind === "note");

describe("a reload", () => {
  test("keeps every setting of a sidecar", async () => {
    const { store, session, save } = await fresh();
    const sidecar = {
      mode: "download" as const,
      restartAfterUpgrade: false,
      restartDelay: 30_000_000_000n,
      shutdownGrace: 10_000_000_000n,
      shutdownTakes: 5_000_000_000n,
      pollInterval: 1_000_000_000n,
      mustHaveChecksum: true,
      backup: false,
      backupDir: "/mnt/backups",
      customPreUpgrade: "preupgrade.sh",
      recase: false,
      preUpgradeMaxRetries: 3,
      preUpgradeExits: [31, 0],
    };
    session.sim.apply({ type: "node", node: "val-0", action: { kind: "sidecar", sidecar } });
    session.player.changed();
    await save();
    const { session: back } = await opened(store);
    expect(back.sim.journal.at(-1)?.command).toEqual({
      type: "node",
      node: "val-0",
      action: { kind: "sidecar", sidecar },
    });
  });

  test("brings the world back where it was, by its spec and journal", async () => {
    const { store, session, save } = await fresh();
    blocks(session, 4);
    session.sim.apply({ type: "double_sign", node: "val-1" });
    blocks(session, 20);
    await save();
    const { session: back } = await opened(store);
    expect(back.sim.height).toBe(session.sim.height);
    expect(hashes(back)).toEqual(hashes(session));
    expect(back.getFrame({}).player?.playing).toBe(false);
    expect(notes(back)).toEqual([]);
  });

  test("finds nothing and begins anew where nothing was saved", async () => {
    const { session } = await opened(new MemoryStore());
    expect(session.getFrame({}).player?.playing).toBe(true);
    expect(notes(session)).toEqual([]);
    expect(session.note).toBe("");
  });

  test.each([0, 1, 511, 512, 513, 1024, 1500])(
    "brings back a journal of %d entries",
    async (count) => {
      const { store, session, save } = await fresh();
      commands(session, count);
      await save();
      const { session: back } = await opened(store);
      expect(back.sim.journal).toEqual(session.sim.journal);
      expect(notes(back)).toEqual([]);
    },
  );
});

describe("a world that continues an exported genesis", () => {
  test("comes back like any other", async () => {
    const { store, session, save } = await fresh();
    blocks(session, 7);
    const { height } = session.sim;
    const text = JSON.stringify(genesisToJson(session.sim.exportGenesis()));
    expect(await session.loadScenario({ text, file: "genesis.json" })).toEqual({
      ok: true,
      problems: [],
    });
    settle(session);
    session.control({ case: "pause", value: true });
    expect(session.getFrame({})).toMatchObject({
      chain: { height, initialHeight: height + 1 },
      story: { state: "passed", steps: [] },
    });
    session.sim.apply({ type: "double_sign", node: "val-1" });
    blocks(session, 5);
    await save();
    const { session: back } = await opened(store);
    expect(back.sim.spec).toEqual(session.sim.spec);
    expect(back.sim.height).toBe(height + 5);
    expect(back.sim.appHash).toEqual(session.sim.appHash);
    const cells = back.getFrame({}).blocks.map((cell) => cell.height);
    expect(cells).toEqual([1, 2, 3, 4, 5].map((n) => height + n));
    expect(notes(back)).toEqual([]);
  });
});

describe("saving", () => {
  test("writes nothing when nothing has changed", async () => {
    const { store, session, save } = await fresh();
    blocks(session, 3);
    await save();
    const { length } = store.writes;
    await save();
    await save();
    expect(store.writes).toHaveLength(length);
  });

  test("writes only the head while no command is given, and only the last batch after", async () => {
    const { store, session, save } = await fresh();
    commands(session, 600);
    await save();
    expect(store.writes.at(-1)).toEqual(["head", "spec", "journal-0", "journal-1"]);
    blocks(session, 3);
    await save();
    expect(store.writes.at(-1)).toEqual(["head"]);
    commands(session, 1);
    await save();
    expect(store.writes.at(-1)).toEqual(["head", "journal-1"]);
  });

  test("of another world leaves nothing of the one before", async () => {
    const { store, session, save } = await fresh();
    commands(session, 1500);
    await save();
    session.control({ case: "startOver", value: true });
    await save();
    expect([...store.values.keys()].sort()).toEqual(["head", "spec"]);
    const { session: back } = await opened(store);
    expect(back.sim.journal).toEqual([]);
  });

  test("of another tab's world leaves nothing of the one before either", async () => {
    const { store, session, save } = await fresh();
    commands(session, 1500);
    await save();
    const next = await opened(store);
    next.session.control({ case: "startOver", value: true });
    await next.save();
    expect([...store.values.keys()].sort()).toEqual(["head", "spec"]);
  });

  test("does not touch what is saved while it is being brought back", async () => {
    const { store, session, save } = await fresh();
    blocks(session, 30);
    await save();
    const { length } = store.writes;
    const again = await openSession(store, true, NEVER);
    await again.save();
    expect(store.writes).toHaveLength(length);
    settle(again.session);
    await again.save();
    expect(store.writes.length).toBeGreaterThan(length);
  });

  test("that fails says so and does not throw; a later one succeeds", async () => {
    const { store, session, save } = await fresh();
    store.failure = new Error("the disk is full");
    blocks(session, 1);
    await save();
    expect(session.getFrame({}).player?.note).toBe("This tab cannot be saved: the disk is full.");
    store.failure = undefined;
    await save();
    expect(store.values.has("head")).toBe(true);
    expect(session.getFrame({}).player?.note).toBe("");
  });
});

describe("a second tab", () => {
  test("runs a copy that is not saved, and says so", async () => {
    const { store, session, save } = await fresh();
    blocks(session, 7);
    await save();
    const before = structuredClone(store.values);
    const second = await opened(store, false);
    expect(second.session.sim.height).toBe(session.sim.height);
    blocks(second.session, 5);
    await second.save();
    expect(store.values).toEqual(before);
    expect(second.session.getFrame({}).player?.note).toMatch(/not saved/);
  });
});

describe("what cannot be read", () => {
  const spoilt: Readonly<Record<string, (values: Map<string, unknown>) => void>> = {
    "a head of another format": (values) => values.set("head", { format: 99 }),
    "a head that is nothing": (values) => values.set("head", null),
    "a head that is text": (values) => values.set("head", "what?"),
    "an absurd count": (values) =>
      values.set("head", { ...(values.get("head") as object), entries: 1e15 }),
    "a missing spec": (values) => values.delete("spec"),
    "a spec with a wrong type": (values) =>
      values.set("spec", { ...(values.get("spec") as object), validators: 4 }),
    "a spec without validators": (values) =>
      values.set("spec", { ...(values.get("spec") as object), validators: [] }),
    "a missing batch": (values) => values.delete("journal-0"),
    "a batch of something else": (values) => values.set("journal-0", [{ at: 1, command: "rm" }]),
    "a command for a node that is not there": (values) =>
      values.set("journal-0", [{ at: 1, command: { type: "double_sign", node: "x" } }]),
    "a journal beyond the end": (values) =>
      values.set("journal-0", [{ at: 999, command: { type: "heal" } }]),
  };

  test.each(Object.entries(spoilt))(
    "%s gives way to a new world, with a note",
    async (_, spoil) => {
      const { store, session, save } = await fresh();
      session.sim.apply({ type: "double_sign", node: "val-1" });
      blocks(session, 5);
      await save();
      spoil(store.values);
      const { session: back, save: saveBack } = await opened(store);
      expect(notes(back)).toEqual([expect.objectContaining({ outcome: "error" })]);
      expect(back.sim.journal).toEqual([]);
      expect(back.getFrame({}).player).toMatchObject({ playing: true, restoring: 0 });
      await saveBack();
      expect(notes((await opened(store)).session)).toEqual([]);
    },
  );

  test("a database that fails leaves what is in it alone", async () => {
    const { store, session, save } = await fresh();
    blocks(session, 5);
    await save();
    store.failure = new Error("no access");
    const second = await opened(store);
    store.failure = undefined;
    const before = structuredClone(store.values);
    blocks(second.session, 2);
    await second.save();
    expect(store.values).toEqual(before);
    expect(second.session.getFrame({}).player?.note).toBe("This tab is not saved: no access.");
  });
});

test("a database that does not answer in time is not written to, and the tab says so", async () => {
  const store = new MemoryStore();
  store.read = () => new Promise(() => {});
  const asked: number[] = [];
  const { session, save } = await openSession(store, true, async (ms) => void asked.push(ms));
  expect(session.note).toBe("This tab is not saved: the database does not answer.");
  expect(asked).toEqual([2000]);
  await save();
  expect(store.writes).toEqual([]);
});
