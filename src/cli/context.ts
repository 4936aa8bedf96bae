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
  /** Rejects with an Error that says why a file cannot be read, and may have the `line`. */
  readFile(path: string): Promise<string>;
  /** Rejects with an Error that says why a file could not be written; changes nothing. */
  checkWritable(path: string): Promise<void>;
  writeFile(path: string, text: string): Promise<void>;
  /**
   * Begins a file that is written in parts; it is there when it ends. Rejects with an Error that says why it cannot be
   * written. Absent where there are no files.
   * @param begins how it begins, as only a file does whose place it may take
   */
  readonly beginFile?: (path: string, begins: string) => Promise<FileInParts>;
  /** Checks and runs scenarios; loaded on demand. */
  readonly scenarios: () => Promise<ScenarioLab>;
  /**
   * Runs checked files and says what they reach; `onFile` is called with each as it ends, and why it failed, if it did.
   * Absent where there are no files.
   */
  readonly coverage?: (
    files: readonly { readonly file: string; readonly text: string }[],
    onFile: (file: string, failure: string | undefined) => void,
  ) => Promise<Coverage>;
  /**
   * Runs a checked file and reads expressions at its heights; or what is wrong with the expressions, and nothing runs.
   * Absent where there are no files.
   */
  readonly probe?: (
    file: { readonly file: string; readonly text: string },
    expressions: readonly string[],
    range: ProbedHeights,
  ) => Promise<Probed | { readonly problems: readonly ScenarioProblem[] }>;
  /**
   * Searches families of scenarios; loaded on demand. Absent where there are no files and threads.
   */
  readonly search?: () => Promise<SearchLab>;
  /**
   * The text of a checked file with another value of its beginning. Rejects with an Error that says why there is no such
   * value. Absent where there are no files.
   */
  readonly withValue?: (
    text: string,
    file: string,
    value: { readonly name: string; readonly value: string },
  ) => Promise<string>;
  /** Resolves after so many milliseconds. Absent where nothing is waited for. */
  readonly delay?: (ms: number) => Promise<void>;
  /** The chain that is asked where no other is named. Absent in a shell. */
  readonly here?: ChainHere;
  /**
   * Opens a folder of worlds; one that is not there is made where worlds are to be added. Rejects with an Error that
   * says why it cannot be used. Absent where there are no folders.
   */
  readonly openFolder?: (path: string, use: FolderUse) => Promise<WorldFolder>;
  /** Opens the world of a file alone; nothing of it is written. Absent where there are no files. */
  readonly openWorldFile?: (path: string) => Promise<WorldFolder>;
  /** A folder that is gone with the command, to which worlds of files are added. Absent where there are no files. */
  readonly openMemory?: () => Promise<WorldFolder>;
  /** Reads an exported world. Rejects with an Error that says why it cannot be imported. Absent without folders. */
  readonly readWorld?: (path: string) => Promise<Uint8Array>;
  /** Runs chains that others are connected to. Absent where nothing can be listened at. */
  readonly nodes?: NodeCommands;
  /** Keys of accounts, and what is signed with them, loaded when first needed. Absent where none are kept. */
  readonly wallet?: () => Promise<Wallet>;
}

/** A file that is being written. Its methods reject with an Error that says why they could not. */
export interface FileInParts {
  write(text: string): Promise<void>;
  /** Has it be there, whole. */
  end(): Promise<void>;
  /** Leaves nothing of it. */
  drop(): Promise<void>;
}

export interface Wallet {
  /** Has addresses of keys begin as those of the chain of a home do, the usual one unless given. */
  setPrefixOf(home: string | undefined): void;
  /** The keys of a home, the usual one unless given; kept as its settings say unless a backend is given. */
  keyring(home: string | undefined, backend?: "test"): Keyring;
  /** All that is piped in or typed, up to its end. Absent where there is no such input. */
  readonly input?: () => Promise<string>;
  newMnemonic(): string;
  /** The key that words lead to. Throws an Error if they are none, or the path is none. */
  keyOf(mnemonic: string, path: string): AccountKey;
  /** The operator's address of an account. Throws an Error if it is no account's. */
  operatorOf(address: string): string;
  /**
   * A transaction in the JSON shape of REST with all of its fields, types under either root. Throws an Error that says
   * what does not fit, and where.
   * @param signed whether a key signs it: then its types are upstream's, which every client reads
   */
  draft(tx: unknown, signed?: boolean): unknown;
  /** The same with the signature of its one signer, also as TxRaw in base64. Throws an Error if it cannot be. */
  sign(tx: unknown, signing: Signing): { readonly bytes: string; readonly json: unknown };
  /** TxRaw in base64 with the signatures that a transaction has. Throws an Error that says what does not fit. */
  encode(tx: unknown): string;
  /** The transaction of such bytes, or of a block's, in the JSON shape of REST. Throws an Error if it is none. */
  decode(bytes: string, as: "base64" | "hex"): unknown;
  /** Asks a person; absent where nothing can be asked. */
  readonly confirm?: (question: string) => Promise<boolean>;
}

