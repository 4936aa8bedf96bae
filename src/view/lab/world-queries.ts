import type { DescMessage, Message, MessageInitShape } from "@bufbuild/protobuf";
import { isBug } from "../../base/error-text.ts";
import { STATUS, StatusError } from "../../engine/framework/errors.ts";
import type { HistoryRanges } from "../../engine/simulation/history-range.ts";
import type { Simulation } from "../../engine/simulation/simulation.ts";
import type { LabAnswer, LabMethod, LabRequest } from "../../gen/lab/v1/lab_plain.ts";
import { genesisToJson } from "../genesis.ts";
import { hashOf } from "../hex.ts";
import type { HostSettings, QueryableChain } from "../rest.ts";
import { SERVICES } from "../services/services.ts";
import { scheduledPlan } from "./diagnosis/binary-compatibility.ts";
import { searchRemedies } from "./diagnosis/remedies.ts";
import { explain } from "./explain/explanation.ts";
import { appliedUpgradeOf } from "./explorer/applied-upgrade.ts";
import { ballotsOf } from "./explorer/ballots.ts";
import { blockOf, nodeFilesOf, nodeLogOf } from "./explorer/block.ts";
import { commitOf, roundsOf } from "./explorer/consensus.ts";
import { divergenceOf, stateDiffOf } from "./explorer/divergence.ts";
import {
  evidenceOf,
  evidencePieceOf,
  openEvidence,
  openEvidencePiece,
} from "./explorer/evidence.ts";
import { governanceOf, openGovernance } from "./explorer/governance.ts";
import { keyHistoryOf } from "./explorer/key-history.ts";
import { lastCommandOf } from "./explorer/last-command.ts";
import { participationOf, signedBlocks } from "./explorer/participation.ts";
import { openSidecar, sidecarOf, sidecarsOf } from "./explorer/sidecars.ts";
import { storeEntryOf, storeKeysOf, storeProofOf, storesOf } from "./explorer/stores.ts";
import { tallyHistoryOf } from "./explorer/tally-history.ts";
import { openValidatorStates, validatorStatesOf } from "./explorer/validator-states.ts";
import type { ObservedSimulation } from "./frame/observed.ts";
import { queryByName } from "./query.ts";
import { answerOf, atOnce, openBlocks, openGenesis, openState, type Reading } from "./reading.ts";
import { isSessionQuery, type SessionQuery, sidesAt } from "./session-queries.ts";

/** The data for queries: a simulation, and its observer for records that the simulation lacks. */
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
  ) => LabAnswer<M> | Reading<LabAnswer<M>>;
};

