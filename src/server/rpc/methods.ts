import { BLOCK_METHODS } from "./block-methods.ts";
import { BROADCAST_METHODS } from "./broadcast-methods.ts";
import type { RpcMethod } from "./method.ts";
import { NODE_METHODS } from "./node-methods.ts";
import { TX_METHODS } from "./tx-methods.ts";

/** The methods of the JSON-RPC on both HTTP and WebSocket, by name. */
export const RPC_METHODS: ReadonlyMap<string, RpcMethod> = new Map(
  Object.entries<RpcMethod>({
    ...NODE_METHODS,
    ...BLOCK_METHODS,
    ...TX_METHODS,
    ...BROADCAST_METHODS,
  }).sort(([a], [b]) => (a < b ? -1 : 1)),
);
