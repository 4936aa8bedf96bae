import type { ChainConfig } from "../../app/chain-config.ts";
import { ValidatorList } from "../../consensus/validator-list.ts";
import { Node } from "../../network/node/node.ts";
import { CommittedState, CommittedStore } from "../../store/committed-state.ts";
import { Inner, Leaf } from "../../store/node.ts";
import { storableClasses } from "./storable-classes.ts";
import type { Stateful, StorableClass } from "./value-tags.ts";

/** Classes whose object identity matters. */
const IDENTICAL = [Node, ValidatorList, CommittedState, CommittedStore, Leaf, Inner];

/** Fields of a tree node that are derived from the others. */
const WORKED_OUT = ["hash"];

/** Compares the states of two worlds. */
class Comparison {
  readonly #classes: readonly StorableClass[] = storableClasses({} as ChainConfig);
  readonly #there = new Map<object, object>();
  readonly #here = new Map<object, object>();

  of(a: unknown, b: unknown, path: string): string | undefined {
    if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) {
      return Object.is(a, b) ? undefined : `${path}: ${String(a)} and ${String(b)}`;
    }
    const there = this.#there.get(a);
    if (IDENTICAL.some((type) => a instanceof type)) {
      const here = this.#here.get(b);
      if (there !== b && (there ?? here) !== undefined) return `${path}: another object`;
    }
    if (there === b) return undefined;
    this.#there.set(a, b);
    this.#here.set(b, a);
    return this.#contents(a, b, path);
  }

  #contents(a: object, b: object, path: string): string | undefined {
    if (ArrayBuffer.isView(a) || a instanceof Leaf) {
      return `${bytesOf(a)}` === `${bytesOf(b)}` ? undefined : `${path}: other bytes`;
    }
    if (a instanceof ValidatorList && b instanceof ValidatorList) {
      return this.of(listOf(a), listOf(b), `${path} validators`);
    }
    if (a instanceof Map && b instanceof Map) return this.of([...a], [...b], `${path} map`);
    if (a instanceof Set && b instanceof Set) return this.of([...a], [...b], `${path} set`);
    const stored = this.#classes.find(({ type }) => type.prototype === Object.getPrototypeOf(a));
    if (stored !== undefined && Object.getPrototypeOf(b) === stored.type.prototype) {
      const parts = this.of(stored.parts(a), stored.parts(b), `${path}<${a.constructor.name}>`);
      if (parts !== undefined || !stored.stateful) return parts;
      return this.of((a as Stateful).persisted, (b as Stateful).persisted, `${path} kept`);
    }
    return this.#fields(a, b, path);
  }

  #fields(a: object, b: object, path: string): string | undefined {
    const [ours, theirs] = [a, b].map((one) =>
      Object.entries(one).filter(([key]) => !WORKED_OUT.includes(key)),
    );
    const keys = (entries = ours): string => `${entries?.map(([key]) => key)}`;
    if (keys(ours) !== keys(theirs)) return `${path}: ${keys(ours)} and ${keys(theirs)}`;
    for (const [i, [key, value]] of (ours ?? []).entries()) {
      const found = this.of(value, theirs?.[i]?.[1], `${path}.${key}`);
      if (found !== undefined) return found;
    }
    return undefined;
  }
}

const listOf = ({ addresses, pubKeys, powers }: ValidatorList) => [addresses, pubKeys, powers];

const bytesOf = (value: object): unknown =>
  value instanceof Leaf ? [value.key, value.value, value.version] : value;

/** Returns the first difference between two worlds' states; undefined if they are equal. */
export const difference = (a: Stateful, b: Stateful): string | undefined =>
  new Comparison().of(a.persisted, b.persisted, "");
