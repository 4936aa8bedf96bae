import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { accAddress, valAddress } from "../base/bech32.ts";
import { propertyRuns } from "../base/property.testing.ts";
import { V1 } from "../engine/app/binary.ts";
import { packInit } from "../engine/framework/codec.ts";
import { STATUS } from "../engine/framework/errors.ts";
import type { JournalEntry } from "../engine/simulation/command.ts";
import {
  perform,
  type WorldStep,
  worldSteps,
} from "../engine/simulation/keyframe/worlds.testing.ts";
import { Simulation } from "../engine/simulation/simulation.ts";
import { propose, runRounds, runTo, softwareUpgrade } from "../engine/simulation/testing.ts";
import { VoteOption } from "../gen/chain/gov/v1/gov_pb.ts";
import { MsgVoteSchema } from "../gen/chain/gov/v1/tx_pb.ts";
import { MsgUnjailSchema } from "../gen/chain/slashing/v1beta1/tx_pb.ts";
import type { LabAnswer } from "../gen/lab/v1/lab_plain.ts";
import { FIRST_ORIGIN } from "./first-world.ts";
import type { Host } from "./history/storage.ts";
import { OpenHistory } from "./open-history.ts";
import { openWorlds } from "./open-worlds.ts";
import { RunningWorld } from "./running-world.ts";
import { SessionFrames } from "./session-frames.ts";
import {
  MemoryStorage,
  openTab,
  settle,
  type TestTab,
  testHost,
  turnsUntil,
  until,
} from "./testing.ts";
import { branchWhatIf, genesisAnswer, type ParentWorld, type Tools } from "./what-if-branch.ts";

async function began(): Promise<TestTab & { readonly id: string }> {
  // Each reading of the clock is a little later, so that all work is done in slices.
  let now = 0;
  const tab = openTab(undefined, testHost({ clock: () => (now += 5) }));
  const id = await tab.worlds.create(FIRST_ORIGIN, "mine");
  tab.session.control({ case: "pause", value: true });
  tab.session.control({ case: "speed", value: 0 });
  return { ...tab, id };
}

async function step({ session }: TestTab, source: object): Promise<void> {
  const { message } = await until(session, session.runStep(JSON.stringify(source)));
  expect(message).toBe("");
}

const otherwise = ({ session }: TestTab, name: string, value: string, height = 0) =>
  session.branchWhatIf?.({ height, name: "", note: "", other: { name, value } }) as Promise<
    LabAnswer<"forkWorld">
  >;

async function opened({ worlds, session }: TestTab, id: string) {
  await worlds.open(id);
  await until(session, session.restored);
  return session.sim;
}

const entryOf = async ({ worlds }: TestTab, id: string) =>
  (await worlds.list()).find((entry) => entry.id === id);

const isJailed = ({ session: { player } }: TestTab, name: string): boolean | undefined =>
  player.live.frames.validators().find((one) => one.name === name)?.jailed;

/** Resolves when the commands were replayed. */
const isBegun = ({ session: { player } }: TestTab): Promise<void> =>
  turnsUntil(() => player.recalling !== undefined, "the commands are given again");

/** An unsaved world in which steps were run. */
function stemOf(play: (sim: Simulation) => void): ParentWorld & { readonly sim: Simulation } {
  const live = new RunningWorld(FIRST_ORIGIN);
  const { sim } = live;
  play(sim);
  async function* commands() {
    yield* sim.journal;
  }
  const opened = new OpenHistory(sim, undefined);
  return { live, history: undefined, at: sim, commands: commands(), opened, sim };
}

type Other = Parameters<typeof branchWhatIf>[1];

/** A branch of a world, opened for reading, with its entry in the list. */
async function branchOf(
  parent: ParentWorld,
  other: Partial<Other> & Pick<Other, "other">,
  over: Partial<Tools> = {},
) {
  const storage = (over.storage as MemoryStorage | undefined) ?? new MemoryStorage();
  const seen: number[] = [];
  const made = await branchWhatIf(
    parent,
    { height: 0, name: "", note: "", ...other },
    {
      host: testHost(),
      open: openWorlds,
      progress: (done) => seen.push(done),
      wanted: () => true,
      ...over,
      storage,
    },
  );
  const tab = openTab(new MemoryStorage(storage.records));
  const sim = await opened(tab, made.world);
  const entry = await entryOf(tab, made.world);
  return { made, sim, entry, seen, storage };
}

