/** Decoders of what is kept of worlds: records, keyframes, pages, files. Checksums are made to fit. */
import { concat, toHex, utf8 } from "../../src/base/bytes.ts";
import { crc32c } from "../../src/base/crc32c.ts";
import { sha256 } from "../../src/base/sha256.ts";
import type { Command } from "../../src/engine/simulation/command.ts";
import { assertInvariant } from "../../src/engine/simulation/invariants.testing.ts";
import { readKeyframe, writeKeyframe } from "../../src/engine/simulation/keyframe/keyframe.ts";
import { Simulation } from "../../src/engine/simulation/simulation.ts";
import { worldSpec } from "../../src/engine/simulation/testing.ts";
import { soundsLikeLanguageError } from "../../src/engine/simulation/world-invariants.testing.ts";
import {
  type PageKey,
  type Residence,
  USUAL_RESIDENCE,
} from "../../src/engine/simulation/world-pages.ts";
import { encode as pack, decode as unpack } from "../../src/session/history/codec.ts";
import { headRecord } from "../../src/session/history/head.ts";
import { History } from "../../src/session/history/history.ts";
import {
  HEADS,
  keyframeKey,
  pageKey,
  readKeyframeKey,
  readPageKey,
  segmentFirst,
  segmentKey,
} from "../../src/session/history/keys.ts";
import { PageRecords } from "../../src/session/history/page-records.ts";
import {
  frameRecord,
  joinRecords,
  RECORD,
  type RecordKind,
  readRecord,
  splitRecords,
} from "../../src/session/history/record.ts";
import { readEntry, readGenesis, readHead } from "../../src/session/saved-schema.ts";
import { MemoryStorage } from "../../src/session/testing.ts";
import { readWorldFile } from "../../src/session/world-file.ts";
import type { Draw } from "./draw.ts";
import { mutateBytes, mutateValue } from "./mutate.ts";

/** A decoder of bytes. */
interface KeptDecoder {
  /** Something it reads, changed. */
  draw(draw: Draw): Uint8Array;
  decode(bytes: Uint8Array): Promise<void> | void;
}

/** Rounds that a world runs after what was read. */
const ROUNDS = 4;
const BUILD = "this-build";
const DATA = { spec: { seed: 5, stake: 10n ** 30n }, journal: [{ at: 1, bytes: utf8("x") }, null] };
const BEGINNING = { spec: worldSpec(), text: "", file: "" };

/** Magic, format, the hash of the spec, and the checksum of the rest. */
const KEYFRAME_HEAD = 7 + 1 + 32 + 4;
/** Before the payload of a record, and before the value in a head's. */
const RECORD_HEAD = 16;
const KIND_AT = 4;
const SEAL = 32;

/** Pages of a few blocks. */
const TINY: Residence = {
  blocks: { pageBlocks: 4, pageBytes: 500, residentBytes: Number.POSITIVE_INFINITY },
  results: { pageBytes: 200, residentBytes: Number.POSITIVE_INFINITY },
  states: USUAL_RESIDENCE.states,
};

function played(residence?: Residence, rounds = 3): Simulation {
  const sim = Simulation.create(worldSpec(), {}, residence);
  for (let i = 0; i < rounds; i++) {
    sim.apply({ type: "tx", signer: "alice", messages: [], memo: `${i}` });
    sim.advance();
  }
  return sim;
}

const changed =
  (sample: () => Uint8Array) =>
  (draw: Draw): Uint8Array =>
    mutateBytes(draw, sample());

/** Data of which values are changed, not bytes. */
const changedData =
  (sample: (draw: Draw) => unknown) =>
  (draw: Draw): Uint8Array =>
    pack(mutateValue(draw, sample(draw)));

