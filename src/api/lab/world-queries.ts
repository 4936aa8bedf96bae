import type { DescMessage, Message, MessageInitShape } from "@bufbuild/protobuf";
import { STATUS, StatusError } from "../../engine/framework/errors.ts";
import type { Simulation } from "../../engine/simulation/simulation.ts";
import type { LabAnswer, LabMethod, LabRequest } from "../../gen/lab/v1/lab_plain.ts";
import { isBug } from "../../input/error-text.ts";
import { genesisToJson } from "../genesis.ts";
import { hashOf } from "../hex.ts";
import type { QueryableChain } from "../rest.ts";
import { SERVICES } from "../services/services.ts";
import { askByName } from "./ask.ts";
import { explain } from "./explain/explanation.ts";
import { appliedUpgradeOf } from "./explorer/applied-upgrade.ts";
import { ballotsOf } from "./explorer/ballots.ts";
import { blockOf, nodeFilesOf, nodeLogOf } from "./explorer/block.ts";
import { commitOf, roundsOf } from "./explorer/consensus.ts";
import { divergenceOf, stateDiffOf } from "./explorer/divergence.ts";
import { evidenceOf, evidencePieceOf } from "./explorer/evidence.ts";
import { governanceOf } from "./explorer/governance.ts";
import { keyHistoryOf } from "./explorer/key-history.ts";
import { lastCommandOf } from "./explorer/last-command.ts";
import { participationOf } from "./explorer/participation.ts";
import { sidecarOf, sidecarsOf } from "./explorer/sidecars.ts";
import { storeEntryOf, storeKeysOf, storeProofOf, storesOf } from "./explorer/stores.ts";
import { tallyHistoryOf } from "./explorer/tally-history.ts";
import { validatorStatesOf } from "./explorer/validator-states.ts";
import type { ObservedSimulation } from "./frame/observed.ts";
import {
  HeightNeeded,
  isSessionQuery,
  SessionNeeded,
  type SessionQuery,
  sidesAt,
} from "./needs.ts";

/** What queries read: a simulation, and its observer for what the simulation does not keep. */
export interface QueriedWorld {
  readonly sim: Simulation;
  readonly observed: () => ObservedSimulation;
}

/** Methods by their names in lab.v1.Lab, each typed by its messages there. */
type Implementations = {
  readonly [M in LabMethod]?: (
    world: QueriedWorld,
    request: LabRequest<M>,
    height?: number,
  ) => LabAnswer<M>;
};

