/** Every decoder on changed bytes: it gives a value, or throws an error on purpose. */
import { fromBinary, toBinary } from "@bufbuild/protobuf";
import { accAddress, decodeBech32 } from "../../src/base/bech32.ts";
import { fromUtf8, toHex, utf8 } from "../../src/base/bytes.ts";
import { decFromString, decToString } from "../../src/base/dec.ts";
import { parseDuration } from "../../src/base/duration.ts";
import { durationToText } from "../../src/base/duration-text.ts";
import { fromHex } from "../../src/base/from-hex.ts";
import { formatRfc3339, parseRfc3339 } from "../../src/base/time.ts";
import { readUvarint, uvarint } from "../../src/base/varint.ts";
import { upgradeInfoJson } from "../../src/engine/modules/upgrade/upgrade-info.ts";
import {
  BLANK_SIGNER_STATE,
  lastSignedPosition,
} from "../../src/engine/network/node/signer-state.ts";
import { goJsonError } from "../../src/engine/network/sidecar/go-json.ts";
import { parsePlanInfo } from "../../src/engine/network/sidecar/plan-info.ts";
import { readPlan, rereadPlan } from "../../src/engine/network/sidecar/upgrade-watch.ts";
import { validateBinaries } from "../../src/engine/network/sidecar/validate-info.ts";
import { assertInvariant } from "../../src/engine/simulation/invariants.testing.ts";
import { Simulation } from "../../src/engine/simulation/simulation.ts";
import { worldSpec } from "../../src/engine/simulation/testing.ts";
import { isLanguageError } from "../../src/engine/simulation/world-invariants.testing.ts";
import { registry } from "../../src/gen/registry.ts";
import { readSource } from "../../src/scenario/source.ts";
import { fromBase64 } from "../../src/view/base64.ts";
import { messageFromJson, messageToJson } from "../../src/view/json.ts";
import type { Draw } from "./draw.ts";
import { KEPT, KEYS, readKeys } from "./kept-decoders.ts";
import { drawMessage, MESSAGES } from "./messages.ts";
import { mutateBytes, mutateText, mutateValue } from "./mutate.ts";
import { type Target, tried } from "./target.ts";

interface Decoder {
  /** Something it reads. */
  sample(draw: Draw): string;
  /** Reads, and writes what it read; undefined if it does not write. */
  decode(text: string): string | undefined;
}

const ADDRESS = accAddress(new Uint8Array(20).fill(7));
const PLAN = '{"binaries":{"linux/amd64":"https://x.example/a?checksum=sha256:aa"}}';

/** Decoders of texts. */
const TEXTS: Readonly<Record<string, Decoder>> = {
  "go-json": { sample: () => PLAN, decode: (text) => void agreesWithJson(text) },
  bech32: {
    sample: () => ADDRESS,
    decode: (text) => accAddress(decodeBech32("chain", text)),
  },
  "upgrade-info": {
    sample: () => upgradeInfoJson(12, { name: "v2", info: PLAN, height: 12n } as never),
    decode: (text) => void [readPlan(text), rereadPlan(text)],
  },
  "plan-info": {
    sample: () => PLAN,
    decode: (text) =>
      void validateBinaries(
        parsePlanInfo(text, false, () => PLAN),
        true,
      ),
  },
  "signer-state": {
    sample: () => BLANK_SIGNER_STATE,
    decode: (text) => void lastSignedPosition(text),
  },
  decimal: {
    sample: () => "0.333333333333333333",
    decode: (text) => decToString(decFromString(text)),
  },
  time: {
    sample: () => "2026-01-01T00:00:00.5Z",
    decode: (text) => formatRfc3339(parseRfc3339(text)),
  },
  duration: { sample: () => "1h30m0.5s", decode: (text) => durationToText(parseDuration(text)) },
  hex: { sample: () => "00ab", decode: (text) => toHex(fromHex(text)) },
  base64: {
    sample: () => "aGVsbG8=",
    decode: (text) => btoa(String.fromCharCode(...fromBase64(text))),
  },
  "record-key": {
    sample: () => KEYS.join(" "),
    decode: readKeys,
  },
  yaml: {
    sample: () => "a: [1, {b: &x c}, *x]\nd: |\n  e\n",
    decode: (text) => void readSource(text, "x"),
  },
};

/** Readers parse with JSON.parse what it accepts. */
function agreesWithJson(text: string): void {
  const accepted = goJsonError(text) === undefined;
  let parses = true;
  try {
    JSON.parse(text);
  } catch {
    parses = false;
  }
  assertInvariant("what Go's JSON accepts is JSON", !accepted || parses, () =>
    JSON.stringify(text),
  );
}