/** Key and sign mode of a transaction, with the signer's account data on the chain. */
export interface Signing {
  /** Of an AccountKey. */
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
  /** 32 bytes in hex, which sign for the account. */
  readonly secret: string;
}

export interface NamedKey extends AccountKey {
  readonly name: string;
}

/** Keys that are kept openly, by name. Methods reject with an Error that says what is wrong, with its place. */
export interface Keyring {
  /** Location of the keys. */
  readonly place: string;
  list(): Promise<readonly NamedKey[]>;
  add(key: NamedKey): Promise<void>;
  remove(name: string): Promise<void>;
}

/** Commands for a node and its home. Methods reject with an Error that describes the problem. */
export interface NodeCommands {
  /** The home where none is given. */
  usualHome(): string;
  /** Lays out a home and begins its chain, unless it has one; resolves to the chain's id. */
  init(home: string, genesis: GenesisSettings): Promise<string>;
  /** The status of the node at an address, or of that of a home. */
  status(home: string, node: string | undefined): Promise<unknown>;
  /** The form of answers by the settings of the home's clients; rejects with an Error for one that there is not. */
  output(home: string): Promise<"text" | "json">;
  /** A setting of the home's clients, as it stands in `config/client.toml`. */
  clientSetting(home: string, key: string): Promise<string>;
  /** All of them, as the file has them. */
  clientSettings(home: string): Promise<string>;
  /** Writes one of them. Rejects with an Error for a setting that there is none, and for a value that it cannot have. */
  setClientSetting(home: string, key: string, value: string): Promise<void>;
  /** Lays out a home with launchers of binaries for Cosmovisor; resolves to the settings that this needs. */
  cosmovisorHome(home: string, binaries: readonly string[]): Promise<readonly string[]>;
  /** The version of the program. */
  readonly version: string;
  /** Runs a chain and serves it until the process is told to end. `say` is called with each line. */
  start(settings: StartSettings, say: (line: string) => void): Promise<void>;
  /** The chain of a node that runs. */
  reach(place: NodePlace): Promise<ReachedChain>;
}

/** Location of a node: the address of its RPC or of its gRPC, or its home. */
export interface NodePlace {
  readonly node?: string;
  readonly grpc?: string;
  readonly home?: string;
  /** Access token for control of the node. */
  readonly token?: string;
}

/** The genesis of a chain, where a home has none yet. */
export interface GenesisSettings {
  /** A scenario or a genesis. */
  readonly file?: string;
  /** True if the file has to be a genesis. */
  readonly isGenesis?: boolean;
  /** Address prefix; by default that of the file, or `chain`. */
  readonly prefix?: string;
  /** True if commits carry real signatures; by default as in the file, or compact. */
  readonly commits?: "compact" | "full";
}

export interface StartSettings extends GenesisSettings {
  /** Undefined for a chain that is not kept. */
  readonly home: string | undefined;
  /** Addresses, such as 127.0.0.1:1317. */
  readonly rest: string;
  /** Address of CometBFT's RPC. */
  readonly rpc: string;
  readonly grpc: string;
  /** World of the home to play, by name or id; by default the one saved last. */
  readonly world?: string;
  /** Blocks per second, 0 for as many as can be. */
  readonly speed?: number | "paused";
  readonly namespace: "chain" | "cosmos" | "both";
  /** Origin whose pages may ask, `*` for any. */
  readonly cors: string;
  /** The binary of this process's node, and of all that no sidecar looks after. */
  readonly binary?: string;
  /** Heights whose upgrades the nodes skip. */
  readonly skipUpgrades?: readonly number[];
  /** The least price of a unit of gas that signed transactions must offer, such as 0.025stake. */
  readonly minGasPrices?: string;
  readonly quiet: boolean;
  /** Clients with this token may control the node. */
  readonly token?: string;
}

