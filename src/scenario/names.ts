import { prefixesOf } from "../base/address-prefix.ts";
import { isReference } from "../base/reference-syntax.ts";
import type { BinarySpec } from "../engine/app/binary.ts";
import type { Simulation } from "../engine/simulation/simulation.ts";

/** Result of a named step: `$name` (value) or `${name.evidence}`. */
export interface ResultKind {
  readonly value?: boolean;
  readonly evidence?: boolean;
}

/** The names that a step may use. */
export interface Names {
  readonly denom: string;
  /** Address prefix of accounts. */
  readonly prefix: string;
  readonly nodes: ReadonlySet<string>;
  /** Accounts, including the validators' operator accounts. */
  readonly accounts: ReadonlySet<string>;
  readonly binaries: ReadonlySet<string>;
  /** Stores of all binaries: an upgrade may add or delete one. */
  readonly stores: ReadonlySet<string>;
  /** Results of named steps so far. */
  readonly results: ReadonlyMap<string, ResultKind>;
  /** Height of the chain's first block. */
  readonly initialHeight: number;
  /** Upper bound of the chain's height before the step runs, if known. */
  readonly height?: number | undefined;
}

export const RESERVED = ["gov", "height", "time", "all", "heal"];

/** The names of a running world. */
export function namesOf(sim: Simulation, results: ReadonlyMap<string, ResultKind>): Names {
  return {
    denom: sim.spec.staking.bondDenom,
    prefix: prefixesOf(sim.spec.prefix).account,
    nodes: new Set(sim.nodes().map((node) => node.name)),
    accounts: new Set(sim.accountNames()),
    binaries: new Set(sim.binaries().map((binary) => binary.name)),
    stores: storesOf(sim.binaries()),
    results,
    initialHeight: sim.initialHeight,
  };
}

/** Every module of every binary has a store of its name. */
export const storesOf = (binaries: readonly BinarySpec[]): ReadonlySet<string> =>
  new Set(binaries.flatMap(({ modules }) => Object.keys(modules)));

type Path = readonly (string | number)[];

/** Context of a verb's check: the names in use, and where to report problems. */
export interface ArgumentCheck {
  readonly names: Names;
  node(name: string, ...path: Path): void;
  account(name: string, ...path: Path): void;
  binary(name: string, ...path: Path): void;
  store(name: string, ...path: Path): void;
  denom(denom: string, ...path: Path): void;
  /** A block that must exist; a reference is not known yet. */
  block(height: number | string | undefined, ...path: Path): void;
  problem(message: string, ...path: Path): void;
}

/** Collects problems through `report`. */
export function argumentCheck(
  names: Names,
  report: (path: Path, message: string) => void,
): ArgumentCheck {
  const known =
    (kind: string, set: ReadonlySet<string>) =>
    (name: string, ...path: Path) => {
      if (!set.has(name)) report(path, `there is no ${kind} "${name}": expected ${list(set)}`);
    };
  const account = known("account", names.accounts);
  const node = known("node", names.nodes);
  return {
    names,
    node: (name, ...path) => node(name.replace(/-twin$/, ""), ...path),
    account: (name, ...path) => {
      if (!name.startsWith(`${names.prefix}1`) && !isReference(name)) account(name, ...path);
    },
    binary: known("binary", names.binaries),
    store: known("store", names.stores),
    denom: (denom, ...path) => {
      if (denom !== names.denom) {
        report(path, `expected an amount of ${names.denom}, the chain's denom, found ${denom}`);
      }
    },
    block: (height, ...path) => {
      const missing = typeof height === "number" ? missingBlock(height, names) : undefined;
      if (missing !== undefined) report(path, missing);
    },
    problem: (message, ...path) => report(path, message),
  };
}

/** The problem of a height that the chain cannot have; undefined if it may have it. */
export function missingBlock(
  block: number,
  { initialHeight, height }: Pick<Names, "initialHeight" | "height">,
): string | undefined {
  if (block < initialHeight - 1) {
    return `there is no block ${block}: the chain begins with block ${initialHeight}`;
  }
  if (height === undefined || block <= height) return undefined;
  return `there is no block ${block} yet: the chain is at height ${height}`;
}

function list(names: ReadonlySet<string>): string {
  return names.size === 0 ? "none, for there is none" : firstFew(names);
}

export function firstFew(names: Iterable<string>): string {
  const shown: string[] = [];
  for (const name of names) {
    if (shown.length === 12) return `${shown.join(", ")}, …`;
    shown.push(name);
  }
  return shown.join(", ");
}