const node = (sim: Simulation, kind: "stop" | "start", ...names: readonly string[]): void => {
  for (const name of names) sim.apply({ type: "node", node: name, action: { kind } });
};

/** Casts an account's vote for the first proposal, once or more. */
const vote = (sim: Simulation, count = 1): void => {
  const voter = accAddress(sim.account("val-0") ?? new Uint8Array());
  const message = packInit(MsgVoteSchema, { proposalId: 1n, voter, option: VoteOption.NO });
  for (let i = 0; i < count; i++) sim.apply({ type: "tx", signer: "val-0", messages: [message] });
};

/** Gets val-3 jailed, unless the evidence is too old for that. */
const jail = (sim: Simulation): void => {
  runRounds(sim, 5);
  sim.apply({ type: "misbehavior", kind: 1, validator: "val-3", height: 2 });
  runRounds(sim, 5);
};
const TOO_OLD = { name: "max_evidence_age", value: "5s" };

describe("rounds without a block", () => {
  /** Makes no blocks for three rounds if val-3 is jailed, and always later. */
  const halted = (sim: Simulation, idle: number): void => {
    jail(sim);
    node(sim, "stop", "val-2");
    runRounds(sim, 3);
    expect(sim.height).toBe(10);
    node(sim, "start", "val-2");
    runTo(sim, 14);
    node(sim, "stop", "val-1", "val-2");
    runRounds(sim, idle);
    node(sim, "start", "val-1", "val-2");
  };

  test("are as many before a command where the branch has come to its height in fewer rounds", async () => {
    const parent = stemOf((sim) => {
      halted(sim, 5);
      runTo(sim, 17);
    });
    const { made, sim } = await branchOf(parent, { other: TOO_OLD });
    expect(made).toMatchObject({ height: 17, commands: 7, refusals: 0 });
    expect(sim.journal.map(({ at }) => at)).toEqual([5, 10, 12, 15, 15, 20, 20]);
    expect([parent.sim.rounds - sim.rounds, sim.height]).toEqual([2, 17]);
  });

  test("are not waited for at the height up to which it is made", async () => {
    const parent = stemOf((sim) => halted(sim, 5));
    const { made, sim } = await branchOf(parent, { other: TOO_OLD });
    expect(made).toMatchObject({ height: 14, commands: 7, refusals: 0 });
    expect(sim.journal.map(({ at }) => at)).toEqual([5, 10, 12, 15, 15, 15, 15]);
    expect([sim.height, sim.rounds]).toEqual([14, 15]);
  });
});

