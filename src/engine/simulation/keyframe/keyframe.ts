/**
 * Serializes the complete state of a world, and restores a world that behaves the same from then
 * on. Valid for one build only: keyframes of another format, of another world or with damage are
 * rejected, and their state is recomputed by replay. Imported files contain no keyframes, since
 * only the newest state is checked in a keyframe.
 */
import { EMPTY, equal, utf8 } from "../../../base/bytes.ts";
import { crc32c } from "../../../base/crc32c.ts";
import { CommittedState, CommittedStore } from "../../store/committed-state.ts";
import type { WorldSpec } from "../genesis/world-spec.ts";
import { type HistorySource, Simulation } from "../simulation.ts";
import { chainConfigOf } from "../world.ts";
import type { Residence } from "../world-pages.ts";
import { ByteReader, ByteWriter } from "./byte-stream.ts";
import { type Pack, PackWriter, type StoredPack } from "./keyframe-pack.ts";
import { specHash } from "./spec-hash.ts";
import { CONSTANTS, storableClasses } from "./storable-classes.ts";
import { type Elsewhere, readTrees, SharedTrees, TreeWriter } from "./tree-stream.ts";
import { type ReadElsewhere, ValueReader } from "./value-reader.ts";
import { ValueWriter } from "./value-writer.ts";

/** Incremented when the serialized state of any class or the encoding of values changes. */
const FORMAT = 12;

const MAGIC = utf8("CLKEYFR");
const HASH_SIZE = 32;
const CHECKSUM_SIZE = 4;
/** Magic, format, hash of the spec, checksum of the rest. */
const HEAD_SIZE = MAGIC.length + 1 + HASH_SIZE + CHECKSUM_SIZE;

/** Reason why a keyframe is not used. */
export class KeyframeError extends Error {
  constructor(text: string, options?: ErrorOptions) {
    super(text, options);
    this.name = "KeyframeError";
  }
}

/**
 * Serializes a world's state; equal states give equal bytes. Contains only the length of the
 * journal.
 */
export function writeKeyframe(sim: Simulation): Uint8Array {
  const trees = new TreeWriter();
  const values = valuesOf(sim, {
    numberOf: (root) => trees.numberOf(root),
    prefixOf: () => undefined,
  });
  return keyframeOf(sim, EMPTY, trees.finish(), values);
}

/** Maximum number of keyframes per pack: bounds the data that becomes useless with it. */
const MOST_SERVED = 16;
/** Same while the trees do not change and a new pack would be identical. */
const MOST_SERVED_AT_REST = 64;
/** Growth since the pack, as a share of it, above which the next keyframe gets a new pack. */
const MOST_BESIDE = 0.25;

/** Writes keyframes of one world, each with the additions since a pack that several share. */
export class KeyframeWriter {
  #pack: StoredPack | undefined;
  #served = 0;