function readPage(kind: PageKey["kind"]): KeptDecoder {
  const page = { kind, index: 0 } as const;
  return {
    draw: changed(() => played(TINY, 12).pages.bytes(page) ?? new Uint8Array()),
    async decode(bytes) {
      const { pages } = played(TINY, 12);
      const record = frameRecord(RECORD.page, concat(sha256(utf8(BUILD)), bytes));
      const key = pageKey(page, record.length);
      const storage = new MemoryStorage(new Map([[key, record]]));
      const before = pages.sealed;
      await new PageRecords(storage, "", [key]).read([page], BUILD, (_, bytes) =>
        pages.load(page, bytes),
      );
      assertInvariant("a page takes one place", pages.sealed[kind] === before[kind], () => kind);
    },
  };
}

const COMMANDS: readonly Command[] = [
  { type: "tx", signer: "alice", messages: [], memo: "m" },
  { type: "misbehavior", kind: 1, validator: "val-0", height: 1, time: 5n, power: 7 },
  { type: "double_sign", node: "val-0" },
  { type: "light_client_attack", kind: "lunatic", by: ["val-0"], height: 1 },
  { type: "node", node: "val-0", action: { kind: "skip_upgrades", heights: [10, 20] } },
  { type: "node", node: "val-0", action: { kind: "halt_height", height: 2 } },
  { type: "node", node: "val-0", action: { kind: "halt_time", time: 1_767_225_690 } },
  { type: "node", node: "val-0", action: { kind: "roll_back", blocks: 1 } },
  { type: "node", node: "val-0", action: { kind: "state_sync", from: "val-1" } },
  { type: "node", node: "val-0", action: { kind: "write_file", path: "a", content: "b" } },
  {
    type: "node",
    node: "val-0",
    action: { kind: "sidecar", sidecar: { mode: "download", restartDelay: 5n } },
  },
  { type: "partition", groups: [["val-0"], ["val-1"]] },
  { type: "fault", kind: "partition", groups: [["val-0"]], at: 3, for: 2 },
  { type: "fault", node: "val-0", kind: "clock", at: 2, for: 2, by: -5n },
  { type: "fault", node: "val-0", kind: "flaky", probability: 0.5 },
  { type: "chaos", level: 3, for: 10 },
  { type: "clear_faults", node: "val-0" },
  { type: "release", name: "v2", url: "https://a/b", serves: "empty" },
  {
    type: "binary",
    binary: {
      name: "v9",
      modules: { bank: 5 },
      handlers: ["v2"],
      stores: { v2: { added: ["a"], renamed: [{ oldKey: "b", newKey: "c" }], deleted: ["d"] } },
      migration: { kind: "ok" },
    },
  },
];

/** Runs a world for a while. Throws an InvariantError if it says an error of the language. */
function run(sim: Simulation): void {
  for (let i = 0; i < ROUNDS; i++) sim.advance();
  for (const { log } of sim.block(sim.height)?.txs ?? []) {
    assertInvariant("no transaction meets a bug", !soundsLikeLanguageError(log), () => log);
  }
}

/** The records of a small world's file, one after another. */
function fileRecords(): Uint8Array {
  const sim = played();
  const history = History.begin(new MemoryStorage(), "id", { ...BEGINNING, spec: sim.spec });
  for (const entry of sim.journal) history.add(entry);
  const play = { rounds: sim.rounds, playing: false, speed: 1, blocks: 0, held: false };
  const records = history.records({
    play: { ...play, results: [], steps: [] },
    height: sim.height,
    appHash: sim.appHash,
    impossible: false,
    now: 1,
  });
  return joinRecords(records);
}

/** A record whose length, checksum and seal fit what is in it. */
function fitting(key: string, record: Uint8Array): Uint8Array {
  const payload = record.subarray(RECORD_HEAD);
  if (HEADS.some((head) => head === key)) {
    const head = readHead(unpack(payload.subarray(SEAL)));
    if (head) return headRecord(head);
  }
  return frameRecord((record[KIND_AT] ?? RECORD.head) as RecordKind, payload);
}

