import type { AddressPrefixes } from "../base/address-prefix.ts";
import type { ForkWorldResponse } from "../gen/lab/v1/branches_plain.ts";
import type { ExportedPart } from "../gen/lab/v1/export_plain.ts";
import type { LabAnswer, LabRequest, StepResult } from "../gen/lab/v1/lab_plain.ts";
import type { RecordedScenario } from "../gen/lab/v1/record_plain.ts";
import type { ScenarioProblem } from "./scenario-problem.ts";
import type { SearchLab } from "./search-context.ts";

type ControlRequest = LabRequest<"control">;
type ForkRequest = LabRequest<"forkWorld">;
type ExportRequest = LabRequest<"exportChain">;

/** The environment of the command line: a terminal of Node, or one in the page. */
export interface CliContext {
  readonly stdout: Output;
  readonly stderr: Output;
  /** Rejects with an Error that says why a file cannot be read, with its `line` if known. */
  readFile(path: string): Promise<string>;
  /** Rejects with an Error that says why a file could not be written; changes nothing. */
  checkWritable(path: string): Promise<void>;
  writeFile(path: string, text: string): Promise<void>;
  /**
   * Starts a file that is written in parts; it appears at its path when it ends. Rejects with an
   * Error that says why it cannot be written. Absent without a file system.
   * @param begins first characters of files that it may replace
   */
  readonly beginFile?: (path: string, begins: string) => Promise<FileInParts>;
  /** Checks and runs scenarios; loaded on demand. */
  readonly scenarios: () => Promise<ScenarioLab>;
  /**
   * Runs checked files and reports their coverage; `onFile` is called at the end of each, with the
   * reason if it failed. Absent without a file system.
   */
  readonly coverage?: (
    files: readonly { readonly file: string; readonly text: string }[],
    onFile: (file: string, failure: string | undefined) => void,
  ) => Promise<Coverage>;
  /**
   * Runs a checked file and reads expressions at its heights; with invalid expressions nothing
   * runs, and their problems are returned. Absent without a file system.
   */
  readonly probe?: (
    file: { readonly file: string; readonly text: string },
    expressions: readonly string[],
    range: ProbedHeights,
  ) => Promise<Probed | { readonly problems: readonly ScenarioProblem[] }>;
  /** Searches families of scenarios; loaded on demand. Absent without files and threads. */
  readonly search?: () => Promise<SearchLab>;
  /**
   * The text of a checked file with another genesis value. Rejects with an Error that says why
   * there is no such value. Absent without a file system.
   */
  readonly withValue?: (
    text: string,
    file: string,
    value: { readonly name: string; readonly value: string },
  ) => Promise<string>;
  /** Resolves after a number of milliseconds. Absent if nothing can be awaited. */
  readonly delay?: (ms: number) => Promise<void>;
  /** Default chain for queries. Absent in a shell. */
  readonly here?: ChainHere;
  /**
   * Opens a folder of worlds; a missing one is created if worlds are added. Rejects with an Error
   * that says why it cannot be used. Absent without folders.
   */
  readonly openFolder?: (path: string, use: FolderUse) => Promise<WorldFolder>;
  /** Opens the world of a file alone; nothing of it is written. Absent without a file system. */
  readonly openWorldFile?: (path: string) => Promise<WorldFolder>;
  /** A temporary folder for worlds of files. Absent without a file system. */
  readonly openMemory?: () => Promise<WorldFolder>;
  /**
   * Reads an exported world. Rejects with an Error that says why it cannot be imported. Absent
   * without folders.
   */
  readonly readWorld?: (path: string) => Promise<Uint8Array>;
  /** Runs chains as servers. Absent if the process cannot listen. */
  readonly nodes?: NodeCommands;
  /** Keys of accounts and signing, loaded on demand. Absent if no keys are stored. */
  readonly wallet?: () => Promise<Wallet>;
}

/** An open output file. Its methods reject with an Error that says why they failed. */
export interface FileInParts {
  write(text: string): Promise<void>;
  /** Completes the file at its path. */
  end(): Promise<void>;
  /** Discards the file. */
  drop(): Promise<void>;
}

/** A chain id that a user has set. */
export interface ChainIdSetting {
  readonly id: string;
  /** The flag, or the file and its key. */
  readonly where: string;
}

