/** Classes whose instances a keyframe contains, and objects that the whole engine shares. */

import { EMPTY } from "../../../base/bytes.ts";
import { App } from "../../app/app.ts";
import type { ChainConfig } from "../../app/chain-config.ts";
import { Bitset } from "../../consensus/bitset.ts";
import { NIL_BLOCK_ID } from "../../consensus/block-id.ts";
import { EMPTY_HASH } from "../../consensus/hashes.ts";
import { ValidatorSet } from "../../consensus/validator-set.ts";
import { ValidatorSets } from "../../consensus/validator-sets.ts";
import { BlockSlot } from "../../network/chain/block-slot.ts";
import { NO_FAULTS } from "../../network/faults/faults.ts";
import { Node } from "../../network/node/node.ts";
import { NO_ABSENCES } from "../../network/round/absence.ts";
import { Sidecar } from "../../network/sidecar/sidecar.ts";
import { CommittedState, CommittedStore } from "../../store/committed-state.ts";
import { storableValidatorLists } from "./storable-validators.ts";
import type { StorableClass } from "./value-tags.ts";

/** Objects restored by reference, in an order that is part of the format. */
export const CONSTANTS: readonly object[] = [
  EMPTY,
  EMPTY_HASH,
  NIL_BLOCK_ID,
  NO_ABSENCES,
  NO_FAULTS,
];

const stored = <T extends object, P extends readonly unknown[]>(
  input: StorableClass<T, P>,
): StorableClass => input as unknown as StorableClass;

/**
 * Serialized classes, in an order that is part of the format. Applications have no state: each is
 * rebuilt for its binary.
 */
export const storableClasses = (config: ChainConfig): readonly StorableClass[] => [
  stored({
    type: App,
    parts: ({ binary }) => [binary] as const,
    make: ([binary]) => new App(binary, config),
  }),
  stored({
    type: Bitset,
    parts: ({ size, words }) => [size, words] as const,
    make: ([size, words]) => new Bitset(size, words),
  }),
  stored(storableValidatorLists()),
  stored({
    type: ValidatorSet,
    parts: (set) => [set.list, set.priorities, set.proposer()] as const,
    make: ([list, priorities, proposer]) => ValidatorSet.restore(list, priorities, proposer),
  }),
  stored({
    type: ValidatorSets,
    parts: ({ last, current, next }) => [last, current, next] as const,
    make: ([last, current, next]) => ValidatorSets.continued(last, current, next),
  }),
  stored({
    type: CommittedStore,
    parts: ({ name, root, memory, leafHash, life }) =>
      [name, root, memory, leafHash, life] as const,
    make: (parts) => new CommittedStore(...parts),
  }),
  stored({
    type: CommittedState,
    parts: (state) => {
      const { storeNames, isGenesis, removedStores } = state;
      return [storeNames.map((name) => state.store(name)), isGenesis, removedStores] as const;
    },
    make: (parts) => new CommittedState(...parts),
  }),
  stored({
    type: BlockSlot,
    parts: ({ parts }) => parts,
    make: (parts) => BlockSlot.of(parts),
  }),
  stored({
    type: Node,
    parts: (node) =>
      [node.name, node.validator, node.key, node.consensusAddress, "", node.applied] as const,
    make: (parts) => new Node(...parts),
    stateful: true,
  }),
  stored({
    type: Sidecar,
    parts: ({ settings }) => [settings] as const,
    make: ([settings]) => new Sidecar(settings),
    stateful: true,
  }),
];