describe("of the commands that ended differently in the branch", () => {
  test("each is named where it was given in it, in order of height", async () => {
    const parent = stemOf((sim) => {
      jail(sim);
      const validatorAddr = valAddress(sim.account("val-3") ?? new Uint8Array());
      const messages = [packInit(MsgUnjailSchema, { validatorAddr })];
      sim.apply({ type: "tx", signer: "val-3", messages });
      runRounds(sim, 2);
      node(sim, "stop", "val-2");
      runRounds(sim, 3);
      sim.apply({ type: "fault", kind: "slow", node: "val-0", at: sim.height + 1, for: 1 });
      node(sim, "start", "val-2");
      runRounds(sim, 2);
    });
    const { made, entry } = await branchOf(parent, { other: TOO_OLD });
    expect(made).toMatchObject({ refusals: 2, commands: 5 });
    expect(made.refused).toMatchObject([
      { height: 10, command: "tx val-3: MsgUnjail", why: expect.stringContaining("not jailed") },
      { height: 13, why: "height 13 is past; the chain is at 13" },
    ]);
    expect(entry?.note).toBe(
      "The same commands with max_evidence_age 5s instead of 48h. Otherwise than before ended: " +
        "tx val-3: MsgUnjail (at 10): failed to execute message; message index: 0: validator not jailed; cannot be unjailed; " +
        "fault node: val-0, kind: slow, at: 13, for: 1 (at 13): height 13 is past; the chain is at 13.",
    );
  });

  test("two hundred are named, and five in the note", async () => {
    const parent = stemOf((sim) => {
      propose(sim, 1n, softwareUpgrade(sim, "v2", 1000));
      runRounds(sim, 8);
      vote(sim, 203);
      runRounds(sim, 1);
    });
    const { made, entry } = await branchOf(parent, {
      other: { name: "gov.voting_period", value: "10s" },
    });
    expect(made).toMatchObject({ refusals: 203, commands: 208 });
    expect(made.refused).toHaveLength(200);
    expect(entry?.note?.match(/tx val-0: MsgVote \(at 8\): /g)).toHaveLength(5);
    expect(entry?.note).toMatch(/inactive proposal; and 198 more\.$/);
  });

  test("five are all that the note says", async () => {
    const parent = stemOf((sim) => {
      propose(sim, 1n, softwareUpgrade(sim, "v2", 1000));
      runRounds(sim, 8);
      vote(sim, 5);
      runRounds(sim, 1);
    });
    const { entry } = await branchOf(parent, {
      other: { name: "gov.voting_period", value: "10s" },
    });
    expect(entry?.note).toMatch(/inactive proposal\.$/);
    expect(entry?.note?.match(/MsgVote/g)).toHaveLength(5);
  });

  test("none is one that failed before too, or failed only before", async () => {
    const parent = stemOf((sim) => {
      vote(sim);
      runRounds(sim, 1);
      propose(sim, 1n, softwareUpgrade(sim, "v2", 1000));
      runRounds(sim, 40);
      vote(sim);
      runRounds(sim, 1);
      // Neither world includes it in a block.
      vote(sim);
    });
    expect(parent.sim.block(42)?.txs.map(({ code }) => code)).not.toContain(0);
    const { made } = await branchOf(parent, { other: { name: "gov.voting_period", value: "1h" } });
    expect(made).toMatchObject({ refused: [], refusals: 0, commands: 8 });
  });

  test("one is named that came into no block", async () => {
    const parent = stemOf((sim) => {
      propose(sim, 1n, softwareUpgrade(sim, "v2", 60));
      runTo(sim, 40);
      propose(sim, 2n, softwareUpgrade(sim, "v3", 90));
      runRounds(sim, 1);
    });
    // A binary with the handler of a plan that is not due halts.
    const { made, entry, sim } = await branchOf(parent, { other: { name: "binary", value: "v2" } });
    expect(made.height).toBeLessThan(40);
    // It stays behind by as many rounds as its parent.
    expect(sim.rounds).toBe(41);
    expect(made.refused).toHaveLength(5);
    expect(made.refused.map(({ why }) => why)).toEqual(Array(5).fill("it came into no block"));
    expect(entry?.note).toContain(`It came to block ${made.height} of 41.`);
  });

  test("none is a binary that the branch has from the beginning, or what fails by a bug", async () => {
    const parent = stemOf((sim) => {
      sim.apply({ type: "binary", binary: { ...V1, name: "v3" } });
      runRounds(sim, 2);
      node(sim, "stop", "val-3");
      runRounds(sim, 1);
    });
    const apply = vi.spyOn(Simulation.prototype, "apply").mockImplementationOnce(() => {
      throw new TypeError("a bug");
    });
    const { made, sim } = await branchOf(parent, { other: TOO_OLD });
    expect(apply).toHaveBeenCalledTimes(1);
    apply.mockRestore();
    expect(made).toMatchObject({ refused: [], refusals: 0, commands: 2, height: 3 });
    expect(sim.journalLength).toBe(0);
  });
});

describe("the branch is called", () => {
  const titled = (title: string): ParentWorld => {
    const { commands, ...parent } = stemOf(() => {});
    const { scenario } = FIRST_ORIGIN;
    const live = new RunningWorld({ ...FIRST_ORIGIN, scenario: { ...scenario, title } });
    return { ...parent, live, at: live.sim, commands };
  };

  test("as its world and what is other, cut where that is too long", async () => {
    const { entry } = await branchOf(titled("Title"), { other: TOO_OLD });
    expect(entry).toMatchObject({
      name: "Title, max evidence age 5s",
      note: "The same commands with max_evidence_age 5s instead of 48h.",
    });
    expect(entry).not.toHaveProperty("parent");
    const long = await branchOf(titled("t".repeat(100)), {
      other: { name: "gov.voting_period", value: "7s" },
    });
    expect(long.entry?.name).toBe(
      `${"t".repeat(80 - ", voting period 7s".length)}, voting period 7s`,
    );
  });

  test("as one has said, with a note before what is said of it", async () => {
    const { entry } = await branchOf(titled("Title"), {
      name: "Mine",
      note: "Why?",
      other: TOO_OLD,
    });
    expect(entry).toMatchObject({
      name: "Mine",
      note: "Why?\nThe same commands with max_evidence_age 5s instead of 48h.",
    });
  });
});

