import type { Namespace } from "../../view/namespaces.ts";

/** Key-value storage that outlives the process: bytes in, bytes out. */
export interface Storage {
  /** Values in the order of the keys; undefined for a missing one. */
  read(keys: readonly string[]): Promise<readonly (Uint8Array | undefined)[]>;
  /** Keys that begin with a prefix, in ascending order of their UTF-16 code units. */
  keys(prefix: string): Promise<readonly string[]>;
  /** Writes and removes in one transaction: all or nothing. Strict by default. */
  write(
    puts: ReadonlyMap<string, Uint8Array>,
    removals: readonly string[],
    durability?: Durability,
  ): Promise<void>;
  /** Bytes in use, and the maximum; undefined if neither is known. */
  estimate(): Promise<Estimate | undefined>;
  /**
   * Last write to this storage before it was opened, or to the one that it has replaced, in
   * milliseconds since 1970. Undefined if unknown.
   */
  writtenMs?(): Promise<number | undefined>;
}

/**
 * Durability of a resolved write: a strict one is on disk and survives a power loss. A relaxed one
 * survives the end of the process, and a power loss a moment later; a later strict write also
 * flushes it.
 */
export type Durability = "strict" | "relaxed";

export interface Estimate {
  readonly usage: number;
  readonly quota: number;
}

/** The platform services of a session besides storage; passed at the composition root. */
export interface Host {
  /** Wall-clock time in milliseconds since 1970, for the dates of worlds. */
  now(): number;
  /** Monotonic clock in milliseconds, to measure durations. */
  clock(): number;
  /** A random identifier of letters, digits and hyphens. */
  id(): string;
  /** Identifies this build of Chainlab: only the build that made a keyframe can use it. */
  readonly build: string;
  /** Namespace under which the chains played here are served; `chain` if absent. */
  readonly namespace?: Namespace;
  /** Resolves after a number of milliseconds. */
  delay(ms: number): Promise<void>;
  /** Reports a bug with its stack to the operator's log: users only see that there is one. */
  reportBug(error: unknown): void;
}
