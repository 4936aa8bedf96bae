import { concat, fromUtf8, readU64be, u64be, utf8 } from "../../../base/bytes.ts";
import type { Profile } from "../../framework/profile.ts";
import type { Entry } from "../../store/kv-store.ts";
import type { Done } from "./types.ts";

/** Prefixes of the store (rules/upgrade 2.1). */
export const PREFIX = { plan: 0x00, done: 0x01, version: 0x02, protocolVersion: 0x03 } as const;

export const PLAN_KEY = Uint8Array.of(PREFIX.plan);
export const DONE_PREFIX = Uint8Array.of(PREFIX.done);
export const VERSION_PREFIX = Uint8Array.of(PREFIX.version);
export const PROTOCOL_VERSION_KEY = Uint8Array.of(PREFIX.protocolVersion);

export const versionKey = (module: string): Uint8Array => concat(VERSION_PREFIX, utf8(module));

type Layout = Profile["doneKey"];

/** Key and value of a completed upgrade in the layout of the profile. */
export function doneEntry(layout: Layout, done: Done): readonly [Uint8Array, Uint8Array] {
  const height = u64be(done.height);
  const name = utf8(done.name);
  return layout === "name"
    ? [concat(DONE_PREFIX, name), height]
    : [concat(DONE_PREFIX, height, name), DONE_VALUE];
}

const DONE_VALUE = Uint8Array.of(0x01);

export function parseDone(layout: Layout, { key, value }: Entry): Done {
  return layout === "name"
    ? { name: fromUtf8(key.subarray(1)), height: Number(readU64be(value)) }
    : { name: fromUtf8(key.subarray(9)), height: Number(readU64be(key, 1)) };
}