interface Case {
  readonly decoder: string;
  readonly text?: string;
  readonly hex?: string;
  readonly json?: unknown;
}

const messages = [...registry].filter((desc) => desc.kind === "message");

/** A message of the registry, which transactions carry, on a chain. */
function deliver(type: string, bytes: Uint8Array): void {
  const sim = Simulation.create(worldSpec());
  const message = { $typeName: "google.protobuf.Any" as const, typeUrl: `/${type}`, value: bytes };
  sim.apply({ type: "tx", signer: "alice", messages: [message] });
  sim.advance();
  const [tx] = sim.block(1)?.txs ?? [];
  assertInvariant("a transaction of any bytes is in its block", tx !== undefined, () => type);
}

function decode({ decoder, text, hex = "", json }: Case): Promise<void> | void {
  const known = TEXTS[decoder];
  if (known !== undefined) {
    const written = known.decode(text ?? "");
    if (written === undefined) return;
    const again = known.decode(written);
    assertInvariant(
      "what was read is read again",
      again === written,
      () => `${decoder}: ${again}, ${written}`,
    );
    return;
  }
  const bytes = fromHex(hex);
  const kept = KEPT[decoder];
  if (kept !== undefined) return kept.decode(bytes);
  if (decoder === "varint") {
    // Only the engine's own bytes are read with it: those that are none are a bug, and a RangeError.
    const read = unlessRefused(() => readUvarint(bytes));
    if (read === undefined) return;
    const { value, next } = read;
    assertInvariant("a varint is as long as it says", next <= bytes.length, () => `${next}`);
    assertInvariant(
      "a varint is read again",
      readUvarint(uvarint(value)).value === value,
      () => `${value}`,
    );
    return;
  }
  if (decoder === "utf8") return void fromUtf8(bytes);
  const desc = messages.find(({ typeName }) => typeName === decoder);
  if (desc === undefined) return;
  if (json !== undefined) {
    const message = messageFromJson(desc, json);
    const shown = JSON.stringify(messageToJson(desc, message));
    const again = JSON.stringify(messageToJson(desc, messageFromJson(desc, JSON.parse(shown))));
    assertInvariant("what is shown is read again", again === shown, () => `${again}, ${shown}`);
    return;
  }
  if (MESSAGES.includes(desc)) deliver(decoder, bytes);
  const message = unlessRefused(() => fromBinary(desc, bytes));
  if (message === undefined) return;
  const written = toBinary(desc, message);
  const again = toBinary(desc, fromBinary(desc, written));
  assertInvariant("a message is read again", toHex(again) === toHex(written), () => toHex(written));
  messageToJson(desc, message);
}

/** A value, or undefined where the library refuses bytes with whatever error. */
function unlessRefused<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

export const decoders: Target = {
  name: "decoders",
  about: "every decoder on changed bytes and texts",

  async draw(draw: Draw) {
    await tried(decoders, drawCase(draw));
  },

  async run(given) {
    try {
      await decode(Object(given));
    } catch (error) {
      if (isLanguageError(error) || (error as Error).name === "InvariantError") throw error;
    }
  },
};

function drawCase(draw: Draw): Case {
  if (draw.chance(0.4)) {
    const [decoder, { sample }] = draw.pick(Object.entries(TEXTS));
    return { decoder, text: mutateText(draw, sample(draw)) };
  }
  if (draw.chance(0.2)) {
    const [decoder, kept] = draw.pick(Object.entries(KEPT));
    return { decoder, hex: toHex(kept.draw(draw)) };
  }
  if (draw.chance(0.1)) {
    const decoder = draw.pick(["varint", "utf8"]);
    const bytes = decoder === "utf8" ? utf8("añ🙂") : uvarint(draw.between(0, 2 ** 31));
    return { decoder, hex: toHex(mutateBytes(draw, bytes)) };
  }
  const desc = draw.pick(draw.chance(0.5) ? MESSAGES : messages);
  const known = { people: ["a"], validators: ["b"], plans: ["v2"], height: 5, times: TIMES };
  const { "@type": _, ...json } = drawMessage(draw, known, "a", desc);
  const named = JSON.parse(JSON.stringify(json).replace(/\$\{[^}]*\}/g, ADDRESS));
  if (draw.chance(0.5)) return { decoder: desc.typeName, json: mutateValue(draw, named) };
  const message = unlessRefused(() => messageFromJson(desc, named));
  const bytes = message === undefined ? draw.bytes(20) : toBinary(desc, message);
  return { decoder: desc.typeName, hex: toHex(mutateBytes(draw, bytes)) };
}

const TIMES = ["2026-01-01T00:00:00Z", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z"];