export interface Wallet {
  /** Sets the address prefix to that of a home's chain, by default the usual home. */
  setPrefixOf(home: string | undefined): void;
  /** Prefixes of addresses, as they were set last. */
  prefixes(): AddressPrefixes;
  /**
   * The keys of a home, by default the usual one; with the keyring backend of its settings unless
   * one is passed.
   */
  keyring(home: string | undefined, backend?: "test"): Keyring;
  /** The chain id in the client settings of a home, by default the usual one. */
  chainIdOf(home: string | undefined): ChainIdSetting | undefined;
  /** All piped or typed input, up to its end. Absent if there is no input. */
  readonly input?: () => Promise<string>;
  newMnemonic(): string;
  /** Derives a key from a mnemonic. Throws an Error if the mnemonic or the path is invalid. */
  keyOf(mnemonic: string, path: string): AccountKey;
  /** The operator's address of an account. Throws an Error for an invalid account address. */
  operatorOf(address: string): string;
  /**
   * Completes a transaction in REST's JSON format with all of its fields, with types under either
   * root. Throws an Error that locates invalid fields.
   * @param signed true if a key signs it: its types are then upstream's, which every client reads
   */
  draft(tx: unknown, signed?: boolean): unknown;
  /**
   * Signs it with its only signer, also as TxRaw in base64. Throws an Error if that is impossible.
   */
  sign(tx: unknown, signing: Signing): { readonly bytes: string; readonly json: unknown };
  /**
   * Encodes a transaction with its signatures as TxRaw in base64. Throws an Error that names
   * invalid fields.
   */
  encode(tx: unknown): string;
  /**
   * Decodes such bytes, or those of a block's transaction, to REST's JSON format. Throws an Error
   * if they are invalid.
   */
  decode(bytes: string, as: "base64" | "hex"): unknown;
  /** Asks the user; absent if that is impossible. */
  readonly confirm?: (question: string) => Promise<boolean>;
}

/** Key and sign mode of a transaction, with the signer's account data on the chain. */
export interface Signing {
  /** Secret of an AccountKey. */
  readonly secret: string;
  readonly mode: "direct" | "amino-json";
  readonly chainId: string;
  /** 64-bit integers as text. */
  readonly accountNumber: string;
  readonly sequence: string;
}

export interface AccountKey {
  readonly address: string;
  /** The compressed secp256k1 key in base64. */
  readonly publicKey: string;
  /** The private key of the account: 32 bytes in hex. */
  readonly secret: string;
}

export interface NamedKey extends AccountKey {
  readonly name: string;
}

/**
 * Unencrypted keys, by name. Methods reject with an Error that describes and locates the problem.
 */
export interface Keyring {
  /** Location of the keys. */
  readonly location: string;
  list(): Promise<readonly NamedKey[]>;
  add(key: NamedKey): Promise<void>;
  remove(name: string): Promise<void>;
}

/** Commands for a node and its home. Methods reject with an Error that describes the problem. */
export interface NodeCommands {
  usualHome(): string;
  /** Lays out a home and creates its chain, unless it has one; resolves to the chain's id. */
  init(home: string, genesis: GenesisSettings): Promise<string>;
  /** The status of the node at an address, or of a home's node. */
  status(home: string, node: string | undefined): Promise<unknown>;
  /**
   * The output format in the settings of the home's clients; rejects with an Error for an unknown
   * one.
   */
  output(home: string): Promise<"text" | "json">;
  /** A setting of the home's clients, as in `config/client.toml`. */
  clientSetting(home: string, key: string): Promise<string>;
  /** All of them, as in the file. */
  clientSettings(home: string): Promise<string>;
  /** Writes one of them. Rejects with an Error for an unknown setting or an invalid value. */
  setClientSetting(home: string, key: string, value: string): Promise<void>;
  /**
   * Lays out a home with launchers of binaries for Cosmovisor; resolves to the settings that
   * Cosmovisor needs.
   */
  cosmovisorHome(home: string, binaries: readonly string[]): Promise<readonly string[]>;
  readonly version: string;
  /** Runs a chain and serves it until the process is stopped. `say` is called with each line. */
  start(settings: StartSettings, say: (line: string) => void): Promise<void>;
  /** The chain of a running node. */
  reach(name: NodeLocation): Promise<ReachedChain>;
}

/** Location of a node: the address of its RPC or of its gRPC, or its home. */
export interface NodeLocation {
  readonly node?: string;
  readonly grpc?: string;
  readonly home?: string;
  /** Access token for control of the node. */
  readonly token?: string;
}

