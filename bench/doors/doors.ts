/** What asking a door came to. */
export interface Load {
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Requests that had no answer, since too many waited. */
  readonly refused: number;
}

/** How a door is asked: by so many at once, for so long, as fast as it answers or at a fixed rate. */
export interface Asking {
  readonly width: number;
  readonly seconds: number;
  /** Requests per second. */
  readonly rate?: number | undefined;
}

/** Those of a node. */
export type NodeDoor = "REST" | "gRPC" | "RPC";

/** What is asked beside a chain at full speed. */
export interface Asked {
  readonly door: string;
  ask(asking: Asking): Promise<Load>;
  height(): Promise<number>;
  /** Seconds that the thread of its block loop has computed; undefined where the system does not tell. */
  cpu(): Promise<number | undefined>;
}
