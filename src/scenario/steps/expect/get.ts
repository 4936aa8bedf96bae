import * as v from "valibot";
import { handleRest } from "../../../api/rest.ts";
import { defineExpectation } from "../../expectation.ts";
import { LIMITS, map, whole, wholeOrReference } from "../../fields.ts";
import { firstMismatch, show } from "../../match.ts";
import { resolveAll, resolveNumber, resolveText } from "../../references.ts";
import { StepError } from "../../world.ts";

/** What the chain's REST interface answers. */
export const get = defineExpectation({
  key: "get",
  args: map({
    get: v.pipe(v.string("a path"), v.startsWith("/", "a path that begins with /")),
    status: v.optional(whole(100, 599), 200),
    json: v.optional(v.unknown()),
    height: v.optional(wholeOrReference(0, LIMITS.height)),
  }),
  meet(world, { get: target, status, json, height }) {
    const path = resolveText(world, target);
    const pin = height === undefined ? undefined : resolveNumber(world, height);
    const headers = pin === undefined ? {} : { "x-cosmos-block-height": String(pin) };
    const response = handleRest(world.sim, "GET", path, headers);
    if (response.status !== status) {
      throw new StepError(
        `GET ${path}: expected status ${status}, found ${response.status} ${show(response.body)}`,
        "status",
      );
    }
    if (json === undefined) return;
    const mismatch = firstMismatch(resolveAll(world, json), response.body, "json");
    if (!mismatch) return;
    throw new StepError(
      `GET ${path}: expected ${show(mismatch.expected)}, found ${show(mismatch.found)}`,
      mismatch.path,
    );
  },
});
