import { toHex, toHexUpper } from "../../base/bytes.ts";
import type { ModuleStep } from "../app/steps.ts";
import type { HaltCause } from "../framework/halt.ts";
import { haltLines } from "./node/execution.ts";
import { Halts } from "./node/halts.ts";
import type { Node } from "./node/node.ts";
import { NodeLog } from "./node/node-log.ts";

/** Records shared by all chains of one world and its forks: keys, logs and halts. */
export class SharedRecords {
  readonly log = new NodeLog();
  readonly halts = new Halts();
  /** By consensus address in hex; a twin signs with its original's key. */
  readonly #secrets: ReadonlyMap<string, Uint8Array>;

  constructor(nodes: readonly Node[]) {
    this.#secrets = new Map(
      nodes.map(({ consensusAddress, key }) => [toHex(consensusAddress), key.secret]),
    );
  }

  /** State stored in keyframes. */
  get persisted() {
    return [this.log.persisted, this.halts.persisted] as const;
  }
  set persisted([log, halts]) {
    this.log.persisted = log;
    this.halts.persisted = halts;
  }

  /** Private key of a consensus address. Throws if no node has it. */
  secretOf(address: Uint8Array): Uint8Array {
    const secret = this.#secrets.get(toHex(address));
    if (secret === undefined) throw new Error(`no node holds the key of ${toHexUpper(address)}`);
    return secret;
  }

  /** Ends the consensus of nodes, or their processes, because of a block, and records the cause. */
  halt(
    nodes: readonly Node[],
    height: number,
    cause: HaltCause,
    state: "halted" | "exited",
    steps: readonly ModuleStep[] = [],
  ): void {
    this.halts.record({ height, nodes, cause, steps });
    this.log.write(nodes, height, haltLines(cause, state));
    for (const node of nodes) node.halt(state, cause);
  }
}
