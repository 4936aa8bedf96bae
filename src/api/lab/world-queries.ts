import type { DescMessage, Message, MessageInitShape } from "@bufbuild/protobuf";
import { STATUS, StatusError } from "../../engine/framework/errors.ts";
import { fromHex } from "../../engine/primitives/bytes.ts";
import type { Simulation } from "../../engine/simulation/simulation.ts";
import { genesisToJson } from "../genesis.ts";
import type { QueryableChain } from "../rest.ts";
import { appliedUpgradeOf } from "./explorer/applied-upgrade.ts";
import { blockOf, nodeFilesOf, nodeLogOf } from "./explorer/block.ts";
import { commitOf, roundsOf } from "./explorer/consensus.ts";
import { divergenceOf } from "./explorer/divergence.ts";
import type { ObservedSimulation } from "./frame/observed.ts";
import type { LabAnswer, LabRequest } from "./plain.ts";

/** The methods of lab.v1.Lab that have a path: how a world is, whoever plays it. */
export type Askable =
  | "getBlock"
  | "getCommit"
  | "getRounds"
  | "getDivergence"
  | "getValidators"
  | "getNodes"
  | "getNode"
  | "getNodeLog"
  | "getNodeFiles"
  | "getNodeFile"
  | "getChainStatus"
  | "getForks"
  | "getAppliedUpgrade"
  | "getGenesis";

export type Answers = { [M in Askable]: (request: LabRequest<M>) => LabAnswer<M> };

/** The same for requests that were read by their descriptors. */
type Named = Record<Askable, (request: Message, height?: number) => Record<string, unknown>>;

/** What can be asked at past heights too. */
const PINNED: readonly Askable[] = ["getAppliedUpgrade", "getGenesis"];

const SERVICE = "lab.v1.Lab/Get";

/**
 * Answers what can be asked of a world: of its chain as a chain answers, and of its machines and blocks.
 * The page, scenarios, REST and the command line all ask here. Throws StatusError or ChainError.
 */
export class WorldQueries implements QueryableChain, Answers {
  readonly #sim: Simulation;
  readonly #follow: () => ObservedSimulation;

  /** @param follow called for what needs to know more than the simulation itself does */
  constructor(sim: Simulation, follow: () => ObservedSimulation) {
    this.#sim = sim;
    this.#follow = follow;
  }

  get height(): number {
    return this.#sim.height;
  }

  /** By name: `chain.upgrade.v1beta1.Query/CurrentPlan`, `lab.v1.Lab/GetNodes`. */
  query(name: string, request: Message, height?: number): MessageInitShape<DescMessage> {
    if (!name.startsWith(SERVICE)) return this.#sim.query(name, request, height);
    const method = `get${name.slice(SERVICE.length)}` as Askable;
    if (!PINNED.includes(method) && height !== undefined && height !== this.height) {
      throw invalid(`the lab is known as it is now, at height ${this.height}, and at no other`);
    }
    return (this as unknown as Named)[method](request, height);
  }

  getValidators(): LabAnswer<"getValidators"> {
    return { validators: this.#follow().frames.validators() };
  }

  getNodes(): LabAnswer<"getNodes"> {
    return { nodes: this.#follow().frames.nodes() };
  }

  getNode({ node = "" }: LabRequest<"getNode">): LabAnswer<"getNode"> {
    return found(
      this.getNodes().nodes.find(({ name }) => name === node),
      noNode(node),
    );
  }

  getNodeLog({ node = "", limit = 0 }: LabRequest<"getNodeLog">): LabAnswer<"getNodeLog"> {
    return nodeLogOf(this.#sim, this.#known(node), limit);
  }

  getNodeFiles({ node = "" }: LabRequest<"getNodeFiles">): LabAnswer<"getNodeFiles"> {
    return nodeFilesOf(this.#sim, this.#known(node));
  }

  getNodeFile({ node = "", path = "" }: LabRequest<"getNodeFile">): LabAnswer<"getNodeFile"> {
    const content = this.#sim.file(this.#known(node), path);
    return { path, content: found(content, `there is no file ${path} on the disk of ${node}`) };
  }

  /** By its height, or by its hash in hex. */
  getBlock({ height = 0, hash = "" }: LabRequest<"getBlock">): LabAnswer<"getBlock"> {
    const at = hash === "" ? height : this.#sim.heightOf(hashOf(hash));
    const block = at === undefined ? at : blockOf(this.#sim, this.#follow().observer, at);
    return found(block, hash === "" ? this.#noBlock(height) : `there is no block ${hash}`);
  }

  getCommit({ height = 0 }: LabRequest<"getCommit">): LabAnswer<"getCommit"> {
    const commit = commitOf(this.#sim, this.#follow().observer, height);
    return found(commit, this.#noBlock(height));
  }

  #noBlock(height: number): string {
    return `there is no block ${height}: ${this.#sim.extent(height)}`;
  }

  getRounds({ height = 0, newest = 0 }: LabRequest<"getRounds">): LabAnswer<"getRounds"> {
    const answer = roundsOf(this.#sim, this.#follow().observer, height, newest);
    const next = this.#sim.decidedHeight + 1;
    if (height > next) {
      throw missing(`height ${height} has not begun: height ${next} is being decided`);
    }
    if (answer.height < this.#sim.initialHeight) throw missing(this.#noBlock(height));
    if (answer.height < next && answer.rounds.length === 0) {
      throw missing(`the rounds of height ${height} are not remembered any more`);
    }
    return answer;
  }

  getDivergence(request: LabRequest<"getDivergence">): LabAnswer<"getDivergence"> {
    const { before = "", after = "" } = request;
    const answer = divergenceOf(this.#sim, this.#known(before), this.#known(after));
    return found(answer, noNode(before));
  }

  getChainStatus(): LabAnswer<"getChainStatus"> {
    return this.#follow().frames.chainStatus();
  }

  getForks(): LabAnswer<"getForks"> {
    return { forks: this.#follow().frames.forks() };
  }

  getAppliedUpgrade(
    { name = "" }: LabRequest<"getAppliedUpgrade">,
    height?: number,
  ): LabAnswer<"getAppliedUpgrade"> {
    return appliedUpgradeOf(this.#sim, name, height);
  }

  getGenesis(_: LabRequest<"getGenesis">, height = this.height): LabAnswer<"getGenesis"> {
    const exported = this.#sim.exportGenesis(height);
    const file = `${JSON.stringify(genesisToJson(exported), null, 2)}\n`;
    return { chainId: exported.spec.chainId, height, file };
  }

  #known(node: string): string {
    return found(this.#sim.node(node), noNode(node)).name;
  }
}

const invalid = (text: string): StatusError => new StatusError(STATUS.invalidArgument, text);
const missing = (text: string): StatusError => new StatusError(STATUS.notFound, text);
const noNode = (node: string): string => `there is no node ${node}`;

/** What somebody looked for; nothing if there is no such thing. */
function found<T>(value: T | undefined, otherwise: string): T {
  if (value === undefined) throw missing(otherwise);
  return value;
}

function hashOf(hex: string): Uint8Array {
  if (/^([0-9a-f]{2})+$/i.test(hex)) return fromHex(hex);
  throw invalid(`expected the hash of a block in hex, found "${hex}"`);
}