/** Queries for the current state of a world. */
const NOW = {
  getValidators: ({ observed }) => ({ validators: observed().frames.validators() }),

  *getValidatorStates({ sim, observed }, { validator = "" }) {
    yield* openValidatorStates(sim, observed().observer, validator);
    const states = validatorStatesOf(sim, observed().observer, validator);
    return { states: found(states, `there is no validator ${validator}`) };
  },

  getExplanation: ({ sim, observed }, { kind = "", id = "" }) =>
    explain(sim, observed().observer, kind, id),

  *getNodes({ sim, observed }) {
    yield* openNodes(sim);
    return { nodes: observed().frames.nodes() };
  },

  *getNode({ sim, observed }, { node = "" }) {
    yield* openNodes(sim);
    const nodes = observed().frames.nodes();
    return found(
      nodes.find(({ name }) => name === node),
      noNode(node),
    );
  },

  getNodeLog: ({ sim }, { node = "", limit = 0 }) => nodeLogOf(sim, nodeOf(sim, node), limit),

  *getNodeFiles({ sim }, { node = "" }) {
    yield* sim.readByFiles(nodeOf(sim, node));
    return nodeFilesOf(sim, nodeOf(sim, node));
  },

  *getNodeFile({ sim }, { node = "", path = "" }) {
    yield* sim.readByFiles(nodeOf(sim, node));
    const content = sim.file(nodeOf(sim, node), path);
    return { path, content: found(content, `there is no file ${path} on the disk of ${node}`) };
  },

  *getSidecars({ sim }, { limit = 0 }) {
    yield* openNodes(sim);
    return sidecarsOf(sim, limit);
  },

  *getSidecar({ sim }, { node = "" }) {
    const name = nodeOf(sim, node);
    yield* openSidecar(sim, name);
    return found(sidecarOf(sim, name), `${name} has no sidecar`);
  },

  *getBlock({ sim, observed }, { height = 0, hash = "" }) {
    if (hash !== "") yield { kind: "hash", hash: hashOf(hash) };
    const at = hash === "" ? height || sim.height : sim.heightOf(hashOf(hash));
    if (at !== undefined) yield* openBlocks(at);
    const block = at === undefined ? at : blockOf(sim, observed().observer, at);
    return found(block, hash === "" ? noBlock(sim, height) : noBlockWith(sim, hash));
  },

  *getCommit({ sim, observed }, { height = 0 }) {
    const at = height || sim.height;
    yield* openBlocks(at);
    return found(commitOf(sim, observed().observer, at), noBlock(sim, height));
  },

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

  *getParticipation({ sim, observed }, { last = 0, count = 0 }) {
    const { from, to } = signedBlocks(sim, last, count);
    yield* openBlocks(from, to);
    return participationOf(sim, observed().observer, last, count);
  },

  getTallyHistory: ({ sim }, { proposal = 0 }) => tallyHistoryOf(sim, proposal),

  *getGovernance({ sim, observed }) {
    yield* openGovernance(sim, observed().observer);
    return { proposals: governanceOf(sim, observed().observer) };
  },

  *getBallots({ sim, observed }, { proposal = 0, height = 0 }) {
    const ballots = yield* ballotsOf(sim, observed().observer, proposal, height);
    return found(ballots, `there is no proposal ${proposal}`);
  },

  getDivergence({ sim }, { before = "", after = "" }) {
    const answer = divergenceOf(sim, nodeOf(sim, before), nodeOf(sim, after));
    return found(answer, noNode(before));
  },

  *getChainStatus({ sim, observed }) {
    yield* searchRemedies(sim, sim.chainStatus(), scheduledPlan(sim));
    return observed().frames.chainStatus();
  },

  getFaults: ({ observed }) => observed().frames.faults(),

  *getEvidence({ sim, observed }) {
    yield* openEvidence(sim, observed().observer);
    return { lines: evidenceOf(sim, observed().observer) };
  },

  *getEvidencePiece({ sim, observed }, { id = "" }) {
    yield* openEvidencePiece(sim, observed().observer, id);
    const piece = evidencePieceOf(sim, observed().observer, id);
    return found(piece, `there is no piece of evidence ${id}`);
  },

  getLastCommand: ({ sim }) => lastCommandOf(sim),

  *getForks({ sim, observed }) {
    for (const { common, height } of sim.forks()) yield* openBlocks(common, height);
    return { forks: observed().frames.forks() };
  },
} satisfies Implementations;