/** A chain that can be queried. Methods throw an Error with the chain's own text; height 0 is the newest. */
export interface QueriedChain {
  /** The step that failed and why, after which no other ran; undefined if all went well. */
  readonly failure: string | undefined;
  /** Request and answer, or a promise of one, in the JSON shape of the REST interface. */
  query(name: string, request: object, height: number): unknown;
  /** The text, or a promise of it, with its references replaced, `$name` and `${name}`, as scenarios have them. */
  resolve(text: string): string | Promise<string>;
  /** One part after the other of what happened on it, as a file for other programs. */
  export(request: ExportRequest): Promise<ExportedPart>;
  /** Runs a step of a scenario; absent where nothing can be changed. */
  readonly lab?: Pick<Steering, "runStep">;
  /** Answer to a query for a missing plan or applied upgrade in the chain's profile. */
  readonly missingUpgrade: "error" | "empty";
}

/** A chain that runs. Methods reject with an Error in the node's own words. */
export interface ReachedChain extends QueriedChain {
  /** Sends a signed transaction, TxRaw in base64. */
  broadcast(txBytes: string, mode: "sync" | "async"): Promise<TxResponse>;
  /** Steps of a scenario, and the clock, as the page calls them; rejects where one may not steer. */
  readonly lab: Steering;
}

/** Holds worlds, scenarios and heights against each other. Methods reject with an Error that says which cannot be, and why. */
export interface Comparer {
  compareWorlds(request: LabRequest<"compareWorlds">): Promise<LabAnswer<"compareWorlds">>;
  findDifference(request: LabRequest<"findDifference">): Promise<LabAnswer<"findDifference">>;
}

