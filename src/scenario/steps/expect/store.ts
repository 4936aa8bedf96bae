import * as v from "valibot";
import { fromHex, toHex } from "../../../engine/primitives/bytes.ts";
import { defineExpectation } from "../../expectation.ts";
import { LIMITS, map, text, wholeOrReference } from "../../fields.ts";
import { isReference, resolveNumber, resolveText } from "../../references.ts";
import { StepError } from "../../world.ts";

const hex = v.pipe(
  v.string("bytes in hex"),
  v.check((written) => isReference(written) || isHex(written), "bytes in hex"),
);

const value = v.pipe(
  v.string("present, absent or bytes in hex"),
  v.check(
    (written) =>
      written === "present" || written === "absent" || isReference(written) || isHex(written),
    "present, absent or bytes in hex",
  ),
);

const isHex = (written: string): boolean => /^([0-9a-fA-F]{2})*$/.test(written);

/** What stands under a key of a module's store. */
export const store = defineExpectation({
  key: "store",
  args: map({
    store: text,
    key: hex,
    value,
    height: v.optional(wholeOrReference(0, LIMITS.height)),
  }),
  meet(world, { store: name, key, value: expected, height }) {
    const bytes = resolveText(world, key);
    if (!isHex(bytes)) throw new StepError(`expected bytes in hex, found "${bytes}"`, "key");
    const at = height === undefined ? undefined : resolveNumber(world, height);
    const found = world.sim.storeValue(name, fromHex(bytes), at);
    const state = found === undefined ? "absent" : "present";
    const wanted = resolveText(world, expected);
    const met =
      wanted === "present" || wanted === "absent"
        ? wanted === state
        : found !== undefined && toHex(found) === wanted.toLowerCase();
    if (met) return;
    throw new StepError(
      `store ${name}, key ${bytes}: expected ${wanted}, found ${found ? toHex(found) : "nothing"}`,
      "value",
    );
  },
});
