import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import type { BlockInfo, Context, NodeInfo, StateStores } from "./context.ts";
import type { ServiceRouter } from "./router.ts";

/** A change of the consensus engine's validator set. Power 0 removes the validator. */
export interface ValidatorUpdate {
  /** ed25519 public key, 32 bytes. */
  readonly pubKey: Uint8Array;
  readonly power: number;
}

/**
 * Delay of validator set changes, in blocks: updates returned at the end of H − 1 take effect at H
 * + 1, so the stake behind a vote at H is the stake one block earlier (rules/staking 1.2).
 */
export const VALIDATOR_UPDATE_DELAY = 1;

/** Migrates a module's state from `from` to `from + 1` by rewriting stored records. */
export interface Migration {
  readonly from: number;
  run(ctx: Context): void;
}

/** Interface of a module to the framework. `name` is also the name of its store. */
export interface Module {
  readonly name: string;
  /** Version written by this binary's code; 1 for a module that never changed. */
  readonly consensusVersion: number;
  readonly migrations: readonly Migration[];
  registerMessages(router: ServiceRouter): void;
  readonly genesis: ModuleGenesis;
  /**
   * Returns true if any of its hooks would act in a block without transactions: write, emit, log,
   * record a step or halt. Called first, so that a quiet block executes nothing; without this
   * method, a module's hooks run in every block.
   */
  isDue?(state: StateStores, block: BlockInfo, node: Pick<NodeInfo, "firstBlock">): boolean;
  /** Runs before every BeginBlock. */
  preBlock?(ctx: Context): void;
  beginBlock?(ctx: Context): void;
  endBlock?(ctx: Context): readonly ValidatorUpdate[];
}

/** Genesis of a module: a protobuf message in, the same message out. */
export interface ModuleGenesis<D extends DescMessage = DescMessage> {
  readonly schema: D;
  defaults(): MessageShape<D>;
  /** Throws with upstream's exact text if the state is not a valid genesis. */
  validate(state: MessageShape<D>): void;
  /** Validates first, with a prefix before the error's text where upstream has one. */
  init(ctx: Context, state: MessageShape<D>): readonly ValidatorUpdate[];
  export(ctx: Context): MessageShape<D>;
}

/** Converts a typed genesis to the framework's untyped view. */
export const genesisOf = <D extends DescMessage>(genesis: ModuleGenesis<D>): ModuleGenesis =>
  genesis as unknown as ModuleGenesis;
