import type { Namespace } from "../../api/namespaces.ts";
import type { RunningChain } from "./chain.ts";

/** How a chain is served. */
export interface Served {
  readonly chain: RunningChain;
  readonly namespace: Namespace;
  /** Origin whose pages may ask and send signed transactions, `*` for any. */
  readonly cors: string;
  /** Folder of the built page. */
  readonly page?: string;
  /** Who shows this may steer. */
  readonly token?: string;
}
