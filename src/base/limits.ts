import { ADDRESS_CHARACTERS } from "./address-limit.ts";

/**
 * Limits on input: files, requests, links. They are checked before any work, so that a refusal is
 * cheap; docs/scenarios.md lists them.
 */
export const INPUT = {
  /** Bytes of a file: an exported genesis of about 5 000 validators. */
  fileBytes: 16_000_000,
  /** Characters of YAML, which takes a hundred times as long to read as JSON. */
  yamlCharacters: 2_000_000,
  /** Words, punctuation marks and blanks of YAML. */
  yamlTokens: 150_000,
  /** Values of YAML; values repeated by aliases count each time. */
  yamlValues: 50_000,
  /** Values of JSON. */
  jsonValues: 400_000,
  /** Levels of lists and maps. */
  depth: 64,
  /** Aliases of YAML in a file. */
  aliases: 1_000,
  /** Characters of one text. */
  text: 100_000,
  /** Characters of a key. */
  key: 1_000,
  /** Keys of one map. */
  mapKeys: 20_000,
  /** References in one text. */
  references: 100,
  steps: 10_000,
  /** Properties in one list of a scenario. */
  properties: 100,
  /**
   * Elements of a scenario's list without its own limit; the same for validators with their twins.
   */
  list: 20_000,
  /** Messages of a transaction or a proposal. */
  messages: 1_000,
  /** Keys of a message, both known and unknown. */
  messageKeys: 100,
  /** Evidence types, and routes of evidence. */
  routes: 150,
  /** Accounts of a genesis; also the names listed for an imported genesis. */
  accounts: 10_000,
  /** Keys derived for the names listed for an imported genesis, to identify its validators. */
  keys: 4_000,
  binaries: 100,
  /** Modules and plans with stores of one binary, including inherited ones. */
  binaryParts: 200,
  /** Problems of a file that are listed; further ones are only counted. */
  problems: 50,
  /** Bytes of an imported world file: a world of about a million actions. */
  worldBytes: 256_000_000,
  /** Rounds replayed for an imported world. */
  worldRounds: 100_000_000,
  /** Characters of a request's path with its parameters, or of the page's URL. */
  request: ADDRESS_CHARACTERS,
  /** Characters of a link that contains a scenario or a world; works in every browser. */
  linkCharacters: 64_000,
  /** Bytes of the content of such a link. */
  linkBytes: 4_000_000,
} as const;

/** Maximum characters of a world's name. */
export const WORLD_NAME = 80;
/** Maximum characters of a note about a world. */
export const WORLD_NOTE = 2_000;

/**
 * Limits on clients of a node, for all of its servers together unless otherwise stated.
 * docs/nodes.md lists them.
 */
export const SERVER = {
  connections: 900,
  /** Bytes of a request's headers. */
  headerBytes: 65_536,
  /** Bytes of a request's body. */
  bodyBytes: 1_000_000,
  /**
   * Timeouts in milliseconds: for a request's headers, for the complete request, and for closing an
   * idle connection.
   */
  headersMs: 10_000,
  requestMs: 30_000,
  idleMs: 60_000,
  /** Bytes of the request of a call, and of its response. */
  callBytes: 4_194_304,
  answerBytes: 67_108_864,
  /**
   * Bytes of all pending requests of all protocols; half of it is for WebSockets. As many are for
   * the answers that batches have so far.
   */
  requestBytes: 67_108_864,
  /** Requests waiting for a turn between blocks. */
  waiting: 1_000,
  /** Concurrent calls of one connection, and streams of one server. */
  streams: 100,
  /** Bytes of one message of an attached page with control: a file in base64. */
  messageBytes: 24_000_000,
  /**
   * Bytes of the first message of a page that only watches; later ones may be as long as a body.
   */
  firstMessageBytes: 4_096,
  /** Values in one message; bytes count as one value. */
  messageValues: 20_000,
  /** Pages that have not sent a message yet, and pages that only watch. */
  newPages: 32,
  watchingPages: 100,
  /** Pending calls of an attached page. */
  calls: 64,
  /** Bytes of responses that an attached page has not received yet. */
  untakenBytes: 64_000_000,
} as const;

/** Limits on comparisons for query-only clients. docs/nodes.md lists them. */
export const COMPARED = {
  /** Waiting comparisons: they run one after the other. */
  waiting: 8,
  /** Keys and events in a response. */
  listed: 1_000,
  /** Rounds replayed to open a world, from its newest keyframe. */
  worldRounds: 50_000,
  /**
   * Rounds of a world whose heights are matched by command: each checked height requires replaying
   * some.
   */
  linkedRounds: 20_000,
  /** Bytes needed to open a world: its genesis, journal and newest keyframe. */
  worldBytes: 64_000_000,
} as const;

/** Limits on a signed transaction, and on the number waiting for a block. */
export const TX = {
  bytes: 1_000_000,
  /** Characters of the memo. */
  memo: 256,
  /** CometBFT's default mempool size. */
  waiting: 5_000,
} as const;

/** Limits on clients of the JSON-RPC. */
export const RPC = {
  /** Requests in one batch. */
  batch: 100,
  /** Characters of a query of events. */
  queryCharacters: 512,
  /** Blocks visited by one search. */
  searchedBlocks: 20_000,
  /** Clients with subscriptions, and how many each may have. */
  subscriptionClients: 100,
  subscriptionsPerClient: 5,
  /** Bytes of the keys and values returned by a query of a store's prefix. */
  subspaceBytes: 16_000_000,
  /** Bytes of a WebSocket message. */
  messageBytes: 1_000_000,
  /** Pending requests of one WebSocket: no more are read from it. */
  waitingRequests: 32,
  /**
   * Bytes buffered for a slow client, and blocks it has not been notified of; beyond that it is
   * disconnected.
   */
  unreadBytes: 8_000_000,
  pendingBlocks: 10_000,
  /** Milliseconds between two pings of a client. */
  pingMs: 27_000,
  /** Milliseconds for which broadcast_tx_commit waits for a block. */
  commitMs: 10_000,
} as const;