describe("while a branch is made", () => {
  const long = () => stemOf((sim) => runRounds(sim, 90));
  /** A clock that advances a little at every reading. */
  const clockOf = (step: number): Host => {
    let now = 0;
    return testHost({
      clock: () => {
        now += step;
        return now;
      },
    });
  };

  test("something else has its turn every eight milliseconds, and it is told how far it is", async () => {
    const host = clockOf(1);
    const delay = vi.spyOn(host, "delay");
    const { seen, made } = await branchOf(long(), { other: TOO_OLD }, { host });
    expect(made.height).toBe(90);
    const rounds = seen.map((done) => Math.round(done * 90));
    expect(rounds).toEqual([7, 15, 23, 31, 39, 47, 55, 63, 71, 79, 87]);
    expect(delay.mock.calls.filter(([ms]) => ms === 0).length).toBeGreaterThanOrEqual(11);
  });

  test.each([
    ["not where that takes no half a second", 1, 0, 0],
    // Three readings of the clock take 300 ms, so it is saved in every second of 90 rounds.
    ["every half a second", 100, 40, 50],
  ])("it is saved %s", async (_, step, least, most) => {
    const storage = new MemoryStorage();
    const writes: number[] = [];
    const progress = () => writes.push(storage.writes.length);
    await branchOf(long(), { other: TOO_OLD }, { host: clockOf(step), storage, progress });
    const between = (writes.at(-1) ?? 0) - (writes[0] ?? 0);
    expect(between).toBeGreaterThanOrEqual(least);
    expect(between).toBeLessThanOrEqual(most);
  });

  test("an old block that a command reads comes from storage, and no world is led there", async () => {
    const parent = stemOf((sim) => {
      runTo(sim, 5000, 5000);
      sim.apply({ type: "misbehavior", kind: 1, validator: "val-3", height: 2 });
      runRounds(sim, 50);
    });
    let session: Parameters<Tools["open"]>[0] | undefined;
    const open: Tools["open"] = (one, ...rest) => {
      session = one;
      return openWorlds(one, ...rest);
    };
    const advance = vi.spyOn(Simulation.prototype, "advance");
    let last = { rounds: 0, led: 0 };
    const progress = (): void => {
      const { rounds, network } = (session as NonNullable<typeof session>).sim;
      last = { rounds, led: advance.mock.calls.length - rounds };
      // From then on its first page is in storage.
      const { sealed } = network.ledger.blocks;
      for (let i = 0; rounds > 4800 && i < sealed.slots.length; i++) sealed.release(i);
    };
    const other = { name: "max_evidence_age", value: "100000s" };
    const { made } = await branchOf(parent, { other }, { host: clockOf(1), open, progress });
    advance.mockRestore();
    expect(made.refusals).toBe(0);
    expect(last.rounds).toBeGreaterThan(5000);
    expect(last.led).toBe(0);
  });

  test("an old block that a command reads is there too in the copy of a world whose rounds have no block each", async () => {
    const parent = stemOf((sim) => {
      node(sim, "stop", "val-1", "val-2");
      runRounds(sim, 3);
      node(sim, "start", "val-1", "val-2");
      runTo(sim, 4105, 5000);
      sim.apply({ type: "misbehavior", kind: 1, validator: "val-3", height: 2 });
      runRounds(sim, 3);
      node(sim, "stop", "val-0");
    });
    const create = vi.spyOn(Simulation, "create");
    let copy: Simulation | undefined;
    const progress = (): void => {
      copy ??= create.mock.results.map(({ value }) => value).at(-1);
      const { sealed } = (copy as Simulation).network.ledger.blocks;
      if (sealed.slots.length > 0) sealed.release(0);
    };
    const other = { name: "max_evidence_age", value: "100000s" };
    const { made, sim } = await branchOf(parent, { other }, { host: clockOf(1), progress });
    create.mockRestore();
    expect(copy?.spec).toEqual(parent.sim.spec);
    expect(copy?.node("val-3")?.power).toBe(0);
    expect(made).toMatchObject({ height: parent.sim.height, refusals: 0 });
    expect(sim.node("val-3")?.power).toBe(0);
  });

  test("it is given up where it is not waited for, before and between", async () => {
    const storage = new MemoryStorage();
    const refused = { code: STATUS.cancelled, message: "the branch was given up: there is none" };
    const before = branchOf(long(), { other: TOO_OLD }, { storage, wanted: () => false });
    await expect(before).rejects.toMatchObject(refused);
    expect(storage.records.size).toBe(0);
    let requested = 0;
    const wanted = () => {
      requested += 1;
      return requested < 4;
    };
    const between = branchOf(long(), { other: TOO_OLD }, { storage, wanted, host: clockOf(1) });
    await expect(between).rejects.toMatchObject(refused);
    expect(requested).toBe(4);
    expect(await openTab(storage).worlds.list()).toEqual([]);
  });

  test("it fails where it cannot be saved, with the reason", async () => {
    const storage = new MemoryStorage();
    const progress = () => {
      storage.failure = new Error("the disk is gone");
    };
    const branch = branchOf(long(), { other: TOO_OLD }, { storage, host: clockOf(1), progress });
    await expect(branch).rejects.toMatchObject({
      code: STATUS.unavailable,
      message: expect.stringContaining("the disk is gone"),
    });
  });

  test("it fails where not all commands can be read, and nothing of it is left", async () => {
    const parent = stemOf((sim) => {
      node(sim, "stop", "val-3");
      runRounds(sim, 1);
      node(sim, "start", "val-3");
    });
    async function* commands() {
      yield* parent.sim.journal.slice(0, 1);
    }
    const storage = new MemoryStorage();
    const branch = branchOf({ ...parent, commands: commands() }, { other: TOO_OLD }, { storage });
    await expect(branch).rejects.toThrow("only 1 of the 2 things done can be read");
    expect(await openTab(storage).worlds.list()).toEqual([]);
  });

  test("commands that were given later are not read", async () => {
    const early = stemOf((sim) => node(sim, "stop", "val-3"));
    async function* commands(input: readonly JournalEntry[]) {
      yield* input;
      throw new Error("read on");
    }
    const { made } = await branchOf(
      { ...early, commands: commands(early.sim.journal) },
      { other: TOO_OLD },
    );
    expect(made.commands).toBe(1);
    const none = await branchOf(
      { ...stemOf(() => {}), commands: commands([]) },
      { other: TOO_OLD },
    );
    expect(none.made).toMatchObject({ commands: 0, height: 0 });
  });

  test("a value that is not named is refused as one that there is not", async () => {
    await expect(branchOf(long(), { other: undefined })).rejects.toMatchObject({
      code: STATUS.invalidArgument,
      message: expect.stringContaining('there is no value "" that can be other'),
    });
  });
});

