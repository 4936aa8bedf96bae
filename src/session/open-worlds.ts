import { acceptSignedTxs } from "../engine/app/signed-tx.ts";
import { STATUS, StatusError } from "../engine/framework/errors.ts";
import { acceptLightClientAttacks } from "../engine/simulation/light-client-attacks.ts";
import { acceptTampering } from "../engine/simulation/tamper.ts";
import type { HistoryPart } from "../engine/simulation/world-history.ts";
import type { LabAnswer } from "../gen/lab/v1/lab_plain.ts";
import { TEXTS } from "../view/lab/texts.ts";
import type { Compares } from "./comparing/compares.ts";
import type { ChainExporter } from "./export-chain.ts";
import { FIRST_ORIGIN } from "./first-world.ts";
import type { Host, Storage } from "./history/storage.ts";
import { withTimeouts } from "./history/storage-timeouts.ts";
import type { ReadLegacy } from "./legacy-save.ts";
import type { NoticeDraft } from "./notices.ts";
import { openHistory } from "./open-history.ts";
import { RunningWorld } from "./running-world.ts";
import { SavedWorlds } from "./saved-worlds.ts";
import { Saver } from "./saver.ts";
import type { Notice, NoticeAction, NoticeKind, Saving } from "./saving.ts";
import type { Session } from "./session.ts";
import type { Shown, Traveller } from "./travel.ts";
import type { SessionOfWorlds } from "./worlds.ts";

/** Notices that apply only while saves fail for this reason. */
const FAILURES: readonly NoticeKind[] = ["full", "unavailable"];

/**
 * Connects a session to the worlds of a storage. None is played yet.
 * @param earlier reads the save of a version without histories
 */
