import type { Namespace } from "../../api/namespaces.ts";

/** Key-value storage that outlives the process: bytes in, bytes out. */
export interface Storage {
  /** Values in the order of the keys; undefined for a missing one. */
  read(keys: readonly string[]): Promise<readonly (Uint8Array | undefined)[]>;
  /** Keys that begin with a prefix, in ascending order of their UTF-16 code units. */
  keys(prefix: string): Promise<readonly string[]>;
  /** Writes and removes in one transaction: all of it or nothing. Strict unless it says otherwise. */
  write(
    puts: ReadonlyMap<string, Uint8Array>,
    removals: readonly string[],
    durability?: Durability,
  ): Promise<void>;
  /** Bytes in use and bytes at most; undefined where neither is known. */
  estimate(): Promise<Estimate | undefined>;
  /**
   * Last write to this storage before it was opened, or to one that it has replaced, in
   * milliseconds since 1970. Undefined if it is unknown.
   */
  writtenMs?(): Promise<number | undefined>;
}

/**
 * Guarantee of a resolved write: a strict one is on disk and survives a loss of power. A relaxed
 * one survives the end of the process, and a loss of power a moment later; a strict one after it
 * has it on disk too.
 */
export type Durability = "strict" | "relaxed";

export interface Estimate {
  readonly usage: number;
  readonly quota: number;
}

/** The platform services of a session beside storage; passed at the composition root. */
export interface Host {
  /** Wall-clock time in milliseconds since 1970, for the dates of worlds. */
  now(): number;
  /** Milliseconds of a clock that never goes back, for what things cost. */
  clock(): number;
  /** A random identifier of letters, digits and hyphens. */
  id(): string;
  /** Names this build of Chainlab: keyframes are of use only to the build that made them. */
  readonly build: string;
  /** Namespace under which the chains are served that are played here; `chain` unless given. */
  readonly namespace?: Namespace;
  /** Resolves after a number of milliseconds. */
  delay(ms: number): Promise<void>;
  /** Writes a bug with its stack where an operator looks: people read only that there is one. */
  reportBug(error: unknown): void;
}