test("a branch that is being made is given up when that is asked for, and nothing of it is left", async () => {
  const tab = await began();
  await step(tab, { run: 600 });
  await step(tab, { nodes: { which: ["val-3"], stop: true } });
  const before = await tab.worlds.list();
  const branch = otherwise(tab, "block_time", "7s");
  const refused = expect(branch).rejects.toThrow("the branch was given up: there is none");
  await isBegun(tab);
  tab.session.control({ case: "stopBranch", value: true });
  await refused;
  expect((await tab.worlds.list()).map(({ id }) => id)).toEqual(before.map(({ id }) => id));
  expect(tab.session.player.recalling).toBeUndefined();
  // So is a branch that has not started yet.
  const next = expect(otherwise(tab, "block_time", "7s")).rejects.toThrow(
    "the branch was given up",
  );
  tab.session.control({ case: "stopBranch", value: true });
  await next;
  expect(await tab.worlds.list()).toHaveLength(before.length);
  // It does not affect the next one.
  expect(await otherwise(tab, "block_time", "7s")).toMatchObject({ height: 600, commands: 1 });
});

test("two branches that are being made at once are both given up", async () => {
  const tab = await began();
  await step(tab, { run: 600 });
  const before = await tab.worlds.list();
  const refused = ["7s", "8s"].map((value) =>
    expect(otherwise(tab, "block_time", value)).rejects.toThrow("the branch was given up"),
  );
  await isBegun(tab);
  tab.session.control({ case: "stopBranch", value: true });
  await Promise.all(refused);
  expect(await tab.worlds.list()).toHaveLength(before.length);
});

