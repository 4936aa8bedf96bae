import type { Frame, LabRequest } from "../gen/lab/v1/lab_plain.ts";
import type { Serve } from "./call.ts";
import type { ExportedWorld } from "./saving.ts";
import type { SessionOfWorlds } from "./worlds.ts";

/** The host of a session: a tab of the browser, or a node. */
export interface SessionHost {
  readonly play: SessionOfWorlds;
  /** Id of the world on screen; empty while it is not saved. */
  readonly world: string;
  readonly locks: WorldLocks;
  /** True if clients other than the controlling page are connected. */
  readonly isShared: boolean;
  /** The tab that plays the world on screen; undefined if it is played here. */
  readonly watching:
    | { call(method: string, request: object, height?: number): Promise<unknown> }
    | undefined;
  /** Creates another first world, beside the others. */
  createNew(): Promise<void>;
  open(world: string): Promise<void>;
  /** Called when the session plays another world. */
  follow(): Promise<void>;
  getFrame(request: LabRequest<"getFrame">): Frame;
  /** Runs one of the actions of a notice; `export` returns the file. */
  answerNotice(notice: string, action: string): Promise<ExportedWorld | undefined>;
  /**
   * Answers an HTTP request, if requests are received as calls; `steer` answers the calls that
   * change something.
   */
  readonly answerHttp?: (request: unknown, control: Serve) => Promise<unknown>;
  /** Resolves when the changes are on disk, before they are acknowledged. */
  settled(): Promise<void>;
  /** Reports a bug; a client is told only that it is one. */
  reportBug(error: unknown): void;
}

/** Locks on the worlds of a storage, each held by the session that plays it. */
export interface WorldLocks {
  /**
   * Acquires the lock of a world, and resolves to its release function; undefined if another
   * session holds it.
   */
  acquire(world: string): Promise<(() => void) | undefined>;
  /** Worlds that are played by any session. */
  locked(): Promise<ReadonlySet<string>>;
}