export function openWorlds(
  session: Session,
  storage: Storage,
  host: Host,
  earlier?: ReadLegacy,
): SessionOfWorlds {
  RunningWorld.texts = TEXTS;
  acceptSignedTxs();
  acceptLightClientAttacks();
  acceptTampering();
  const inTime = withTimeouts(storage, host);
  const notices: (Notice & { readonly world: string | undefined })[] = [];
  let count = 0;
  const tell = (draft: NoticeDraft, world = worlds.current): void => {
    count += 1;
    // A repeated notice replaces the earlier one, and a save fails for one reason at a time.
    const others = notices.filter(
      ({ text, kind }) =>
        text !== draft.text && !(FAILURES.includes(kind) && FAILURES.includes(draft.kind)),
    );
    notices.splice(0, notices.length, ...others, { ...draft, id: `notice-${count}`, world });
    session.player.changed();
  };
  const saver = new Saver(session, inTime, host, tell);
  const take = async (height: number) => (await load()).takeWorldAt(height);
  const worlds = new SavedWorlds(session, inTime, host, saver, tell, earlier, take);
  session.host = host;
  session.player.namespace = host.namespace ?? "chain";
  session.leaving = () => saver.leave();
  const past = (live: RunningWorld, part: HistoryPart) => saver.loadPart(live, part);
  session.loadPart = past;
  session.rewind = (to, keeps) => worlds.rewind(to, keeps);
  session.player.reportBug = (error) => host.reportBug(error);
  session.player.load = (part) => past(session.player.live, part);
  session.entered = () => saver.enter();
  const { player } = session;
  player.sliced = () => saver.plan();
  /** Resolves when the history of the played world can be read, or is only in memory. */
  const readable = async (): Promise<void> => {
    await session.restored;
    await saver.branched;
  };
  let traveller: Traveller | undefined;
  const load = async (): Promise<Traveller> => {
    const { Traveller } = await import("./travel.ts");
    traveller ??= new Traveller(host, () => {
      const { live, restoring } = player;
      const isThere = restoring === undefined && saver.branch === undefined;
      return { live, history: saver.historyOf(live), isThere };
    });
    return traveller;
  };
  session.queryAt = async (height, ask, gone) => {
    await readable();
    return (await load()).query(height, ask, gone);
  };
  const look = (height: number): Shown | undefined => {
    if (height === 0) traveller?.rest();
    else if (traveller !== undefined) return traveller.look(height);
    if (height === 0) return undefined;
    // It cannot be loaded without a connection, and is retried later.
    load().catch(() => {});
    const liveHeight = session.sim.height;
    const past = { asked: height, shown: liveHeight, liveHeight, progress: 0, problem: "" };
    return { world: undefined, past };
  };
  let comparing: Promise<Compares> | undefined;
  session.comparing = () => {
    comparing ??= import("./comparing/comparing.ts").then(
      ({ Comparing }) =>
        new Comparing(session, inTime, host, openWorlds, async () => {
          await saver.save();
          return saver.history;
        }),
    );
    // After a failure the next request loads it again.
    comparing.catch(() => {
      comparing = undefined;
    });
    return comparing;
  };
  session.branchWhatIf = async (request, gone) => {
    // Counted from the start: it may be stopped before its work has begun.
    const { stops } = player;
    const { branchStops } = session;
    const wanted = () => player.stops === stops && session.branchStops === branchStops && !gone?.();
    const progress = (done: number): void => {
      player.recalling = done;
      player.changed();
    };
    const tools = { storage: inTime, host, open: openWorlds, progress, wanted };
    const made = async (): Promise<LabAnswer<"forkWorld">> => {
      const { branchWhatIf } = await import("./what-if-branch.ts");
      await readable();
      await saver.save();
      const { live } = player;
      const { history } = saver;
      const branch = async (world: RunningWorld) => {
        // Its commands are those of the played world.
        if (player.live !== live) {
          const text = "another world has taken its place meanwhile";
          throw new StatusError(STATUS.failedPrecondition, text);
        }
        progress(0);
        const opened = openHistory(session, world);
        const parent = { live, history, at: world.sim, commands: saver.commands(), opened };
        return branchWhatIf(parent, request, tools);
      };
      const newest = live.sim.height;
      const { height = newest } = request;
      // The world on screen stays there: it is only read.
      if (height === 0 || height === newest) return branch(await take(newest));
      return (await load()).query(height, branch);
    };
    try {
      return await made();
    } finally {
      player.recalling = undefined;
      player.changed();
    }
  };
  session.commands = () => saver.commands();
  session.record = async () => {
    const { recordWorld } = await import("./recording.ts");
    await readable();
    return recordWorld(session.player.live, saver.commands(), host);
  };
  let exporter: ChainExporter | undefined;
  session.export = async (request) => {
    const { ChainExporter } = await import("./export-chain.ts");
    await readable();
    exporter ??= new ChainExporter(session, host, () => {
      const { live } = player;
      return { live, history: saver.historyOf(live) };
    });
    return exporter.part(request);
  };

  /** True while the cause of a notice persists. */
  const isTrue = ({ kind, actions, world = "" }: (typeof notices)[number]): boolean => {
    if (FAILURES.includes(kind)) return kind === saver.failure;
    return (
      kind !== "left" || !actions.includes("retry") || saver.pendingWrites.get(world) !== undefined
    );
  };
  const drop = (id: string): void => {
    notices.splice(
      notices.findIndex((notice) => notice.id === id),
      1,
    );
    session.player.changed();
  };
  const saving: Saving = {
    get state() {
      return worlds.isOpening ? "opening" : saver.state;
    },
    get failure() {
      return saver.failure;
    },
    get pending() {
      return saver.pending;
    },
    get notices() {
      return notices.filter(isTrue);
    },
    settled: () => saver.settled(),
    async answer(id: string, action: NoticeAction) {
      const notice = notices.find((one) => one.id === id);
      if (notice === undefined || !notice.actions.includes(action)) {
        throw new Error(`there is no notice ${id} with the action ${action}`);
      }
      const { kind, world } = notice;
      if (action === "export") return worlds.exportNamed(world ?? "");
      if (action === "retry" && kind === "unopened" && world !== undefined)
        await worlds.open(world);
      else if (action === "retry") {
        await saver.save();
        if (saver.failure !== undefined) throw new Error("it could still not be saved");
      }
      drop(id);
      if (action === "start_anew") await worlds.create(FIRST_ORIGIN);
      return undefined;
    },
  };
  return {
    session,
    worlds,
    saving,
    look,
    save: () => saver.save(),
    settled: (world) => saver.pendingWrites.settledWrite(world),
  };
}