test("a branch is given up once the one who asked for it has gone", async () => {
  const tab = await began();
  await step(tab, { run: 600 });
  const before = await tab.worlds.list();
  let gone = false;
  const request = { height: 0, name: "", note: "", other: { name: "block_time", value: "7s" } };
  const refused = expect(tab.session.branchWhatIf?.(request, () => gone)).rejects.toThrow(
    "the branch was given up",
  );
  await isBegun(tab);
  gone = true;
  await refused;
  expect(await tab.worlds.list()).toHaveLength(before.length);
});

test("the same commands are given up to a height in a world of its own, which says what is other in it", async () => {
  const tab = await began();
  await step(tab, { run: 5 });
  await step(tab, { misbehavior: { type: "duplicate_vote", validators: ["val-3"], height: 2 } });
  await step(tab, { run: { to: 30 } });
  expect(isJailed(tab, "val-3")).toBe(true);
  const { appHash } = tab.session.sim;
  const branch = await otherwise(tab, "max_evidence_age", "5s", 20);
  expect(branch).toMatchObject({ height: 20, commands: 1, refused: [], refusals: 0 });
  expect(await entryOf(tab, branch.world)).toMatchObject({
    name: `${tab.worlds.name}, max evidence age 5s`,
    note: "The same commands with max_evidence_age 5s instead of 48h.",
    parent: { world: tab.id, height: 0 },
    height: 20,
  });
  // The played world is unchanged, and stays on screen.
  expect([tab.worlds.current, tab.session.sim.height]).toEqual([tab.id, 30]);
  expect(tab.session.sim.appHash).toEqual(appHash);
  await opened(tab, branch.world);
  expect([tab.session.sim.height, isJailed(tab, "val-3")]).toEqual([20, false]);
});

test("a height that is shown stays on screen while a branch up to it is made", async () => {
  const tab = await began();
  await step(tab, { run: 30 });
  const frames = new SessionFrames(tab, "tab");
  const shown = () => frames.build({ height: 20 }, {}).past?.shown;
  await turnsUntil(() => shown() === 20, "height 20 is shown");
  let over = false;
  const branch = otherwise(tab, "max_evidence_age", "5s", 20).finally(() => {
    over = true;
  });
  const seen = new Set<number | undefined>();
  await turnsUntil(() => {
    if (!over) seen.add(shown());
    return over;
  }, "the branch is made");
  expect([...seen, shown()]).toEqual([20, 20]);
  expect(await branch).toMatchObject({ height: 20, commands: 0 });
});

test("of the other profile and another binary all nodes begin with it", async () => {
  const tab = await began();
  await step(tab, { run: 10 });
  const { world } = await otherwise(tab, "profile", "sdk-0.53");
  const { world: second } = await otherwise(tab, "binary", "v2");
  const sim = await opened(tab, world);
  expect([sim.height, sim.spec.profile]).toEqual([10, "sdk-0.53"]);
  const other = await opened(tab, second);
  expect(other.height).toBe(10);
  expect(new Set(other.nodes().map(({ binary }) => binary))).toEqual(new Set(["v2"]));
});

test("a transaction that fails in the branch is named with its reason", async () => {
  const tab = await began();
  await step(tab, { propose: { from: "val-0", title: "Hello", messages: [], metadata: "x" } });
  await step(tab, { run: 5 });
  await step(tab, { vote: { proposal: 1, option: "yes" } });
  await step(tab, { run: 5 });
  const branch = await otherwise(tab, "gov.voting_period", "10s");
  expect(branch.refusals).toBe(4);
  expect(branch.refused[0]).toMatchObject({ command: "tx val-0: MsgVote" });
  expect(branch.refused[0]?.why).toContain("inactive proposal");
  const { note = "" } = (await entryOf(tab, branch.world)) ?? {};
  expect(note).toContain("Otherwise than before ended: tx val-0: MsgVote");
});

