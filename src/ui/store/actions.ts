/** All user actions, as calls of the client: a control, or one scenario step. */
import type { StoreApi } from "zustand/vanilla";
import type { Client, ClientError } from "../../client/client.ts";
import type { DialogName, OpenDialog } from "./dialog.ts";
import { type FrameState, withMine } from "./frame-store.ts";
import { dismiss, type Notice, type Notices, notify, refused, type Undo } from "./notices.ts";

type Control = NonNullable<Parameters<Client["lab"]["control"]>[0]["action"]>;

/** A scenario step, e.g. `{ nodes: { which: "all", binary: "v2" } }`. */
export type ScenarioStep = Readonly<Record<string, unknown>>;

/** Result of a step: accepted with a message, or refused with a reason and its path in the step. */
export interface Outcome {
  readonly ok: boolean;
  readonly message: string;
  /** E.g. `misbehavior.height`; empty if there is no specific field. */
  readonly path: string;
  readonly height: number;
  /** The id of a proposal or the hash of a transaction; empty if it made none. */
  readonly value: string;
  /** The event or state that it waited for, as a clause; empty if it waited for nothing. */
  readonly found: string;
}

/** Options for running a step: pause the chain after it, and make its blocks at full speed. */
export interface Running {
  readonly pause?: boolean;
  readonly fullSpeed?: boolean;
}

/** Returns the outcome of a refused step. */
export const refusalOf = (message: string, path = ""): Outcome => ({
  ok: false,
  message,
  path,
  height: 0,
  value: "",
  found: "",
});

export type Actions = ReturnType<typeof createActions>;

export function createActions(
  client: Client,
  frames: StoreApi<FrameState>,
  dialog: StoreApi<OpenDialog>,
  notices: StoreApi<Notices>,
) {
  const { lab } = client;
  const report = ({
    message,
    value,
  }: {
    readonly message: string;
    readonly value?: string;
  }): void => refused(notices, message, value);

  /** Runs an action that changes the world; in the past, in a branch from the shown height. */
  const inBranch = (act: () => unknown): unknown => {
    const { travel } = frames.getState();
    return travel && !travel.toLive ? dialog.setState({ name: "fork", afterFork: act }) : act();
  };

  /** Runs one step; a refusal is an answer, not an exception. */
  const runStep = async (step: ScenarioStep | string, how: Running = {}): Promise<Outcome> => {
    try {
      const outcome = await lab.runStep({
        step: typeof step === "string" ? step : JSON.stringify(step),
        ...how,
      });
      frames.setState(withMine(frames.getState(), outcome.command));
      return outcome;
    } catch (error) {
      const { message, path } = error as ClientError;
      return refusalOf(message, path);
    }
  };

  /** Offered with the message of a completed action. */
  const undo = {
    world: "",
    take: async () => (await import("./undo.ts")).undo({ client, frames, notices }),
  };

  return {
    inBranch,
    runStep,
    undo,
    ...createPlayback(client, frames, report),

    /** Runs a step for a button without a field for errors. */
    act: async (
      step: ScenarioStep | string,
      done: string | ((outcome: Outcome) => string),
    ): Promise<void> => {
      const outcome = await runStep(step);
      if (!outcome.ok) report(outcome);
      else notify(notices, typeof done === "string" ? done : done(outcome), "info", undo);
    },

    report,
    openDialog: (name: DialogName, subject = "") => dialog.setState({ name, subject }),
    closeDialog: () => dialog.setState({ name: undefined }),
    notify: (text: string, tone?: Notice["tone"], undo?: Undo) => notify(notices, text, tone, undo),
    dismiss: (id: number) => dismiss(notices, id),
  };
}

/** How the chain is played: the controls of blocks, stories and speed. */
function createPlayback(
  { lab }: Client,
  frames: StoreApi<FrameState>,
  report: (error: { readonly message: string }) => void,
) {
  /** The beat requested last, and the one shown at that time; undefined after any other action. */
  let way: { readonly world: string; readonly from: number; readonly to: number } | undefined;
  /** The last play or pause command, until a frame newer than its answer is shown. */
  let playing: { readonly plays: boolean; readonly until?: unknown } | undefined;
  /** Number of open forms that act on the chain. */
  let openForms = 0;
  /** Resolves when it is saved. */
  const control = async (action: Control): Promise<void> => {
    const { world = "", story } = frames.getState().frame ?? {};
    way =
      action.case === "beat"
        ? { world, from: story?.beat ?? 0, to: action.value.index ?? 0 }
        : undefined;
    await lab.control({ action }).catch((error) => {
      way = playing = undefined;
      report(error);
    });
  };
  const player = () => frames.getState().frame?.player;
  const setPlaying = async (
    plays: boolean,
    action: Control = { case: plays ? "play" : "pause", value: true },
  ): Promise<void> => {
    const mine = { plays };
    playing = mine;
    await control(action);
    if (playing === mine) playing = { plays, until: frames.getState().frame };
  };
  /**
   * Returns the last commanded state, or else the displayed one: a key may be pressed twice before
   * the first press is drawn.
   */
  const isPlayingOr = (shown = false): boolean => {
    if (playing && "until" in playing && playing.until !== frames.getState().frame)
      playing = undefined;
    return playing?.plays ?? shown;
  };

  return {
    play: () => setPlaying(true),
    pause: () => setPlaying(false),
    togglePlay: () => setPlaying(!isPlayingOr(player()?.playing || player()?.busy)),
    /**
     * Switches between automatic playing and pausing after a beat: in the middle of one, its
     * sentence would be wrong.
     */
    toggleAutoplay: () => {
      const value = !isPlayingOr(player()?.playing);
      return setPlaying(value, { case: "autoplay", value });
    },
    stepBlocks: (count: number) => control({ case: "stepBlocks", value: count }),
    /** Plays the story from a beat on, or with the beat already done. */
    goToBeat: (index: number, done: boolean) => control({ case: "beat", value: { index, done } }),
    /**
     * The requested beat while the shown one is on the way there, otherwise the shown one: keys may
     * arrive before it is drawn.
     */
    beatAfter: (shown: number): number => {
      if (way === undefined || way.world !== (frames.getState().frame?.world ?? "")) return shown;
      const { from, to } = way;
      return shown >= Math.min(from, to) && shown <= Math.max(from, to) ? to : shown;
    },
    /** Cancels the running steps, and the story. */
    stopSteps: () => control({ case: "stop", value: true }),
    /** Called by each form that acts on the chain: automatic blocks wait for the last open one. */
    setFormOpen: async (open: boolean): Promise<void> => {
      openForms += open ? 1 : -1;
      if (openForms === Number(open)) await control({ case: "formOpen", value: open });
    },
    /** Blocks per second; 0 is as fast as possible. */
    setSpeed: (speed: number) => control({ case: "speed", value: speed }),
  };
}
