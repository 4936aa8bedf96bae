/**
 * The state of a whole world as bytes, and a world made of them that is the same from then on. Bytes of one
 * build only: one of another format, of another world or with damage is refused, and what it holds comes back
 * by replay. What a person imports holds none, since nothing in it is checked but the newest state.
 */
import { concat, equal, utf8 } from "../../primitives/bytes.ts";
import { sha256 } from "../../primitives/sha256.ts";
import { CommittedState, CommittedStore } from "../../store/committed-state.ts";
import type { WorldSpec } from "../genesis/world-spec.ts";
import { type PastSource, Simulation } from "../simulation.ts";
import { chainConfigOf } from "../world.ts";
import type { Residence } from "../world-pages.ts";
import { CONSTANTS, keptClasses } from "./kept-classes.ts";
import { specHash } from "./spec-hash.ts";
import { ValueReader } from "./value-reader.ts";
import { ValueWriter } from "./value-writer.ts";

/** Grows with every change of what any class keeps, or of how values are written. */
const FORMAT = 9;

const MAGIC = utf8("CLKEYFR");
const HASH_SIZE = 32;
/** Magic, format, hash of the spec, hash of the rest. */
const HEAD_SIZE = MAGIC.length + 1 + 2 * HASH_SIZE;

/** Why a keyframe is not used. */
export class KeyframeError extends Error {
  constructor(text: string, options?: ErrorOptions) {
    super(text, options);
    this.name = "KeyframeError";
  }
}

/** A world's state, the same bytes for the same state. The journal is counted, not held. */
export function writeKeyframe(sim: Simulation): Uint8Array {
  const writer = new ValueWriter(keptClasses(chainConfigOf(sim.spec)), CONSTANTS);
  writer.write(sim.kept);
  const body = writer.finish();
  const head = [MAGIC, Uint8Array.of(FORMAT), specHash(sim.spec), sha256(body)];
  return concat(...head, body);
}

/**
 * The world as it was when the keyframe was written. Throws a KeyframeError, and nothing else.
 * @param source where it finds what is older than the keyframe
 */
export function readKeyframe(
  spec: WorldSpec,
  bytes: Uint8Array,
  source?: PastSource,
  residence?: Residence,
): Simulation {
  try {
    const classes = keptClasses(chainConfigOf(spec));
    const reader = new ValueReader(bodyOf(spec, bytes), classes, CONSTANTS);
    const kept = reader.read();
    reader.finish();
    if (!Array.isArray(kept)) throw new KeyframeError("the keyframe holds no world");
    const sim = Simulation.restore(spec, kept as unknown as Simulation["kept"], source, residence);
    checkAppHash(sim);
    return sim;
  } catch (cause) {
    if (cause instanceof KeyframeError) throw cause;
    throw new KeyframeError("the keyframe cannot be read", { cause });
  }
}

/** What lies behind the head, which must be that of a keyframe of this world. */
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
  if (!equal(part(HEAD_SIZE - HASH_SIZE, HASH_SIZE), sha256(body))) {
    throw new KeyframeError("the keyframe is damaged");
  }
  return body;
}

/** Hashes the newest state anew: its trees are read without their hashes. */
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
