import { BoundedLog } from "../../../base/bounded-log.ts";
import type { LogLine } from "../../framework/trace.ts";
import type { Node } from "./node.ts";

/** A line that one or more nodes wrote at a height. `seq` increases across the whole world. */
export interface LoggedLine extends LogLine {
  readonly seq: number;
  readonly height: number;
  readonly nodes: readonly Node[];
}

/** Maximum number of lines in memory; older ones are only available by replay. */
const CAPACITY = 5000;

/** Log lines of the nodes, newest last. Nodes that executed together share a line. */
export class NodeLog {
  readonly #lines = new BoundedLog<LoggedLine>(CAPACITY);

  /** State stored in keyframes. */
  get persisted() {
    return this.#lines.persisted;
  }
  set persisted(persisted) {
    this.#lines.persisted = persisted;
  }

  /** Sequence number of the newest line; 0 before the first. */
  get seq(): number {
    return this.#lines.seq;
  }

  write(nodes: readonly Node[], height: number, lines: readonly LogLine[]): void {
    for (const line of lines) this.#lines.push({ ...line, seq: this.seq + 1, height, nodes });
  }

  /** Lines after a sequence number, oldest first; the cost is proportional to the result. */
  since(seq: number): readonly LoggedLine[] {
    return this.#lines.since(seq);
  }

  /** Stored lines of one node, oldest first. */
  of(node: Node): readonly LoggedLine[] {
    return this.#lines.entries.filter((line) => line.nodes.includes(node));
  }
}
