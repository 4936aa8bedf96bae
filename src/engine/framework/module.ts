import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import type { BlockInfo, Context, NodeInfo, StateStores } from "./context.ts";
import type { ServiceRouter } from "./router.ts";

/** A change of the consensus engine's validator set. Power 0 removes. */
export interface ValidatorUpdate {
  /** ed25519 public key, 32 bytes. */
  readonly pubKey: Uint8Array;
  readonly power: number;
}

/**
 * Blocks by which changes of the validator set lag behind: those returned at the end of H − 1 act from H + 1
 * on, so the stake behind a vote at H is what was staked one block before (rules/staking 1.2).
 */
export const VALIDATOR_UPDATE_DELAY = 1;

/** One step of a module's state from `from` to `from + 1`. It rewrites stored records. */
export interface Migration {
  readonly from: number;
  run(ctx: Context): void;
}

/** The parts of a module that the framework calls. `name` is also the name of its store. */
export interface Module {
  readonly name: string;
  /** The version this binary's code writes; 1 for a module that never changed. */
  readonly consensusVersion: number;
  readonly migrations: readonly Migration[];
  registerMessages(router: ServiceRouter): void;
  readonly genesis: ModuleGenesis;
  /**
   * Returns true if any of its hooks would act in a block without transactions: write, emit, log,
   * note a step or halt. Called first, so that a quiet block executes nothing; without this method,
   * a module's hooks run in every block.
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
  /** Throws with the exact text if the state is not a valid beginning. */
  validate(state: MessageShape<D>): void;
  /** Validates first, with a text before the error's where upstream has one. */
  init(ctx: Context, state: MessageShape<D>): readonly ValidatorUpdate[];
  export(ctx: Context): MessageShape<D>;
}

/** Gives a typed genesis the framework's untyped view. */
export const genesisOf = <D extends DescMessage>(genesis: ModuleGenesis<D>): ModuleGenesis =>
  genesis as unknown as ModuleGenesis;