/** Queries for any height whose state is available. */
const AT_HEIGHT = {
  getMarks({ observed }, { later = false }, height = Number.POSITIVE_INFINITY) {
    const marked = observed().observer.marked();
    return { blocks: marked.filter((block) => later || block.height <= height) };
  },

  getAppliedUpgrade: ({ sim }, { name = "" }, height) => appliedUpgradeOf(sim, name, height),

  *getGenesis({ sim }, _, height = sim.height) {
    yield* openGenesis(height);
    const exported = sim.exportGenesis(height);
    const tampered = sim.tampered.filter((one) => one.height <= height);
    const file = `${JSON.stringify(genesisToJson(exported, tampered), null, 2)}\n`;
    return { chainId: exported.spec.chainId, height, file };
  },

  *getStores({ sim }, _, height = sim.height) {
    yield* openState(height);
    return storesOf(sim, height);
  },

  *getStoreKeys({ sim }, request, height = sim.height) {
    yield* openState(height);
    return storeKeysOf(sim, request, height);
  },

  *getStoreEntry({ sim }, { store = "", key = "" }, height = sim.height) {
    yield* openState(height);
    return storeEntryOf(sim, store, key, height);
  },

  *getStoreProof({ sim }, { store = "", key = "" }, height = sim.height) {
    yield* openState(height);
    yield* openBlocks(height + 1);
    return storeProofOf(sim, store, key, height);
  },

  getKeyHistory: ({ sim }, { store = "", key = "", limit = 0 }, height = sim.height) =>
    keyHistoryOf(sim, store, key, limit, height),

  *getStateDiff({ sim }, { before = 0, after = 0, store = "", offset = 0, limit = 0 }) {
    yield* openState(before);
    yield* openState(after);
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
  host: HostSettings | undefined;

  constructor(sim: Simulation, observed: () => ObservedSimulation) {
    this.#world = { sim, observed };
  }

  get height(): number {
    return this.sim.height;
  }

  /** The world itself, for what is read of its blocks. */
  get sim(): Simulation {
    return this.#world.sim;
  }

  /** By name: `chain.upgrade.v1beta1.Query/CurrentPlan`, `lab.v1.Lab/GetNodes`. */
  *reading(
    name: string,
    request: Message,
    height?: number,
  ): Reading<MessageInitShape<DescMessage>> {
    const service = SERVICES[name];
    if (height !== undefined && !name.startsWith(SERVICE)) yield* openState(height);
    if (service !== undefined) {
      return yield* answerOf(service(this.sim, request, height, this));
    }
    if (!name.startsWith(SERVICE)) {
      return this.#readable(() => queryByName(this.#world.sim, name, request, height));
    }
    const method = name.slice(SERVICE.length);
    const localName = `${method.charAt(0).toLowerCase()}${method.slice(1)}`;
    return yield* this.labReading(localName as LabQuery, request as never, height);
  }

  /** By its method of lab.v1.Lab. Throws StatusError also for a method that is no query. */
  *labReading<M extends LabQuery>(
    method: M,
    request: LabRequest<M>,
    height?: number,
  ): Reading<LabAnswer<M>> {
    if (isSessionQuery(method)) {
      const requested = method === "compareWorlds" ? sidesAt(request, height ?? 0) : request;
      const refusal = new StatusError(STATUS.failedPrecondition, OF_SESSIONS);
      return (yield { kind: "session", method, request: requested, refusal }) as LabAnswer<M>;
    }
    if (!Object.hasOwn(LAB_QUERIES, method)) {
      throw new StatusError(STATUS.unimplemented, `there is no method lab.${method}`);
    }
    if (Object.hasOwn(NOW, method) && height !== undefined && height !== this.height) {
      const text = `the lab is known as it is now, at height ${this.height}, and at no other`;
      const refusal = new StatusError(STATUS.invalidArgument, text);
      return (yield { kind: "world", method, request, height, refusal }) as LabAnswer<M>;
    }
    const implementation = (LAB_QUERIES as Implementations)[method] as NonNullable<
      Implementations[M]
    >;
    try {
      return yield* answerOf(implementation(this.#world, request, height));
    } catch (error) {
      return this.#refuse(error);
    }
  }

  /** As `reading`, at once. */
  query(...args: Parameters<WorldQueries["reading"]>): MessageInitShape<DescMessage> {
    return atOnce(this.reading(...args));
  }

  /** As `labReading`, at once. */
  lab<M extends LabQuery>(method: M, request: LabRequest<M>, height?: number): LabAnswer<M> {
    return atOnce(this.labReading(method, request, height));
  }

  #readable<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      return this.#refuse(error);
    }
  }

  /** Throws why nothing was read: it may be nothing that can be read where a value was changed by hand. */
  #refuse(error: unknown): never {
    if (this.sim.tampered.length === 0 || !isBug(error)) throw error;
    throw new StatusError(
      STATUS.failedPrecondition,
      "a value was changed by hand in this world, and what is asked cannot be read any more",
    );
  }
}

const OF_SESSIONS =
  "what was done in a world, and how it differs from others, is asked where worlds are kept: of the page, of a node, or of a folder of worlds";

/** Opens what the files of all nodes are read from. */
function* openNodes(sim: Simulation): HistoryRanges {
  for (const { name } of sim.nodes()) yield* sim.readByFiles(name);
}

const missing = (text: string): StatusError => new StatusError(STATUS.notFound, text);
const noNode = (node: string): string => `there is no node ${node}`;
const noBlock = (sim: Simulation, height: number): string =>
  `there is no block ${height}: ${sim.extent(height)}`;

const noBlockWith = ({ pages }: Simulation, hash: string): string => {
  const searched = " among the blocks in memory and in storage: others are not searched";
  return `there is no block ${hash}${pages.missingBlocks().length > 0 ? searched : ""}`;
};

/** The value, if there is one. Throws StatusError with the sentence otherwise. */
function found<T>(value: T | undefined, problem: string): T {
  if (value === undefined) throw missing(problem);
  return value;
}

/** The name of a node. Throws StatusError if there is none of that name. */
const nodeOf = (sim: Simulation, name: string): string => found(sim.node(name), noNode(name)).name;
