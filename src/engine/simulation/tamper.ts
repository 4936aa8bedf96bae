/**
 * Manual edits of values, which no block can make. Loaded separately, for branches that start with
 * one.
 */

import { compare, toHexUpper } from "../../base/bytes.ts";
import { CommandError } from "../framework/errors.ts";
import type { Tampered } from "../network/chain/ledger.ts";
import type { Applied } from "../network/node/applied.ts";
import { CommittedState } from "../store/committed-state.ts";
import { find, Inner, Leaf, type TreeNode } from "../store/node.ts";
import type { TamperCommand } from "./command.ts";
import { acceptTamperingBy } from "./commands.ts";
import type { CommandResult } from "./views.ts";
import type { World } from "./world.ts";

/**
 * Enables commands that change a byte of a value. The history still contains the state computed
 * from the blocks; the nodes' state no longer follows from it. A node that replays the blocks halts
 * at the next header.
 */
export const acceptTampering = (): void => acceptTamperingBy(tamper);

function tamper({ network }: World, command: TamperCommand): CommandResult {
  const { ledger, nodes } = network;
  const { head } = ledger;
  if (head.height === ledger.genesis.height) {
    throw new CommandError("there is no block yet whose state could be changed");
  }
  const holders = nodes.filter(({ applied }) => applied.height === head.height);
  const changed = new Map<Applied, Applied>();
  for (const { applied } of holders) {
    if (!changed.has(applied)) changed.set(applied, changedApplied(applied, command));
  }
  const most = network.votingGroup?.groups[0]?.applied ?? holders[0]?.applied;
  const after = most && changed.get(most);
  if (most === undefined || after === undefined) {
    throw new CommandError(`no node holds the state after block ${head.height}`);
  }
  ledger.tampered = [...ledger.tampered, tamperedIn(head, most, after, command)];
  for (const node of holders) node.setApplied(changed.get(node.applied) as Applied);
  return {};
}

/**
 * Returns an applied block with one byte of its state changed. Throws a CommandError if there is no
 * such byte.
 */
function changedApplied(applied: Applied, { store, key, place, byte }: TamperCommand): Applied {
  const { state: before, outcome, height } = applied;
  const root = before.has(store) ? before.store(store).root : undefined;
  const leaf = find(root, key);
  if (root === undefined || leaf === undefined) {
    throw new CommandError(
      `store ${store} has no key ${toHexUpper(key)} after block ${height}: nothing can be changed there`,
    );
  }
  const { value, version } = leaf;
  if (place >= value.length || value[place] === byte || byte > 0xff) {
    throw new CommandError(
      `expected a byte from 0 to ${value.length - 1} of the value and another one in its place, found byte ${place} to become ${byte}`,
    );
  }
  const next = value.map((each, i) => (i === place ? byte : each));
  const state = new CommittedState(
    before.storeNames.map((name) => {
      const each = before.store(name);
      return name === store
        ? each.with(withLeaf(root, new Leaf(key, next, version)), each.memory)
        : each;
    }),
    before.isGenesis,
    before.removedStores,
  );
  const { appHash } = state;
  return { ...applied, state, appHash, outcome: outcome && { ...outcome, state } };
}

/**
 * Returns the tree with the leaf of the same key replaced: nothing else changes except the hashes
 * above it.
 */
function withLeaf(node: TreeNode, leaf: Leaf): TreeNode {
  if (node.left === undefined) return leaf;
  const goesLeft = compare(leaf.key, node.key) < 0;
  const left = goesLeft ? withLeaf(node.left, leaf) : node.left;
  const right = goesLeft ? node.right : withLeaf(node.right, leaf);
  return new Inner(node.key, left, right, node.version);
}

const tamperedIn = (
  head: Applied,
  before: Applied,
  after: Applied,
  { store, key, place, byte }: TamperCommand,
): Tampered => ({
  height: head.height,
  store,
  key: toHexUpper(key),
  place,
  was: find(before.state.store(store).root, key)?.value[place] ?? 0,
  is: byte,
  appHash: toHexUpper(head.appHash),
  heldAppHash: toHexUpper(after.appHash),
});
