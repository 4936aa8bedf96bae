import { fromBinary } from "@bufbuild/protobuf";
import { moduleAddress } from "../../base/address.ts";
import { fromAccAddress, setAddressPrefix } from "../../base/bech32.ts";
import { toHex } from "../../base/bytes.ts";
import { addressOf, type KeyPair } from "../../base/ed25519.ts";
import { ContinuationSchema } from "../../gen/lab/v1/continuation_pb.ts";
import { App, blockInfoAt } from "../app/app.ts";
import { type BinarySpec, V1 } from "../app/binary.ts";
import { type ChainConfig, EVIDENCE_TYPES } from "../app/chain-config.ts";
import { notedProfile, profileOf } from "../app/profile.ts";
import { EMPTY_HASH } from "../consensus/hashes.ts";
import { type ConsensusParams, DEFAULT_CONSENSUS_PARAMS } from "../consensus/params.ts";
import { CommandError } from "../framework/errors.ts";
import { verifyVoteMessage } from "../network/byzantine/vote-message.ts";
import { ALL_RESIDENT, type BlockPaging } from "../network/chain/block-store.ts";
import type { NetworkConfig } from "../network/chain-parts.ts";
import type { Network } from "../network/network.ts";
import type { Applied } from "../network/node/applied.ts";
import { Node } from "../network/node/node.ts";
import { Chains } from "../network/partition/chains.ts";
import { initialStateOf, upgradesIn } from "./genesis/continuation.ts";
import { genesisMessages, startMessages } from "./genesis/genesis.ts";
import type { WorldSpec } from "./genesis/world-spec.ts";
import { accountOf, consensusKeyOf, consensusKeysOf } from "./genesis/world-spec.ts";
import { Sidecars } from "./sidecars.ts";

/** Module accounts that users can refer to by name. */
export const MODULE_ACCOUNTS: readonly string[] = [
  "gov",
  "bonded_tokens_pool",
  "not_bonded_tokens_pool",
];

type Genesis = Pick<NetworkConfig, "genesis" | "initial">;

/**
 * State of a world: its nodes and their chains, the binaries that exist in it, and the names of
 * accounts. Created once from the spec; commands change it, views read it.
 */
export class World {
  readonly spec: WorldSpec;
  readonly chains: Chains;
  readonly sidecars: Sidecars;
  readonly config: ChainConfig;
  readonly #accounts = new Map<string, Uint8Array>();
  readonly #genesis: Genesis;
  #binaries = new Map<string, BinarySpec>();
  #apps = new Map<string, App>();
  #nodes = new Map<string, Node>();

