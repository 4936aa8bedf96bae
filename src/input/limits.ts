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
  /** Characters of a request's path with its parameters, or of a link's. */
  request: 8_192,
} as const;

/** Characters of a world's name at most. */
export const WORLD_NAME = 80;