/** The genesis of a chain, for a home without one. */
export interface GenesisSettings {
  /** A scenario or genesis file. */
  readonly file?: string;
  /** True if the file must be a genesis. */
  readonly isGenesis?: boolean;
  /** Address prefix; by default that of the file, or `chain`. */
  readonly prefix?: string;
  /** `full`: commits have real signatures. By default as in the file, or compact. */
  readonly commits?: "compact" | "full";
}

export interface StartSettings extends GenesisSettings {
  /** Undefined for a chain that is not stored. */
  readonly home: string | undefined;
  /** Addresses, such as 127.0.0.1:1317. */
  readonly rest: string;
  /** Address of CometBFT's RPC. */
  readonly rpc: string;
  readonly grpc: string;
  /** World of the home to play, by name or id; by default the one saved last. */
  readonly world?: string;
  /** Blocks per second, 0 for as many as possible. */
  readonly speed?: number | "paused";
  readonly namespace: "chain" | "cosmos" | "both";
  /** Origin whose pages may send requests, `*` for any. */
  readonly cors: string;
  /** The binary of this process's node, and of all nodes without a sidecar. */
  readonly binary?: string;
  /** Heights whose upgrades the nodes skip. */
  readonly skipUpgrades?: readonly number[];
  /** Minimum gas price of signed transactions, such as 0.025stake. */
  readonly minGasPrices?: string;
  readonly quiet: boolean;
  /** Clients with this token may control the node. */
  readonly token?: string;
}

/**
 * A chain that can be queried. Methods throw an Error with the chain's own text; height 0 is the
 * newest.
 */
export interface QueriedChain {
  /** The failed step and the reason, after which no other ran; undefined if all passed. */
  readonly failure: string | undefined;
  /** Request and answer, or a promise of one, in the JSON format of the REST interface. */
  query(name: string, request: object, height: number): unknown;
  /**
   * The text, or a promise of it, with its references (`$name` and `${name}`, as in scenarios)
   * replaced.
   */
  resolve(text: string): string | Promise<string>;
  /** Exports the chain's history part by part, as a file for other programs. */
  export(request: ExportRequest): Promise<ExportedPart>;
  /** Runs a step of a scenario; absent if nothing can be changed. */
  readonly lab?: Pick<Steering, "runStep">;
  /** Answer to a query for a missing plan or applied upgrade in the chain's profile. */
  readonly missingUpgrade: "error" | "empty";
}

/** A running chain. Methods reject with an Error that has the node's text. */
export interface ReachedChain extends QueriedChain {
  /** Sends a signed transaction, TxRaw in base64. */
  broadcast(txBytes: string, mode: "sync" | "async"): Promise<TxResponse>;
  /** Steps of a scenario, and the clock, as used by the page; rejects without permission. */
  readonly lab: Steering;
}

/**
 * Compares worlds, scenarios and heights. Methods reject with an Error that names the side that
 * cannot be compared, and why.
 */
export interface Comparer {
  compareWorlds(request: LabRequest<"compareWorlds">): Promise<LabAnswer<"compareWorlds">>;
  findDifference(request: LabRequest<"findDifference">): Promise<LabAnswer<"findDifference">>;
}

/** Methods of lab.v1.Lab that change the world. */
export interface Steering extends Comparer {
  runStep(request: { readonly step: string }): Promise<Pick<StepResult, StepFacts>>;
  control(request: ControlRequest): Promise<unknown>;
  forkWorld(request: ForkRequest): Promise<Branch>;
  /** The stored worlds, and actions on one of them. */
  listWorlds(request: LabRequest<"listWorlds">): Promise<LabAnswer<"listWorlds">>;
  openWorld(request: LabRequest<"openWorld">): Promise<unknown>;
  renameWorld(request: LabRequest<"renameWorld">): Promise<unknown>;
  noteWorld(request: LabRequest<"noteWorld">): Promise<unknown>;
  duplicateWorld(request: LabRequest<"duplicateWorld">): Promise<unknown>;
  deleteWorld(request: LabRequest<"deleteWorld">): Promise<unknown>;
  restoreWorld(request: LabRequest<"restoreWorld">): Promise<unknown>;
  /** Exports the actions as a scenario. */
  recordScenario(request: Readonly<Record<never, never>>): Promise<Recorded>;
}

export type Branch = Pick<
  ForkWorldResponse,
  "world" | "height" | "commands" | "refused" | "refusals"
