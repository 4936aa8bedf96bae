import type { LogLine } from "../../framework/trace.ts";
import type { Node } from "./node.ts";

/** A line that one or more nodes wrote at a height. `seq` grows over the whole world. */
export interface LoggedLine extends LogLine {
  readonly seq: number;
  readonly height: number;
  readonly nodes: readonly Node[];
}

/** How many lines are kept; older ones come back only by replay. */
const CAPACITY = 5000;

/** What the nodes wrote, newest last. Nodes that executed together share a line. */
export class NodeLog {
  #lines: LoggedLine[] = [];
  #seq = 0;

  /** Sequence number of the newest line; 0 before the first. */
  get seq(): number {
    return this.#seq;
  }

  write(nodes: readonly Node[], height: number, lines: readonly LogLine[]): void {
    for (const line of lines) {
      this.#seq += 1;
      this.#lines.push({ ...line, seq: this.#seq, height, nodes });
    }
    if (this.#lines.length > CAPACITY * 2) this.#lines = this.#lines.slice(-CAPACITY);
  }

  /** The lines after a sequence number, oldest first; costs only what it returns. */
  since(seq: number): readonly LoggedLine[] {
    const first = this.#seq - this.#lines.length;
    return this.#lines.slice(Math.max(seq - first, 0));
  }

  of(node: Node): readonly LoggedLine[] {
    return this.#lines.filter((line) => line.nodes.includes(node));
  }
}
