/** What asking a door came to. */
export interface Load {
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

export type Door = "REST" | "gRPC" | "RPC";