test("a command that makes no sense in the branch is named, and the others are given", async () => {
  const tab = await began();
  await step(tab, { upgrade: { name: "v2", at: 30 } });
  await step(tab, { run: { until: "halted" } });
  await step(tab, { nodes: { which: ["val-3"], roll_back: 20 } });
  await step(tab, { nodes: { which: ["val-2"], stop: true } });
  expect(tab.session.sim.height).toBe(29);
  // A binary with the handler of a plan that is not due halts.
  const branch = await otherwise(tab, "binary", "v2");
  expect(branch).toMatchObject({ height: 13, commands: 7, refusals: 1 });
  expect(branch.refused).toEqual([
    {
      height: 13,
      command: "nodes val-3: roll back 20",
      why: "val-3 cannot go back 20 from height 13",
    },
  ]);
  const { note } = (await entryOf(tab, branch.world)) ?? {};
  expect(note).toContain("It came to block 13 of 29. Otherwise than before ended: nodes val-3");
  const sim = await opened(tab, branch.world);
  expect(sim.node("val-2")?.process).toBe("stopped");
});

test("a chain that was halted is so in the branch for as many rounds, and its commands come after them", async () => {
  const tab = await began();
  await step(tab, { upgrade: { name: "v2", at: 30 } });
  await step(tab, { run: { until: "halted" } });
  await step(tab, { run: { rounds: 6 } });
  await step(tab, { nodes: { which: "all", binary: "v2" } });
  await step(tab, { run: 5 });
  const { height, rounds, appHash } = tab.session.sim;
  expect(rounds).toBeGreaterThan(height);
  const branch = await otherwise(tab, "gov.safety_delta", "7s");
  expect(branch).toMatchObject({ height, refusals: 0 });
  const sim = await opened(tab, branch.world);
  expect([sim.height, sim.rounds, sim.appHash]).toEqual([height, rounds, appHash]);
});

test("a refused value says what was expected, and nothing has happened", async () => {
  const tab = await began();
  await step(tab, { run: 5 });
  await tab.save();
  const list = () => tab.worlds.list();
  const before = await list();
  const why = (name: string, value: string) => expect(otherwise(tab, name, value)).rejects;
  await why("profile", "mainnet").toThrow(/^profile: expected one of documented, sdk-0\.53/);
  await why("gov.voting_period", "soon").toThrow(/^gov\.voting_period: expected a duration/);
  await why("slashing.slash_fraction_downtime", "2").toThrow(
    /^slashing\.slash_fraction_downtime: expected/,
  );
  await why("binary", "v9").toThrow('binary: there is no binary "v9": expected one of v1');
  await why("profile", "documented").toThrow(
    "profile: expected another value, found documented, which it is in this world",
  );
  await why("chain_id", "other-1").toThrow('there is no value "chain_id"');
  await why("validators", "3").toThrow('there is no value "validators"');
  expect(await list()).toEqual(before);
});

test("every value that is offered is one that can be set", async () => {
  const tab = await began();
  const { values } = genesisAnswer(tab.session.player.live);
  const names = values.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(["binary", "profile", "max_evidence_age"]));
  expect(names).toEqual(expect.arrayContaining(["staking.unbonding_time", "gov.voting_period"]));
  for (const { name, value } of values) {
    await expect(otherwise(tab, name, value)).rejects.toThrow(
      `${name}: expected another value, found ${value}`,
    );
  }
});

test("whatever was done comes out the same where the other value changes nothing", async () => {
  await fc.assert(
    fc.asyncProperty(worldSteps, async (steps: readonly WorldStep[]) => {
      const tab = await began();
      for (const one of steps) perform(tab.session.sim, one);
      settle(tab.session);
      await tab.save();
      const { height, appHash } = tab.session.sim;
      const branch = await otherwise(tab, "gov.safety_delta", "7s");
      const sim = await opened(tab, branch.world);
      expect(branch.refused).toEqual([]);
      expect([sim.height, sim.appHash]).toEqual([height, appHash]);
    }),
    { numRuns: propertyRuns(20) },
  );
});

test("a branch that begins otherwise is given up by a stop: there is none, and the world goes on", async () => {
  const tab = await began();
  const { session } = tab;
  await step(tab, { run: 400 });
  const before = await tab.worlds.list();
  const branch = otherwise(tab, "commits", "full");
  const refused = expect(branch).rejects.toThrow("the branch was given up: there is none");
  await isBegun(tab);
  session.control({ case: "stop", value: true });
  await refused;
  expect(session.player.recalling).toBeUndefined();
  expect((await tab.worlds.list()).map(({ id }) => id)).toEqual(before.map(({ id }) => id));
  await step(tab, { run: 1 });
  expect(session.sim.height).toBe(401);
});