export const KEPT: Readonly<Record<string, KeptDecoder>> = {
  data: {
    draw: changed(() => pack(DATA)),
    decode(bytes) {
      const text = pack(unpack(bytes));
      assertInvariant("data is read again", toHex(pack(unpack(text))) === toHex(text), () =>
        toHex(text),
      );
    },
  },
  record: {
    draw: changed(() => frameRecord(RECORD.head, pack(DATA))),
    decode(bytes) {
      const read = readRecord(RECORD.head, "key", bytes);
      if ("damage" in read) return;
      const again = frameRecord(RECORD.head, read.payload);
      assertInvariant("a sound record is one that was written", toHex(again) === toHex(bytes), () =>
        toHex(again),
      );
    },
  },
  keyframe: {
    draw: changed(() => {
      const sim = Simulation.create(worldSpec());
      sim.apply({ type: "node", node: "val-1", action: { kind: "stop" } });
      for (let i = 0; i < 3; i++) sim.advance();
      return writeKeyframe(sim);
    }),
    decode(bytes) {
      // Errors that the checksum detects are of no interest: it is made to match. The behaviour of
      // a world with modified content and a valid checksum is undefined: keyframes are only read
      // where they were stored.
      const [head, body] = [bytes.slice(0, KEYFRAME_HEAD), bytes.slice(KEYFRAME_HEAD)];
      if (head.length === KEYFRAME_HEAD) {
        new DataView(head.buffer).setUint32(KEYFRAME_HEAD - 4, crc32c(body));
      }
      readKeyframe(worldSpec(), Uint8Array.of(...head, ...body));
    },
  },
  "page-of-blocks": readPage("blocks"),
  "page-of-results": readPage("results"),
  beginning: {
    draw: changedData(() => BEGINNING),
    decode(bytes) {
      const beginning = readGenesis(unpack(bytes));
      if (beginning) run(Simulation.create(beginning.spec));
    },
  },
  entry: {
    draw: changedData((draw) => ({ at: 1, command: draw.pick(COMMANDS) })),
    decode(bytes) {
      const entry = readEntry(unpack(bytes));
      if (entry === undefined) return;
      const sim = played();
      sim.apply(entry.command);
      run(sim);
    },
  },
  "record-file": {
    draw: changed(() =>
      joinRecords([
        ["a", utf8("b")],
        ["c", new Uint8Array(9)],
      ]),
    ),
    decode: (bytes) => void [...splitRecords(bytes)],
  },
  "world-file": {
    draw: changed(fileRecords),
    async decode(bytes) {
      const records = [...splitRecords(bytes)].map(
        ([key, record]) => [key, fitting(key, record)] as const,
      );
      const { genesis } = await readWorldFile(frameRecord(RECORD.file, joinRecords(records)));
      Simulation.create(genesis.genesis.spec);
    },
  },
};

/** Keys of records, as the names of a storage have them. */
export const KEYS = [
  segmentKey(5),
  keyframeKey({ rounds: 300, entries: 5 }, 1000, 2).key,
  pageKey({ kind: "blocks", index: 3 }, 500),
];

/** Reads the keys of records in a text; those that are some are written again in one way. */
export function readKeys(text: string): undefined {
  for (const key of text.split(" ")) {
    const keyframe = readKeyframeKey(key);
    const page = readPageKey(key);
    const first = segmentFirst(key);
    const numbers = [
      keyframe?.rounds,
      keyframe?.entries,
      keyframe?.bytes,
      keyframe?.uneven,
      page?.index,
      page?.bytes,
    ];
    for (const number of [...numbers, Number.isNaN(first) ? undefined : first]) {
      const counts = number === undefined || (Number.isSafeInteger(number) && number >= 0);
      assertInvariant("a key counts whole things", counts, () => key);
    }
    if (keyframe) {
      const again = readKeyframeKey(
        keyframeKey(keyframe, keyframe.bytes, keyframe.uneven ?? 0).key,
      );
      const same = again?.rounds === keyframe.rounds && again.entries === keyframe.entries;
      assertInvariant("a keyframe's key is read again", same, () => key);
    }
    if (page)
      assertInvariant(
        "a page's key is read again",
        readPageKey(pageKey(page, page.bytes))?.index === page.index,
        () => key,
      );
  }
  return undefined;
}
