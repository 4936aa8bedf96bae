import type { Namespace } from "../../view/namespaces.ts";
import type { RunningChain } from "./chain.ts";

/** Settings of a chain's servers. */
export interface Served {
  readonly chain: RunningChain;
  readonly namespace: Namespace;
  /**
   * Origins whose pages may send queries and signed transactions, separated by commas, `*` for any;
   * the node's own are always allowed.
   */
  readonly cors: string;
  /** Folder of the built page. */
  readonly page?: string;
  /** Addresses of the other servers, as the page shows them to remote clients. */
  readonly endpoints?: { readonly grpc: string; readonly rpc: string };
  /** Clients with this token may control the chain. */
  readonly token?: string;
  /** Delay of the answer to a wrong token in ms; a second if absent. */
  readonly wrongTokenMs?: number;
}
