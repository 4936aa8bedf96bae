import { ADDRESS_CHARACTERS } from "./address-limit.ts";

/**
 * Limits of what comes from outside: files, requests, links. They are checked before work is done, so that a
 * refusal costs little, and docs/scenarios.md lists them.
 */
export const INPUT = {
  /** Bytes of a file: an exported genesis of about 5 000 validators. */
  fileBytes: 16_000_000,
  /** Characters of YAML, which takes a hundred times as long to read as JSON. */
  yamlCharacters: 2_000_000,
  /** Words, marks and blanks of YAML. */
  yamlTokens: 150_000,
  /** Values of YAML, what aliases repeat counted again. */
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
  /** Elements of a list in a scenario that has no limit of its own; validators and their twins are as many. */
  list: 20_000,
  /** Messages of a transaction or a proposal. */
  messages: 1_000,
  /** Keys of a message, known and unknown ones. */
  messageKeys: 100,
  /** Evidence types, and routes of evidence. */
  routes: 150,
  /** Accounts of a genesis; also the names that an imported one may list. */
  accounts: 10_000,
  /** Keys derived for names that an imported genesis lists, to find whose its validators are. */
  keys: 4_000,
  binaries: 100,
  /** Modules and plans with stores of one binary, what it inherits included. */
  binaryParts: 200,
  /** Problems of a file that are listed; others are counted. */
  problems: 50,
  /** Bytes of a world's file that is imported: a world of about a million actions. */
  worldBytes: 256_000_000,
  /** Rounds that are played again of an imported world. */
  worldRounds: 100_000_000,
  /** Characters of a request's path with its parameters, or of the page's address. */
  request: ADDRESS_CHARACTERS,
  /** Characters of a link that holds a scenario or a world; what every browser carries. */
  linkCharacters: 64_000,
  /** Bytes of what such a link holds. */
  linkBytes: 4_000_000,
} as const;

/** Characters of a world's name at most. */
export const WORLD_NAME = 80;
/** Characters of a note about a world. */
export const WORLD_NOTE = 2_000;

/** Limits of those who are connected to a node, in all of its servers unless it is said. docs/nodes.md lists them. */
export const SERVER = {
  connections: 900,
  /** Bytes of a request's headers. */
  headerBytes: 65_536,
  /** Bytes of a request's body. */
  bodyBytes: 1_000_000,
  /** Milliseconds until a request's headers are there, until all of it is, and until one that does nothing is let go. */
  headersMs: 10_000,
  requestMs: 30_000,
  idleMs: 60_000,
  /** Bytes of the request of a call, and of its answer. */
  callBytes: 4_194_304,
  answerBytes: 67_108_864,
  /** Bytes of all requests that are not answered yet, whatever protocol brings them; half of it is for WebSockets. */
  requestBytes: 67_108_864,
  /** Requests that wait for their turn beside the blocks. */
  waiting: 1_000,
  /** Calls of one connection at once, and streams of one server. */
  streams: 100,
  /** Bytes of one message of an attached page that steers: a file in base64. */
  messageBytes: 24_000_000,
  /** Bytes of the first message of one that only watches; the others may be as long as a body. */
  firstMessageBytes: 4_096,
  /** Values in one message, but bytes, which are one. */
  messageValues: 20_000,
  /** Pages that have said nothing yet, and such as only watch. */
  newPages: 32,
  watchingPages: 100,
  /** Calls of an attached page that wait for their answers. */
  calls: 64,
  /** Bytes of answers that an attached page has not taken. */
  untakenBytes: 64_000_000,
} as const;

/** Limits of comparisons for clients that may only query. docs/nodes.md lists them. */
export const COMPARED = {
  /** Comparisons that wait for their turn: they are made one after the other. */
  waiting: 8,
  /** Keys and events of an answer. */
  listed: 1_000,
  /** Rounds of a world that are played again to open it, from its newest keyframe. */
  worldRounds: 50_000,
  /** Rounds of a world whose heights are linked by command: for each that is looked at, some are played again. */
  linkedRounds: 20_000,
  /** Bytes of what it is opened from: its genesis, journal and newest keyframe. */
  worldBytes: 64_000_000,
} as const;

/** Limits of signed transactions, and of the mempool. */
export const TX = {
  bytes: 1_000_000,
  /** Characters of the memo. */
  memo: 256,
  /** As many wait in CometBFT's mempool at most. */
  waiting: 5_000,
} as const;

/** Limits for clients of the JSON-RPC. */
export const RPC = {
  /** Requests in one batch. */
  batch: 100,
  /** Characters of a query of events. */
  queryCharacters: 512,
  /** Blocks that one search looks at. */
  searchedBlocks: 20_000,
  /** Clients with subscriptions, and how many each may have. */
  subscriptionClients: 100,
  subscriptionsPerClient: 5,
  /** Bytes of the keys and values that a query of a store's prefix gives. */
  subspaceBytes: 16_000_000,
  /** Bytes of a WebSocket message. */
  messageBytes: 1_000_000,
  /** Requests of one WebSocket that wait: more are not read from it. */
  waitingRequests: 32,
  /** Bytes that wait for one who reads too slowly, and blocks that are not told yet; then it is let go. */
  unreadBytes: 8_000_000,
  pendingBlocks: 10_000,
  /** Milliseconds between two questions whether a client is still there. */
  pingMs: 27_000,
  /** Milliseconds for which broadcast_tx_commit waits for a block. */
  commitMs: 10_000,
} as const;