/** What is known of a world as it is now. */
const NOW = {
  getValidators: ({ observed }) => ({ validators: observed().frames.validators() }),

  getValidatorStates({ sim, observed }, { validator = "" }) {
    const states = validatorStatesOf(sim, observed().observer, validator);
    return { states: found(states, `there is no validator ${validator}`) };
  },

  getExplanation: ({ sim, observed }, { kind = "", id = "" }) =>
    explain(sim, observed().observer, kind, id),

  getNodes: ({ observed }) => ({ nodes: observed().frames.nodes() }),

  getNode({ observed }, { node = "" }) {
    const nodes = observed().frames.nodes();
    return found(
      nodes.find(({ name }) => name === node),
      noNode(node),
    );
  },

  getNodeLog: ({ sim }, { node = "", limit = 0 }) => nodeLogOf(sim, nodeOf(sim, node), limit),

  getNodeFiles: ({ sim }, { node = "" }) => nodeFilesOf(sim, nodeOf(sim, node)),

  getNodeFile({ sim }, { node = "", path = "" }) {
    const content = sim.file(nodeOf(sim, node), path);
    return { path, content: found(content, `there is no file ${path} on the disk of ${node}`) };
  },

  getSidecars: ({ sim }, { limit = 0 }) => sidecarsOf(sim, limit),

  getSidecar({ sim }, { node = "" }) {
    const name = nodeOf(sim, node);
    return found(sidecarOf(sim, name), `${name} has no sidecar`);
  },

  getBlock({ sim, observed }, { height = 0, hash = "" }) {
    const at = hash === "" ? height || sim.height : sim.heightOf(hashOf(hash));
    const block = at === undefined ? at : blockOf(sim, observed().observer, at);
    return found(block, hash === "" ? noBlock(sim, height) : noBlockWith(sim, hash));
  },

  getCommit: ({ sim, observed }, { height = 0 }) =>
    found(commitOf(sim, observed().observer, height || sim.height), noBlock(sim, height)),

  getRounds({ sim, observed }, { height = 0, newest = 0 }) {
    const answer = roundsOf(sim, observed().observer, height, newest);
    const next = sim.decidedHeight + 1;
    if (height > next) {
      throw missing(`height ${height} has not begun: height ${next} is being decided`);
    }
    if (answer.height < sim.initialHeight) throw missing(noBlock(sim, height));
    if (answer.height < next && answer.rounds.length === 0) {
      throw missing(`the rounds of height ${height} are not remembered any more`);
    }
    return answer;
  },

  getParticipation: ({ sim, observed }, { last = 0, count = 0 }) =>
    participationOf(sim, observed().observer, last, count),

  getTallyHistory: ({ sim }, { proposal = 0 }) => tallyHistoryOf(sim, proposal),

  getGovernance: ({ sim, observed }) => ({ proposals: governanceOf(sim, observed().observer) }),

  getBallots({ sim, observed }, { proposal = 0, height = 0 }) {
    const ballots = ballotsOf(sim, observed().observer, proposal, height);
    return found(ballots, `there is no proposal ${proposal}`);
  },

  getDivergence({ sim }, { before = "", after = "" }) {
    const answer = divergenceOf(sim, nodeOf(sim, before), nodeOf(sim, after));
    return found(answer, noNode(before));
  },

  getChainStatus: ({ observed }) => observed().frames.chainStatus(),

  getFaults: ({ observed }) => observed().frames.faults(),

  getEvidence: ({ sim, observed }) => ({ lines: evidenceOf(sim, observed().observer) }),

  getEvidencePiece({ sim, observed }, { id = "" }) {
    const piece = evidencePieceOf(sim, observed().observer, id);
    return found(piece, `there is no piece of evidence ${id}`);
  },

  getLastCommand: ({ sim }) => lastCommandOf(sim),

  getForks: ({ observed }) => ({ forks: observed().frames.forks() }),
} satisfies Implementations;

/** What is known of every height whose state is kept. */
const AT_HEIGHT = {
  getMarks({ observed }, { later = false }, height = Number.POSITIVE_INFINITY) {
    const marked = observed().observer.marked();
    return { blocks: marked.filter((block) => later || block.height <= height) };
  },

  getAppliedUpgrade: ({ sim }, { name = "" }, height) => appliedUpgradeOf(sim, name, height),

  getGenesis({ sim }, _, height = sim.height) {
    const exported = sim.exportGenesis(height);
    const tampered = sim.tampered.filter((one) => one.height <= height);
    const file = `${JSON.stringify(genesisToJson(exported, tampered), null, 2)}\n`;
    return { chainId: exported.spec.chainId, height, file };
  },

  getStores: ({ sim }, _, height = sim.height) => storesOf(sim, height),

  getStoreKeys: ({ sim }, request, height = sim.height) => storeKeysOf(sim, request, height),

  getStoreEntry: ({ sim }, { store = "", key = "" }, height = sim.height) =>
    storeEntryOf(sim, store, key, height),

  getStoreProof: ({ sim }, { store = "", key = "" }, height = sim.height) =>
    storeProofOf(sim, store, key, height),

  getKeyHistory: ({ sim }, { store = "", key = "", limit = 0 }, height = sim.height) =>
    keyHistoryOf(sim, store, key, limit, height),

  getStateDiff({ sim }, { before = 0, after = 0, store = "", offset = 0, limit = 0 }) {
    return stateDiffOf(sim, before, after, { store, offset, limit });
  },
} satisfies Implementations;

/** The queries of lab.v1.Lab that one world answers; its others with a path are those of a session. */
export const LAB_QUERIES = { ...NOW, ...AT_HEIGHT };
export type LabQuery = keyof typeof LAB_QUERIES | SessionQuery;

const SERVICE = "lab.v1.Lab/";

/**
 * Answers queries of a world: its chain's modules, its nodes and its blocks. The page, scenarios, REST and
 * the command line all come through here. Throws StatusError or ChainError.
 */
