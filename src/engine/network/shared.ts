import { toHex, toHexUpper } from "../primitives/bytes.ts";
import { Halts } from "./node/halts.ts";
import type { Node } from "./node/node.ts";
import { NodeLog } from "./node/node-log.ts";

/** What all chains of one world have in common, however often it has split: its keys, and what its machines wrote. */
export class Shared {
  readonly log = new NodeLog();
  readonly halts = new Halts();
  /** Machines that will sign twice, on whichever chain they vote next. */
  readonly doubleSigners = new Set<Node>();
  /** By consensus address in hex; a twin signs with its original's key. */
  readonly #secrets: ReadonlyMap<string, Uint8Array>;

  constructor(nodes: readonly Node[]) {
    this.#secrets = new Map(
      nodes.map(({ consensusAddress, key }) => [toHex(consensusAddress), key.secret]),
    );
  }

  /** The key that goes with a consensus address. Throws if no machine holds it. */
  secretOf(address: Uint8Array): Uint8Array {
    const secret = this.#secrets.get(toHex(address));
    if (secret === undefined) throw new Error(`nobody holds the key of ${toHexUpper(address)}`);
    return secret;
  }
}