  /**
   * Throws with a clear message if the genesis is invalid.
   * @param onCommit called once for each height of the main chain, in order
   * @param kept state from a keyframe; without it the world starts at genesis
   * @param paging paging limits of the main chain's blocks
   */
  constructor(
    spec: WorldSpec,
    onCommit: (applied: Applied) => void,
    stored?: World["persisted"],
    paging: BlockPaging = ALL_RESIDENT,
  ) {
    setAddressPrefix(spec.prefix);
    this.spec = spec;
    this.config = chainConfigOf(spec);
    for (const { name } of spec.accounts) this.#accounts.set(name, accountOf(name));
    for (const { name } of spec.validators) this.#accounts.set(name, accountOf(name));
    for (const name of MODULE_ACCOUNTS) this.#accounts.set(name, moduleAddress(name));
    if (stored === undefined) {
      for (const binary of [V1, ...spec.binaries]) this.#binaries.set(binary.name, binary);
      this.#genesis = this.#begin(spec);
    } else [this.#genesis, this.#binaries, this.#apps, this.#nodes] = stored;
    this.chains = new Chains(
      {
        ...this.#genesis,
        seed: spec.seed,
        chainId: spec.chainId,
        genesisTime: spec.genesisTime,
        blockTime: spec.blockTime,
        commits: spec.commits,
        upgradeHeight: profileOf(spec.profile).upgradeHeight,
        consensusParams: consensusParamsOf(spec),
        paging,
        appOf: (name) => this.appOf(name),
      },
      this.nodes,
      onCommit,
    );
    this.sidecars = new Sidecars(this.chains, (name) => this.#binaries.get(name)?.handlers);
    if (stored !== undefined) [, , , , this.chains.persisted, this.sidecars.persisted] = stored;
  }

  /** State stored in keyframes. */
  get persisted() {
    const { chains, sidecars } = this;
    const parts = [this.#genesis, this.#binaries, this.#apps, this.#nodes] as const;
    return [...parts, chains.persisted, sidecars.persisted] as const;
  }

  /** Creates the genesis state, and a node for each validator. */
  #begin(spec: WorldSpec): Genesis {
    const { start } = spec;
    const first = spec.validators[0];
    if (first === undefined) throw new Error("a chain needs at least one validator");
    const height = spec.initialHeight - 1;
    const genesisApp = this.appOf(first.binary);
    const continuation = start?.continuation && fromBinary(ContinuationSchema, start.continuation);
    const names = spec.validators.map(({ name }) => name);
    const keys = consensusKeysOf(names, this.#keySeed);
    const keyOfName = new Map(keys.map((key, i) => [names[i], key]));
    const keyOf = (name: string): KeyPair => keyOfName.get(name) as KeyPair;
    const { state, validators } = genesisApp.initChain(
      blockInfoAt(spec.chainId, height, spec.genesisTime),
      start === undefined
        ? genesisMessages(spec, (name) => keyOf(name).publicKey)
        : startMessages(genesisApp.modules, start),
      { timeAt: () => undefined, blockHashAt: () => undefined, validatorAt: () => undefined },
      start && {
        versions: new Map(Object.entries(start.versions)),
        ...(continuation && {
          upgrades: upgradesIn(continuation, height),
          accounts: continuation.accounts,
        }),
      },
    );
    const genesis: Applied = {
      height,
      appHash: state.appHash,
      state,
      resultsHash: EMPTY_HASH,
      binary: first.binary,
      defaultFlags: true,
      outcome: undefined,
    };
    for (const { name, binary } of spec.validators) {
      const key = keyOf(name);
      this.appOf(binary);
      this.#nodes.set(name, new Node(name, name, key, addressOf(key.publicKey), binary, genesis));
    }
    const { tampered = [] } = spec.start ?? {};
    const initial = initialStateOf(validators, continuation, this.#consensusKeys());
    return { genesis, initial: { ...initial, tampered } };
  }

  #consensusKeys(): ReadonlySet<string> {
    return new Set(this.nodes.map(({ key }) => toHex(key.publicKey)));
  }

  get nodes(): readonly Node[] {
    return [...this.#nodes.values()];
  }

  findNode(name: string): Node | undefined {
    return this.#nodes.get(name);
  }

  /** Throws for an unknown name. */
  node(name: string): Node {
    const node = this.#nodes.get(name);
    if (node !== undefined) return node;
    throw new CommandError(
      `there is no node ${name}; there are ${[...this.#nodes.keys()].join(", ")}`,
    );
  }

  /** The main chain. */
  get network(): Network {
    return this.chains.main;
  }

  /** Adds a node to the chain of another one. */
  addBeside(node: Node, other: Node): void {
    this.#nodes.set(node.name, node);
    this.chains.addBeside(node, other);
  }

  /** Removes a node with its faults and its sidecar. */
  removeNode(node: Node): void {
    this.sidecars.leave(node);
    this.#nodes.delete(node.name);
    this.chains.remove(node);
  }

  get binaries(): readonly BinarySpec[] {
    return [...this.#binaries.values()];
  }

  /** Throws for an unknown name. */
  binary(name: string): BinarySpec {
    const binary = this.#binaries.get(name);
    if (binary !== undefined) return binary;
    throw new CommandError(
      `there is no binary ${name}; there are ${[...this.#binaries.keys()].join(", ")}`,
    );
  }

  /** Throws for a name that is taken. */
  addBinary(binary: BinarySpec): void {
    if (this.#binaries.has(binary.name)) {
      throw new CommandError(`there is already a binary ${binary.name}`);
    }
    this.#binaries.set(binary.name, binary);
  }

  /** The application of a binary. Throws for an unknown name. */
  appOf(name: string): App {
    const known = this.#apps.get(name);
    if (known !== undefined) return known;
    const app = new App(this.binary(name), this.config);
    this.#apps.set(name, app);
    return app;
  }

  get accountNames(): readonly string[] {
    return [...this.#accounts.keys()];
  }

  /** Consensus key of a name: a validator's key, or one that no node of this world uses. */
  consensusKey(name: string): KeyPair {
    const known = this.#nodes.get(name)?.key;
    return known ?? consensusKeyOf(name, this.#keySeed);
  }

  get #keySeed(): number {
    return this.spec.start?.keySeed ?? this.spec.seed;
  }

  /** Account with a name: of a user, a validator operator or a module. */
  account(name: string): Uint8Array | undefined {
    return this.#accounts.get(name);
  }

  /** Resolves a name or an address string to an account. Throws for anything else. */
  addressOf(signer: string): Uint8Array {
    const known = this.#accounts.get(signer);
    if (known !== undefined) return known;
    try {
      return fromAccAddress(signer);
    } catch {
      throw new CommandError(
        `there is no account ${signer}; there are ${this.accountNames.join(", ")}`,
      );
    }
  }
}

/** Returns the configuration that every binary of a world's chain needs. */
export const chainConfigOf = (spec: Ruled): ChainConfig => ({
  ...notedProfile(spec.profile),
  params: consensusParamsOf(spec),
  evidenceRoutes: spec.evidenceRoutes,
  evidenceTypes: EVIDENCE_TYPES,
  verifyVote: verifyVoteMessage,
});

type Aged = Pick<WorldSpec, "maxEvidenceAge" | "maxEvidenceAgeBlocks" | "maxEvidenceBytes">;
type Ruled = Aged & Pick<WorldSpec, "profile" | "evidenceRoutes">;

/** CometBFT's consensus params of a world. */
export function consensusParamsOf(spec: Aged): ConsensusParams {
  const { block, evidence } = DEFAULT_CONSENSUS_PARAMS;
  const { maxEvidenceAge: maxAgeDuration, maxEvidenceAgeBlocks: maxAgeNumBlocks } = spec;
  const { maxEvidenceBytes: maxBytes = evidence.maxBytes } = spec;
  return { block, evidence: { maxBytes, maxAgeDuration, maxAgeNumBlocks } };
}