export class WorldQueries implements QueryableChain {
  readonly #world: QueriedWorld;
  readonly #travels: boolean;
  readonly #answers: ReadonlyMap<string, () => object> | undefined;
  rpcAddress = "";

  /**
   * @param travels whether HeightNeeded may be thrown, to be asked again of the world at that height
   * @param answers gives what the session has answered of what it is needed for, or throws why it has not; without them no session plays this world
   */
  constructor(
    sim: Simulation,
    observed: () => ObservedSimulation,
    travels = false,
    answers?: ReadonlyMap<string, () => object>,
  ) {
    this.#world = { sim, observed };
    this.#travels = travels;
    this.#answers = answers;
  }

  get height(): number {
    return this.sim.height;
  }

  /** The world itself, for what is read of its blocks. */
  get sim(): Simulation {
    return this.#world.sim;
  }

  /** By name: `chain.upgrade.v1beta1.Query/CurrentPlan`, `lab.v1.Lab/GetNodes`. */
  query(name: string, request: Message, height?: number): MessageInitShape<DescMessage> {
    const service = SERVICES[name];
    if (service !== undefined) return service(this.sim, request, height, this);
    if (!name.startsWith(SERVICE)) {
      return this.#readable(() => askByName(this.#world.sim, name, request, height));
    }
    const method = name.slice(SERVICE.length);
    const localName = `${method.charAt(0).toLowerCase()}${method.slice(1)}`;
    return this.lab(localName as LabQuery, request as never, height);
  }

  /** By its method of lab.v1.Lab. Throws StatusError also for a method that is no query. */
  lab<M extends LabQuery>(method: M, request: LabRequest<M>, height?: number): LabAnswer<M> {
    if (isSessionQuery(method)) return this.#ofSession(method, request, height) as LabAnswer<M>;
    if (!Object.hasOwn(LAB_QUERIES, method)) {
      throw new StatusError(STATUS.unimplemented, `there is no method lab.${method}`);
    }
    if (Object.hasOwn(NOW, method) && height !== undefined && height !== this.height) {
      if (this.#travels) throw new HeightNeeded(height);
      throw invalid(`the lab is known as it is now, at height ${this.height}, and at no other`);
    }
    const implementation = (LAB_QUERIES as Implementations)[method] as NonNullable<
      Implementations[M]
    >;
    return this.#readable(() => implementation(this.#world, request, height));
  }

  /** What the session answers that plays this world. Throws SessionNeeded until it has. */
  #ofSession(method: SessionQuery, request: object, height = 0): object {
    const answers = this.#answers;
    if (answers === undefined) {
      throw new StatusError(
        STATUS.failedPrecondition,
        "what was done in a world, and how it differs from others, is asked where worlds are kept: of the page, of a node, or of a folder of worlds",
      );
    }
    const asked = method === "compareWorlds" ? sidesAt(request, height) : request;
    const answer = answers.get(SessionNeeded.keyOf(method, asked));
    if (answer === undefined) throw new SessionNeeded(method, asked);
    return answer();
  }

  /** What is read, which may be nothing that can be read where a value was changed by hand. */
  #readable<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      if (this.sim.tampered.length === 0 || !isBug(error)) throw error;
      throw new StatusError(
        STATUS.failedPrecondition,
        "a value was changed by hand in this world, and what is asked cannot be read any more",
      );
    }
  }
}

const invalid = (text: string): StatusError => new StatusError(STATUS.invalidArgument, text);
const missing = (text: string): StatusError => new StatusError(STATUS.notFound, text);
const noNode = (node: string): string => `there is no node ${node}`;
const noBlock = (sim: Simulation, height: number): string =>
  `there is no block ${height}: ${sim.extent(height)}`;

const noBlockWith = ({ pages }: Simulation, hash: string): string => {
  const searched = " among the blocks in memory and in storage: others are not searched";
  return `there is no block ${hash}${pages.missingBlocks().length > 0 ? searched : ""}`;
};

/** The value, if there is one. Throws StatusError with the sentence otherwise. */
function found<T>(value: T | undefined, otherwise: string): T {
  if (value === undefined) throw missing(otherwise);
  return value;
}

/** The name of a node. Throws StatusError if there is none of that name. */
const nodeOf = (sim: Simulation, name: string): string => found(sim.node(name), noNode(name)).name;
