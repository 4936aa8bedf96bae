import type { Frame, LabRequest } from "../gen/lab/v1/lab_plain.ts";
import type { Serve } from "./call.ts";
import type { ExportedWorld } from "./saving.ts";
import type { SessionOfWorlds } from "./worlds.ts";

/** The host of a session: a tab of the browser, or a node. */
export interface Place {
  readonly play: SessionOfWorlds;
  /** Id of the world on screen; empty while it is not saved. */
  readonly world: string;
  readonly locks: WorldLocks;
  /** True if clients other than the controlling page are connected. */
  readonly isShared: boolean;
  /** The one that plays the world on screen; undefined where it is played here. */
  readonly watching:
    | { call(method: string, request: object, height?: number): Promise<unknown> }
    | undefined;
  /** Begins the first world anew, beside the others. */
  createNew(): Promise<void>;
  open(world: string): Promise<void>;
  /** Takes note that the session plays another world now. */
  follow(): Promise<void>;
  getFrame(request: LabRequest<"getFrame">): Frame;
  /** Does one of the actions of a notice; of `export` it gives the file. */
  answerNotice(notice: string, action: string): Promise<ExportedWorld | undefined>;
  /** Answers a request over HTTP, where requests are calls; `steer` answers what it would change. */
  readonly answerHttp?: (request: unknown, steer: Serve) => Promise<unknown>;
  /** Resolves when what was done is on disk, before it is acknowledged. */
  settled(): Promise<void>;
  /** Reports a bug, of which a client is told only that it is one. */
  reportBug(error: unknown): void;
}

/** Locks on the worlds of a storage, each held by the session that plays it. */
export interface WorldLocks {
  /** Takes the lock of a world, and resolves to what releases it; undefined if another holds it. */
  take(world: string): Promise<(() => void) | undefined>;
  /** Worlds that are played, wherever that is. */
  held(): Promise<ReadonlySet<string>>;
}
