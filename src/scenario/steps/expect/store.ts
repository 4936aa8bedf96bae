import * as v from "valibot";
import { toHex } from "../../../base/bytes.ts";
import { fromHex } from "../../../base/from-hex.ts";
import { isHex, notHex } from "../../../base/hex-text.ts";
import { isReference, literalParts } from "../../../base/reference-syntax.ts";
import { defineExpectation } from "../../expectation.ts";
import { about, integerOrReference, LIMITS, map, text } from "../../fields.ts";
import { resolveNumber, resolveText } from "../../references.ts";
import { StepError, Unanswerable } from "../../step-context.ts";

const hex = v.pipe(
  v.string("bytes in hex"),
  v.check((source) => isHex(source) || mayBeHex(source), "bytes in hex"),
);

const value = v.pipe(
  v.string("present, absent or bytes in hex"),
  v.check(
    (source) => source === "present" || source === "absent" || isHex(source) || mayBeHex(source),
    "present, absent or bytes in hex",
  ),
);

/** The text around references is known before their values are. */
const mayBeHex = (source: string): boolean =>
  isReference(source) && /^[0-9a-fA-F]*$/.test(literalParts(source));

/** Checks the value under a key of a module's store. */
export const store = defineExpectation({
  key: "store",
  args: map({
    store: about(text, "Name of the module's store."),
    key: about(hex, "The key, in hex."),
    value: about(value, "present, absent, or the bytes in hex."),
    height: about(
      v.optional(integerOrReference(0, LIMITS.height)),
      "State after this height. Default: the last one.",
    ),
  }),
  reads: ({ store }) => ({ store }),
  check({ store: name }, check) {
    check.store(name, "store");
  },
  *opens(context, { height }) {
    if (height !== undefined) yield { kind: "state", height: resolveNumber(context, height) };
  },
  verify(context, { store: name, key, value: expected, height }) {
    const bytes = resolveText(context, key);
    if (!isHex(bytes)) throw new StepError(notHex("bytes", bytes), "key");
    const at = height === undefined ? undefined : resolveNumber(context, height);
    const { sim } = context;
    const state = sim.state(at);
    if (!state.has(name)) {
      const stores = state.storeNames.join(", ");
      throw new Unanswerable(
        `the chain has no store ${name} at height ${at ?? sim.height}: expected ${stores}`,
        "store",
      );
    }
    const found = sim.storeValue(name, fromHex(bytes), at);
    const presence = found === undefined ? "absent" : "present";
    const wanted = resolveText(context, expected);
    const matches =
      wanted === "present" || wanted === "absent"
        ? wanted === presence
        : found !== undefined && toHex(found) === wanted.toLowerCase();
    const shown = found ? toHex(found) : "nothing";
    if (matches) return shown;
    throw new StepError(`store ${name}, key ${bytes}: expected ${wanted}, found ${shown}`, "value");
  },
});
