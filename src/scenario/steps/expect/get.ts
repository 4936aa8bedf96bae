import * as v from "valibot";
import { HEIGHT_HEADER } from "../../../base/height-header.ts";
import { isReference } from "../../../base/reference-syntax.ts";
import { inChain } from "../../../engine/framework/codec.ts";
import { atOnce, type Reading, rangesOf } from "../../../view/lab/reading.ts";
import { WorldQueries } from "../../../view/lab/world-queries.ts";
import { typesInCosmos } from "../../../view/namespaces.ts";
import { isRoute, type RestResponse, restReading } from "../../../view/rest.ts";
import { defineExpectation, type Reads } from "../../expectation.ts";
import { about, integer, integerOrReference, LIMITS, map } from "../../fields.ts";
import { firstMismatch, show } from "../../match.ts";
import { resolveAll, resolveNumber, resolveText } from "../../references.ts";
import { type StepContext, StepError, Unanswerable } from "../../step-context.ts";

/** Paths of modules; the first group depends only on the stores. */
const OF_STORES = /^\/(chain|cosmos)\/(auth|bank|consensus|evidence|gov|params|staking|upgrade)\//;
const OF_BLOCKS = /^\/(chain|cosmos)\/(slashing|staking\/v1beta1\/historical_info)\//;

/** Statuses of missing objects, and of queries that this chain's modules do not support yet. */
const NO_ANSWER: ReadonlySet<number> = new Set([404, 501]);

/** True if no route can match a path: a property with it would never be evaluated. */
export const leadsNowhere = (form: {
  readonly get?: unknown;
  readonly status?: unknown;
}): boolean =>
  typeof form.get === "string" &&
  form.get.startsWith("/") &&
  !form.get.includes("$") &&
  form.status !== 501 &&
  !isRoute(inChain(form.get));

function readBy({ get }: { readonly get: string }): Reads {
  if (OF_BLOCKS.test(get)) return "blocks";
  return OF_STORES.test(get) && !isReference(get) ? "stores" : "world";
}

export const pathSchema = v.pipe(
  v.string("a path"),
  v.startsWith("/", "a path that begins with /"),
);

/** Compares the REST interface's answer about the chain or the lab. */
export const get = defineExpectation({
  key: "get",
  args: map({
    get: about(
      pathSchema,
      "Path of a REST query, of the chain or of the lab, such as /lab/v1/nodes/val-0.",
    ),
    status: about(v.optional(integer(100, 599), 200), "HTTP status."),
    json: about(
      v.optional(v.unknown()),
      "Expected part of the response: every key here must exist and match. Lists are compared by position; an empty list matches only an empty one.",
    ),
    height: about(
      v.optional(integerOrReference(0, LIMITS.height)),
      "Queries the state after this height. Default: the last one.",
    ),
  }),
  reads: readBy,
  *opens(context, what) {
    yield* rangesOf(answering(context, what));
  },
  verify(context, what) {
    const { get: target, status, json } = what;
    const path = resolveText(context, target);
    const response = atOnce(answering(context, what));
    if (response.status !== status) {
      const Kind = NO_ANSWER.has(response.status) ? Unanswerable : StepError;
      throw new Kind(
        `GET ${path}: expected status ${status}, found ${response.status} ${show(response.body)}`,
        "status",
      );
    }
    const found = `${status} ${show(response.body)}`;
    if (json === undefined) return found;
    const mismatch = firstMismatch(resolveAll(context, json), response.body, "json");
    if (!mismatch) return found;
    throw new StepError(
      `GET ${path}: expected ${show(mismatch.expected)}, found ${show(mismatch.found)}`,
      mismatch.path,
    );
  },
});

/** The answer at the path of an expectation. */
const answering = (
  context: StepContext,
  { get: path, height }: { readonly get: string; readonly height?: number | string | undefined },
): Reading<RestResponse> =>
  restAnswer(
    context,
    resolveText(context, path),
    height === undefined ? undefined : resolveNumber(context, height),
  );

/** The REST interface's answer about the state after the last block or the requested height. */
export const answerTo = (...args: Parameters<typeof restAnswer>): RestResponse =>
  atOnce(restAnswer(...args));

function* restAnswer(context: StepContext, path: string, height?: number): Reading<RestResponse> {
  const headers = height === undefined ? {} : { [HEIGHT_HEADER]: String(height) };
  const queries = new WorldQueries(context.sim, context.follow);
  const name = inChain(path);
  const response = yield* restReading(queries, "GET", name, headers);
  return name === path ? response : { ...response, body: typesInCosmos(response.body) };
}