>;

/** A world as the text of a scenario, with descriptions of the actions that it lacks. */
export type Recorded = Pick<RecordedScenario, "file" | "text" | "leftOut">;

type StepFacts = "ok" | "message" | "path" | "height" | "value";

/** The result of a transaction, in REST's JSON format. */
export interface TxResponse {
  readonly code: number;
  readonly txhash: string;
  readonly raw_log: string;
}

/** The chain that belongs to a terminal. */
export interface ChainHere extends ReachedChain {
  /** Prefixes of the chain's addresses. */
  prefixes(): AddressPrefixes;
  /** The available accounts, by name. */
  accounts(): readonly { readonly name: string; readonly address: string }[];
  /** Current values of the chain for a field of a method's request, with their names. */
  suggest(
    method: string,
    field: string,
  ): Promise<readonly { readonly value: string; readonly label?: string }[]>;
}

/**
 * Output of text for people; characters that are invisible or would control a terminal are replaced
 * by a mark.
 */
export interface Screen extends Output {
  /** Writes text unchanged: it controls the terminal, or is read by a program. */
  raw(text: string): void;
}

/** The context of a running command. */
export interface RunContext extends CliContext {
  /** The output format if a command line names none. */
  readonly usualOutput: "text" | "json";
  readonly stdout: Screen;
  readonly stderr: Screen;
}

/** Use of a data folder: `add` can also create worlds in it, `use` needs existing ones. */
export type FolderUse = "add" | "use";

export interface Output {
  write(text: string): void;
  /** Width in characters if the output is a terminal; undefined for a file or a pipe. */
  readonly columns?: number;
}

/** Checks and runs scenarios. */
export interface ScenarioLab {
  /** Number of scenarios that can run at once. */
  readonly cores: number;
  /** Parses a file; returns all of its problems, or the actions that it contains. */
  check(text: string, file: string): readonly ScenarioProblem[] | ScenarioOutline;
  /**
   * Runs a checked file; returns the state after a height, or after the last one, as the JSON of a
   * genesis file, with the reason if no chain can start from it. Throws an Error that says why
   * there is none.
   */
  exportGenesis(
    text: string,
    file: string,
    height: number | undefined,
  ): { readonly genesis: string; readonly problem: string | undefined };
  /**
   * Lists the problems of a request, without a chain; references are placeholders for unknown
   * values.
   */
  requestProblems(
    name: string,
    request: object,
  ): readonly { readonly path: readonly (string | number)[]; readonly message: string }[];
  /**
   * Runs a checked file and returns its chain for queries, after its last step or the failed one.
   */
  chainAfter(text: string, file: string): QueriedChain;
  /** Starts the requested number of workers. */
  open(jobs: number): ScenarioPool;
}

/** Outcomes that files reach, as printed by `coverage --json`. */
export interface Coverage {
  readonly files: readonly string[];
  /** Number of reached, reachable, and all outcomes. */
  readonly reached: number;
  readonly reachable: number;
  readonly total: number;
  readonly outcomes: readonly {
    readonly name: string;
    readonly group: string;
    readonly words: string;
    /** True if steps of a file can reach it. */
    readonly reachable: boolean;
    /** The steps that reach it, or the reason why no file can. */
    readonly by: string;
    readonly times: number;
    readonly files: readonly string[];
  }[];
}

/** The heights at which a run is read, both ends included. */
export interface ProbedHeights {
  readonly from?: number;
  readonly to?: number;
  /** Interval of heights. */
  readonly every: number;
}

/** Values of expressions at the heights of a run, as printed by `probe --json`. */
export interface Probed {
  readonly name: string;
  readonly seed: number;
  /** The chain's height before its first block. */
  readonly beginning: number;
  /** The chain's height at the end. */
  readonly height: number;
  readonly heights: readonly number[];
  readonly series: readonly {
    readonly expression: string;
    /** For each height, as text; null where there is none. */
    readonly values: readonly (string | null)[];
    /** True if all values that exist are numbers. */
    readonly numbers: boolean;
    /** Why there is none at any height. */
    readonly missing?: string;
  }[];
  /** Reason why the run ended early, or the violated property. */
  readonly failure?: string;
}

export interface ScenarioPool {
  /** Runs one scenario; `onStep` is called at the end of every step. */
  run(job: ScenarioJob, onStep: () => void): Promise<ScenarioReport>;
  close(): Promise<void>;
}