/** Methods of lab.v1.Lab that change the world. */
export interface Steering extends Comparer {
  runStep(request: { readonly step: string }): Promise<Pick<StepResult, StepFacts>>;
  control(request: ControlRequest): Promise<unknown>;
  forkWorld(request: ForkRequest): Promise<Branch>;
  /** The worlds that are kept, and what is done with one of them. */
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

/** A branch that was begun. */
export type Branch = Pick<
  ForkWorldResponse,
  "world" | "height" | "commands" | "refused" | "refusals"
>;

/** A world as the text of a scenario, and in sentences what was done that is not in it. */
export type Recorded = Pick<RecordedScenario, "file" | "text" | "leftOut">;

type StepFacts = "ok" | "message" | "path" | "height" | "value";

/** The result of a transaction, in the JSON shape of REST. */
export interface TxResponse {
  readonly code: number;
  readonly txhash: string;
  readonly raw_log: string;
}

/** The chain around a terminal that has one. */
export interface ChainHere extends ReachedChain {
  /** The accounts that act here, by name. */
  accounts(): readonly { readonly name: string; readonly address: string }[];
  /** Values of the chain now that fit a field of a method's request, with what they are called. */
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
  /** Writes text as it is: it steers the terminal, or goes to a program. */
  raw(text: string): void;
}

/** The same while a command runs. */
export interface RunContext extends CliContext {
  /** The form of answers where a line gives none. */
  readonly usualOutput: "text" | "json";
  readonly stdout: Screen;
  readonly stderr: Screen;
}

/** Use of a data folder: `add` can also create worlds in it, `use` needs existing ones. */
export type FolderUse = "add" | "use";

export interface Output {
  write(text: string): void;
  /** Width in characters if a person is looking at it; undefined for a file or a pipe. */
  readonly columns?: number;
}

/** Checks and runs scenarios. */
export interface ScenarioLab {
  /** Number of scenarios that can run at once here. */
  readonly cores: number;
  /** Reads a file's text; all that is wrong with it, or what it will do. */
  check(text: string, file: string): readonly ScenarioProblem[] | ScenarioOutline;
  /**
   * Runs a file that has been checked; the state after a height, or after the last one, as the JSON of
   * a genesis file, and why no chain begins from it, if so. Throws an Error that says why there is none.
   */
  exportGenesis(
    text: string,
    file: string,
    height: number | undefined,
  ): { readonly genesis: string; readonly problem: string | undefined };
  /**
   * Lists the problems of a request, without a chain; references stand for values that are not
   * known yet.
   */
  requestProblems(
    name: string,
    request: object,
  ): readonly { readonly path: readonly (string | number)[]; readonly message: string }[];
  /** Runs a checked file and returns its chain to query, after its last step or the one that failed. */
  chainAfter(text: string, file: string): QueriedChain;
  /** Starts as many workers as asked for. */
  open(jobs: number): ScenarioPool;
}

/** Outcomes that files reach, as printed by `coverage --json`. */
export interface Coverage {
  readonly files: readonly string[];
  /** Number of outcomes reached, that files can reach, and in total. */
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

/** The heights at which a run is asked, both ends included. */
export interface ProbedHeights {
  readonly from?: number;
  readonly to?: number;
  /** Every how many heights. */
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
  /** Why the run ended early, or what it did not keep to. */
  readonly failure?: string;
}

export interface ScenarioPool {
  /** Runs one scenario; `onStep` is called with every step as it ends. */
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

/** One run of one scenario; as `--json` prints it. */
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
  /** The steps that ran; after one that failed no other does. */
  readonly steps: readonly StepReport[];
  /** Violations of the file's properties; the first ends the run. */
  readonly violations: readonly Violation[];
  /** Names of the properties under `sometimes` that were true. */
  readonly reached: readonly string[];
  /** Names of the properties that could not be asked at any time, or whose rounds were not over at the end. */
  readonly unasked: readonly string[];
  /** Every node at the end. */
  readonly nodes: readonly NodeReport[];
}

/** A property that did not hold. */
export interface Violation {
  readonly property: string;
  readonly kind: string;
  readonly height: number;
  readonly step?: number;
  readonly message: string;
}

/** A node in a few words; `query nodes` has the rest. */
export interface NodeReport {
  readonly name: string;
  /** running | stopped | halted | exited | syncing */
  readonly process: string;
  readonly binary: string;
  /** Greatest height it has applied. */
  readonly height: number;
  /** Why it takes no part; empty if it does. */
  readonly reason: string;
}

export interface StepReport {
  readonly index: number;
  readonly verb: string;
  readonly ok: boolean;
  readonly height: number;
  /** Empty if it went well. */
  readonly message: string;
  /** Path of the problem in the step. */
  readonly path?: string;
  /** The decisions behind it, if asked for. */
  readonly explanation?: readonly string[];
}

/** Worlds that are kept in a folder. Methods reject with an Error that says what is wrong, with its place. */
export interface WorldFolder extends Comparer {
  /** Sentences about the damage found so far. */
  readonly damages: readonly string[];
  /** All worlds, the last written first. */
  list(): Promise<readonly SavedWorld[]>;
  /**
   * Plays the world of a checked file, from where it was if it is there. Rejects if the folder holds others.
   * @param onSteps called with steps that have ended and are on disk; `before` in an earlier run
   */
  run(
    text: string,
    file: string,
    onSteps: (steps: readonly FolderStep[], before: boolean) => void,
  ): Promise<FolderRun>;
  /** The chain of a world as it was saved. A world goes by id or name; undefined is the only one. */
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
  /** Milliseconds since 1970; 0 where that cannot be read. */
  readonly savedMs: number;
  /** Why it cannot be opened; absent if it can be. */
  readonly problem?: string;
  /** Absent unless it was deleted; it can be restored for a while. */
  readonly removedMs?: number;
  /** Branch point; absent unless it is a branch. */
  readonly parent?: { readonly world: string; readonly height: number };
  /** A person's note about the world; absent if there is none. */
  readonly note?: string;
  /** True if a value was changed by hand in it; absent if none was. */
  readonly impossible?: boolean;
}

/** A step of a world in a folder. */
export type FolderStep = Pick<StepReport, "index" | "verb" | "ok" | "message">;

/** A signal that asks the process to end. */
export type Interrupt = "SIGINT" | "SIGTERM";

export interface FolderRun {
  /** The result, or the interruption. */
  readonly state: "passed" | "failed" | Interrupt;
  readonly height: number;
  /** Upper-case hex. */
  readonly app_hash: string;
}
