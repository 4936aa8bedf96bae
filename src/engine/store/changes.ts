/** Finds the leaves in which two trees differ, without visiting shared nodes. */
import { compare } from "../../base/bytes.ts";
import { heightOf, type Leaf, type TreeNode } from "./node.ts";

/**
 * Calls `changed` in key order with each leaf that only one tree has, and with both leaves of a key
 * if they differ. Traverses both trees from the left simultaneously, each as a stack of subtrees
 * still to visit: identical subtrees at the front are skipped, otherwise the taller one is opened.
 */
export function walkChanges(
  before: TreeNode | undefined,
  after: TreeNode | undefined,
  isSame: (before: TreeNode, after: TreeNode) => boolean,
  changed: (before: Leaf | undefined, after: Leaf | undefined) => void,
): void {
  const left = before ? [before] : [];
  const right = after ? [after] : [];
  for (;;) {
    const a = left.at(-1);
    const b = right.at(-1);
    if (a === undefined && b === undefined) return;
    if (a && b && isSame(a, b)) {
      left.pop();
      right.pop();
    } else if (a?.left && heightOf(a) >= (b ? heightOf(b) : 0)) {
      left.pop();
      left.push(a.right, a.left);
    } else if (b?.left) {
      right.pop();
      right.push(b.right, b.left);
    } else {
      const order = a === undefined ? 1 : b === undefined ? -1 : compare(a.key, b.key);
      changed(
        order <= 0 ? (left.pop() as Leaf) : undefined,
        order >= 0 ? (right.pop() as Leaf) : undefined,
      );
    }
  }
}
