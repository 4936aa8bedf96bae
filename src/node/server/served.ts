import type { Namespace } from "../../api/namespaces.ts";
import type { RunningChain } from "./chain.ts";

/** Settings of a chain's servers. */
export interface Served {
  readonly chain: RunningChain;
  readonly namespace: Namespace;
  /** Origins whose pages may ask and send signed transactions, with commas between them, `*` for any; the node's own may. */
  readonly cors: string;
  /** Folder of the built page. */
  readonly page?: string;
  /** Addresses of the other doors, as the page names them to those who ask from elsewhere. */
  readonly doors?: { readonly grpc: string; readonly rpc: string };
  /** Clients with this token may control the chain. */
  readonly token?: string;
  /** Milliseconds that a wrong token waits for its answer; a second unless given. */
  readonly wrongTokenMs?: number;
}
