import { equal } from "../../../base/bytes.ts";
import { sha256 } from "../../../base/sha256.ts";
import { ByteReader, ByteWriter } from "./byte-stream.ts";
import { type Elsewhere, readTrees, type StoredPrefix, TreeWriter } from "./tree-stream.ts";
import type { ReadElsewhere } from "./value-reader.ts";

/** Shorter byte arrays are inlined among the values. */
const LEAST_SHARED = 4096;

/**
 * Parts of a world that most later keyframes share: the nodes of its trees, and the long byte
 * arrays that only grow. Saved once for many keyframes, since it is most of a world's data. Packs
 * do not depend on each other.
 */
export interface Pack extends ReadElsewhere {
  readonly id: Uint8Array;
}

/** A pack as it was written. */
export interface StoredPack {
  readonly id: Uint8Array;
  readonly bytes: Uint8Array;
  readonly numbers: TreeWriter["own"];
  readonly blobs: readonly Uint8Array[];
}

/** Writes the parts that keyframes share: a new pack, or the additions since an existing one. */
export class PackWriter implements Elsewhere {
  readonly #before: StoredPack | undefined;
  readonly #trees: TreeWriter;
  readonly #blobs: Uint8Array[] = [];

  constructor(before?: StoredPack) {
    this.#before = before;
    this.#trees = new TreeWriter(before?.numbers);
  }

  numberOf(root: Parameters<Elsewhere["numberOf"]>[0]): number {
    return this.#trees.numberOf(root);
  }

  /** Byte arrays arrive in the same order each time; if not, they share no prefix. */
  prefixOf(bytes: Uint8Array): StoredPrefix | undefined {
    if (bytes.length < LEAST_SHARED) return undefined;
    const place = this.#blobs.push(bytes) - 1;
    if (this.#before === undefined) return { position: place, length: bytes.length };
    const blob = this.#before.blobs[place];
    if (blob === undefined || blob.length > bytes.length) return undefined;
    return equal(blob, bytes.subarray(0, blob.length))
      ? { position: place, length: blob.length }
      : undefined;
  }

  /** Ratio of nodes added since the pack to nodes in it. */
  get growth(): number {
    return this.#trees.own.size / Math.max(this.#before?.numbers.size ?? 0, 1);
  }

  /** Returns the trees added since the pack. */
  finish(): Uint8Array {
    return this.#trees.finish();
  }

  /** Returns everything written, as a pack. */
  pack(): StoredPack {
    const out = new ByteWriter();
    for (const part of [this.#trees.finish(), ...this.#blobs]) {
      out.count(part.length);
      out.raw(part);
    }
    const bytes = out.finish();
    const blobs = this.#blobs.map((blob) => blob.slice());
    return { id: packId(bytes), bytes, numbers: this.#trees.own, blobs };
  }
}

/** Identifies a pack: equal for equal bytes. */
const packId = (bytes: Uint8Array): Uint8Array => sha256(bytes);

/** Throws a RangeError if the bytes are not a pack. */
export function readPack(bytes: Uint8Array): Pack {
  const reader = new ByteReader(bytes);
  const trees = readTrees(reader.raw(reader.parts()));
  const blobs: Uint8Array[] = [];
  while (reader.remaining > 0) blobs.push(reader.raw(reader.parts()));
  return { id: packId(bytes), trees, blobs };
}
