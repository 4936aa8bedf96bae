/** Result of a load on a server interface. */
export interface Load {
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Requests that had no answer, since too many waited. */
  readonly refused: number;
}

/** Load on a server interface: concurrent requests, duration, and optionally a fixed rate. */
export interface Asking {
  readonly width: number;
  readonly seconds: number;
  /** Requests per second. */
  readonly rate?: number | undefined;
}

/** Those of a node. */
export type NodeDoor = "REST" | "gRPC" | "RPC";

/** A server interface under load, beside a chain at full speed. */
export interface Asked {
  readonly door: string;
  ask(asking: Asking): Promise<Load>;
  height(): Promise<number>;
  /** Seconds that the thread of its block loop has computed; undefined where the system does not tell. */
  cpu(): Promise<number | undefined>;
}