export interface ScenarioOutline {
  readonly name: string;
  readonly title: string;
  readonly seed: number;
  readonly steps: readonly { readonly verb: string; readonly note?: string }[];
  readonly properties: readonly { readonly kind: string; readonly name: string }[];
}

export interface ScenarioJob {
  readonly file: string;
  readonly text: string;
  readonly seed: number;
  /** True to print the decisions behind each step. */
  readonly explain: boolean;
}

/** One run of one scenario, as `--json` prints it. */
export interface ScenarioReport {
  readonly file: string;
  readonly name: string;
  readonly seed: number;
  readonly ok: boolean;
  readonly height: number;
  /** Time of the last block, RFC 3339. */
  readonly time: string;
  /** Upper-case hex. */
  readonly app_hash: string;
  /** The steps that ran; none runs after a failed one. */
  readonly steps: readonly StepReport[];
  /** Violations of the file's properties; the first ends the run. */
  readonly violations: readonly Violation[];
  /** Names of the satisfied `sometimes` properties. */
  readonly reached: readonly string[];
  /** Names of the properties that were never evaluated, or had rounds left at the end. */
  readonly unasked: readonly string[];
  /** Every node at the end. */
  readonly nodes: readonly NodeReport[];
}

/** A violated property. */
export interface Violation {
  readonly property: string;
  readonly kind: string;
  readonly height: number;
  readonly step?: number;
  readonly message: string;
}

/** A summary of a node; `query nodes` has the rest. */
export interface NodeReport {
  readonly name: string;
  /** running | stopped | halted | exited | syncing */
  readonly process: string;
  readonly binary: string;
  /** Greatest height it has applied. */
  readonly height: number;
  /** Reason why it does not participate; empty if it does. */
  readonly reason: string;
}

export interface StepReport {
  readonly index: number;
  readonly verb: string;
  readonly ok: boolean;
  readonly height: number;
  /** Empty if it passed. */
  readonly message: string;
  /** Path of the problem in the step. */
  readonly path?: string;
  /** The decisions behind it, if requested. */
  readonly explanation?: readonly string[];
}

/**
 * Worlds stored in a folder. Methods reject with an Error that describes and locates the problem.
 */
export interface WorldFolder extends Comparer {
  /** Sentences about the damage found so far. */
  readonly damages: readonly string[];
  /** All worlds, the last written first. */
  list(): Promise<readonly SavedWorld[]>;
  /**
   * Plays the world of a checked file, from its saved position if it exists. Rejects if the folder
   * contains others.
   * @param onSteps called with completed steps that are on disk; `before` in an earlier run
   */
  run(
    text: string,
    file: string,
    onSteps: (steps: readonly FolderStep[], before: boolean) => void,
  ): Promise<FolderRun>;
  /** The chain of a saved world. A world is named by id or name; undefined is the only one. */
  chain(world: string | undefined): Promise<QueriedChain>;
  /** Exports the actions in a world as a scenario. */
  record(world: string | undefined): Promise<Recorded>;
  exportTo(world: string | undefined, path: string): Promise<void>;
  /** Adds the world of a file that was read. */
  add(world: Uint8Array): Promise<SavedWorld>;
  remove(world: string | undefined): Promise<void>;
  restore(world: string | undefined): Promise<void>;
  close(): Promise<void>;
}

export interface SavedWorld {
  readonly id: string;
  readonly name: string;
  readonly height: number;
  readonly bytes: number;
  /** Milliseconds since 1970; 0 if it cannot be read. */
  readonly savedMs: number;
  /** Reason why it cannot be opened; absent if it can be. */
  readonly problem?: string;
  /** Absent unless it was deleted; it can be restored for a while. */
  readonly removedMs?: number;
  /** Branch point; absent unless it is a branch. */
  readonly parent?: { readonly world: string; readonly height: number };
  /** A person's note about the world; absent if there is none. */
  readonly note?: string;
  /** True if it contains manual edits; absent otherwise. */
  readonly impossible?: boolean;
}

/** A step of a world in a folder. */
export type FolderStep = Pick<StepReport, "index" | "verb" | "ok" | "message">;

/** A signal that requests the process to end. */
export type Interrupt = "SIGINT" | "SIGTERM";

export interface FolderRun {
  /** The result, or the interruption. */
  readonly state: "passed" | "failed" | Interrupt;
  readonly height: number;
  /** Upper-case hex. */
  readonly app_hash: string;
}