  /** Returns a keyframe, the bytes of its pack, and whether the pack is new. */
  write(sim: Simulation): { bytes: Uint8Array; pack: Uint8Array; isNew: boolean } {
    const before = this.#pack;
    const shared = new PackWriter(before);
    const values = valuesOf(sim, shared);
    if (before === undefined) {
      const pack = shared.pack();
      this.#pack = pack;
      this.#served = 1;
      return { bytes: keyframeOf(sim, pack.id, EMPTY, values), pack: pack.bytes, isNew: true };
    }
    this.#served += 1;
    const most = shared.growth === 0 ? MOST_SERVED_AT_REST : MOST_SERVED;
    if (this.#served >= most || shared.growth > MOST_BESIDE) this.forget();
    const bytes = keyframeOf(sim, before.id, shared.finish(), values);
    return { bytes, pack: before.bytes, isNew: false };
  }

  /** Makes the next keyframe start a new pack. */
  forget(): void {
    this.#pack = undefined;
  }
}

/**
 * Returns a factory of copies of a world in its current state, within the same thread: they share
 * its trees.
 */
export function standingAs(
  sim: Simulation,
): (source?: HistorySource, residence?: Residence) => Simulation {
  const { spec } = sim;
  const trees = new SharedTrees();
  const values = valuesOf(sim, trees);
  return (source, residence) =>
    worldOf(spec, values, { trees: trees.roots, blobs: [] }, source, residence);
}

/**
 * Returns a factory of copies of a world in its current state, for experiments: they read history
 * from it.
 * @param inMemory true if a copy refuses operations that need history that is not in memory
 */
export function copiesOf(sim: Simulation, inMemory = false): () => Simulation {
  const make = standingAs(sim);
  return () => make(...sim.forCopies(inMemory));
}

function valuesOf(sim: Simulation, elsewhere: Elsewhere): Uint8Array {
  const writer = new ValueWriter(storableClasses(chainConfigOf(sim.spec)), CONSTANTS, elsewhere);
  writer.write(sim.persisted);
  return writer.finish();
}

/** @param pack id of the required pack; empty for none */
function keyframeOf(
  { spec }: Simulation,
  pack: Uint8Array,
  trees: Uint8Array,
  values: Uint8Array,
): Uint8Array {
  const out = new ByteWriter();
  for (const part of [MAGIC, Uint8Array.of(FORMAT), specHash(spec), new Uint8Array(CHECKSUM_SIZE)])
    out.raw(part);
  for (const part of [pack, trees]) {
    out.count(part.length);
    out.raw(part);
  }
  out.raw(values);
  const bytes = out.finish();
  bytes.set(checksumOf(bytes.subarray(HEAD_SIZE)), HEAD_SIZE - CHECKSUM_SIZE);
  return bytes;
}

function checksumOf(body: Uint8Array): Uint8Array {
  const checksum = new Uint8Array(CHECKSUM_SIZE);
  new DataView(checksum.buffer).setUint32(0, crc32c(body));
  return checksum;
}

/**
 * Restores the world from a keyframe. Throws only KeyframeErrors.
 * @param source source of history older than the keyframe
 * @param pack the pack it was written with
 */
export function readKeyframe(
  spec: WorldSpec,
  bytes: Uint8Array,
  source?: HistorySource,
  residence?: Residence,
  pack?: Pack,
): Simulation {
  try {
    const parts = new ByteReader(bodyOf(spec, bytes));
    const id = parts.raw(parts.parts());
    const trees = parts.raw(parts.parts());
    if (!equal(id, pack?.id ?? EMPTY)) throw new KeyframeError("the keyframe has another pack");
    const shared = { trees: readTrees(trees, pack?.trees), blobs: pack?.blobs ?? [] };
    return worldOf(spec, parts.raw(parts.remaining), shared, source, residence);
  } catch (cause) {
    if (cause instanceof KeyframeError) throw cause;
    throw new KeyframeError("the keyframe cannot be read", { cause });
  }
}

function worldOf(
  spec: WorldSpec,
  values: Uint8Array,
  elsewhere: ReadElsewhere,
  source?: HistorySource,
  residence?: Residence,
): Simulation {
  const classes = storableClasses(chainConfigOf(spec));
  const reader = new ValueReader(values, classes, CONSTANTS, elsewhere);
  const stored = reader.read();
  reader.finish();
  if (!Array.isArray(stored)) throw new KeyframeError("the keyframe holds no world");
  const sim = Simulation.restore(
    spec,
    stored as unknown as Simulation["persisted"],
    source,
    residence,
  );
  checkAppHash(sim);
  return sim;
}

/**
 * Returns the bytes after the head. Throws a KeyframeError unless the head is that of a keyframe of
 * this world.
 */
function bodyOf(spec: WorldSpec, bytes: Uint8Array): Uint8Array {
  const part = (from: number, length: number) => bytes.subarray(from, from + length);
  if (bytes.length < HEAD_SIZE) throw new KeyframeError("the keyframe is cut off");
  if (!equal(part(0, MAGIC.length), MAGIC)) throw new KeyframeError("this is no keyframe");
  const format = bytes[MAGIC.length];
  if (format !== FORMAT) {
    throw new KeyframeError(`the keyframe has format ${format}; this version reads ${FORMAT}`);
  }
  if (!equal(part(MAGIC.length + 1, HASH_SIZE), specHash(spec))) {
    throw new KeyframeError("the keyframe is of another world");
  }
  const body = bytes.subarray(HEAD_SIZE);
  if (!equal(part(HEAD_SIZE - CHECKSUM_SIZE, CHECKSUM_SIZE), checksumOf(body))) {
    throw new KeyframeError("the keyframe is damaged");
  }
  return body;
}

/** Rehashes the newest state: its trees are stored without hashes. */
function checkAppHash(sim: Simulation): void {
  const state = sim.state();
  const stores = state.storeNames.map((name) => {
    const { root, memory } = state.store(name);
    return new CommittedStore(name, root, memory);
  });
  if (!equal(new CommittedState(stores).appHash, sim.appHash)) {
    throw new KeyframeError(`the keyframe's state has another app hash at height ${sim.height}`);
  }
}
