import type { Damage } from "./damage.ts";

/** One thing that is done to a session, its storage or its files. */
export interface Act {
  /** A step in the language of scenarios; `wait` until it has ended, or at most for a while. */
  readonly step?: unknown;
  readonly wait?: boolean;
  /** An action of so many bytes. */
  readonly ballast?: number;
  readonly blocks?: number;
  readonly control?: "play" | "pause" | "stop";
  readonly speed?: number;
  /** Milliseconds that pass. */
  readonly pass?: number;
  readonly save?: true;
  readonly fail?: "full" | "unavailable";
  readonly calls?: number;
  readonly clear?: true;
  /** The text of a scenario file that is loaded. */
  readonly load?: string;
  readonly open?: number;
  readonly duplicate?: number;
  readonly remove?: number;
  readonly restore?: number;
  readonly rename?: number;
  /** A world is exported and imported, its file damaged as a whole or in one record of it. */
  readonly copy?: number;
  readonly damaged?: Damage;
  readonly inside?: boolean;
  /** Records of the storage are damaged; the world's place among the others. */
  readonly damage?: readonly (Damage & { readonly world: number })[];
  /** The process is killed after so many more writes, and the world of this number opened again. */
  readonly crash?: number;
}
