/**
 * The values of scenario files. Every schema's message states the expected value; the found value
 * and its position are added when problems are reported (problems.ts).
 */
import * as v from "valibot";
import { type Dec, decFromString, ONE } from "../base/dec.ts";
import { parseDuration } from "../base/duration.ts";
import { INPUT } from "../base/limits.ts";
import { isReference } from "../base/reference-syntax.ts";
import { emptyMap } from "../base/text-error.ts";
import { type Duration, HOUR, MAX_DURATION, parseRfc3339 } from "../base/time.ts";
import { LIMITS } from "../engine/simulation/genesis/params.ts";
import { checkAnyJson } from "../view/json.ts";

export { LIMITS };

/** Powers stay exact below this supply, in the smallest unit. */
export const MAX_SUPPLY = 9_000_000_000_000_000_000_000n;
const MOST = `${MAX_DURATION / HOUR}h (100 years)`;

/** A map with these keys and no others. */
export const map = <const E extends v.ObjectEntries>(entries: E) =>
  v.strictObject(entries, `a map with ${Object.keys(entries).join(", ")}`);

/** The same schema with a sentence for the published JSON Schema. */
export const about = <S extends v.GenericSchema>(schema: S, description: string) =>
  v.pipe(schema, v.description(description));

/** A format and its predicate. */
type Form = readonly [is: (input: unknown) => boolean, schema: v.GenericSchema];

/**
 * One of several formats. The format is selected before its content is checked, so that problems
 * refer to the intended one. In the JSON Schema it is a plain "any of".
 */
export function choice<const F extends readonly Form[]>(
  expected: string,
  ...forms: F
): v.GenericSchema<v.InferInput<F[number][1]>, v.InferOutput<F[number][1]>> {
  const union = v.union(forms.map(([, schema]) => schema));
  const none = v.custom(() => false, expected);
  return {
    ...union,
    "~run": (dataset, config) => {
      const form = forms.find(([is]) => is(dataset.value));
      return (form?.[1] ?? none)["~run"](dataset, config) as ReturnType<(typeof union)["~run"]>;
    },
  };
}

/**
 * A map with arbitrary keys; the result has no prototype. valibot's own silently drops
 * `constructor` and `prototype`; `__proto__` is refused, since not every storage format of a world
 * supports such a key.
 */
export function record<
  const K extends v.GenericSchema<string, string>,
  const V extends v.GenericSchema,
>(key: K, value: V, expected: string, most: number) {
  const schema = v.record(key, value, expected);
  const run: (typeof schema)["~run"] = (dataset, config) => {
    const { value: input } = dataset;
    if (!isMap(input)) return schema["~run"](dataset, config);
    const keys = Object.keys(input);
    if (keys.length > most) {
      return refused(`${expected}, at most ${most}`, { value: keys.length }, config) as never;
    }
    const issues: v.BaseIssue<unknown>[] = [];
    const read = emptyMap();
    for (const own of keys) {
      const at = { type: "object", origin: "key", input, key: own, value: input[own] } as const;
      const place = (origin: "key" | "value") => (issue: v.BaseIssue<unknown>) =>
        issues.push({ ...issue, path: [{ ...at, origin }, ...(issue.path ?? [])] });
      if (own === "__proto__") {
        const name = refused("another name than __proto__", { value: own }, config);
        name.issues?.forEach(place("key"));
        continue;
      }
      const named = key["~run"]({ value: own }, config);
      const found = value["~run"]({ value: input[own] }, config);
      named.issues?.forEach(place("key"));
      found.issues?.forEach(place("value"));
      read[own] = found.value;
    }
    return (issues[0] ? { value: read, issues } : { typed: true, value: read }) as never;
  };
  return { ...schema, "~run": run };
}

/** A list with a maximum length, checked before any of its elements. */
export function list<const S extends v.GenericSchema>(
  item: S,
  expected: string,
  most: number = INPUT.list,
) {
  const schema = v.array(item, expected);
  const run: (typeof schema)["~run"] = (dataset, config) => {
    const { value } = dataset;
    if (!Array.isArray(value) || value.length <= most) return schema["~run"](dataset, config);
    return refused(`${expected}, at most ${most}`, { value: value.length }, config) as never;
  };
  return v.pipe({ ...schema, "~run": run }, v.metadata({ maxItems: most }));
}

const refused = (
  expected: string,
  dataset: Parameters<v.GenericSchema["~run"]>[0],
  config: v.Config<v.BaseIssue<unknown>>,
) => v.custom(() => false, expected)["~run"](dataset, config);

/** The same schema for a map with additional keys, all of which are preserved. */
export function withUnknownKeys<const S extends v.GenericSchema<Record<string, unknown>>>(
  schema: S,
): S {
  const run: S["~run"] = (dataset, config) => {
    const { value } = dataset;
    const read = schema["~run"](dataset, config);
    return (read.typed ? { ...read, value } : read) as ReturnType<S["~run"]>;
  };
  return { ...schema, "~run": run };
}

export const isMap = (input: unknown): input is Record<string, unknown> =>
  typeof input === "object" && input !== null && !Array.isArray(input);

// Predicates that select a format.
export const isList = (input: unknown): boolean => Array.isArray(input);
export const isText = (input: unknown): boolean => typeof input === "string";
export const isScalar = (input: unknown): boolean => typeof input !== "object" || input === null;
export const has =
  (key: string) =>
  (input: unknown): boolean =>
    isMap(input) && Object.hasOwn(input, key);

export const integer = (least: number, greatest: number) => {
  const text = `a whole number from ${least} to ${greatest}`;
  return v.pipe(
    v.number(text),
    v.integer(text),
    v.minValue(least, text),
    v.maxValue(greatest, text),
  );
};

export const height = integer(1, LIMITS.height);

/** An integer, or a reference such as `$p` or `${height}` to one. */
export const integerOrReference = (least: number, greatest: number) =>
  choice(
    "a number",
    [isText, reference(`a whole number from ${least} to ${greatest}`)],
    [() => true, integer(least, greatest)],
  );

const reference = (expected: string) =>
  v.pipe(v.string(), v.check(isReference, expected), v.metadata({ pattern: "\\$" }));

/** All of them, or the named ones. */
export const allOrNamed = (what: string) =>
  choice(
    `all or a list of ${what}`,
    [isText, oneOf("all")],
    [
      isList,
      v.pipe(list(text, `a list of ${what}`), v.minLength(1, `at least one of the ${what}`)),
    ],
  );

export const text = v.string("text");

export const flag = v.boolean("true or false");

/** File-safe names of nodes, accounts, binaries and results. */
export const name = v.pipe(
  v.string("a name"),
  v.regex(
    /^[A-Za-z][A-Za-z0-9_-]*$/,
    "a name of letters, digits, - and _ that begins with a letter",
  ),
);

export const isName = (input: string): boolean => v.is(name, input);

export const oneOf = <const T extends readonly string[]>(...options: T) =>
  v.picklist(options, `one of ${options.join(", ")}`);

/**
 * Maximum characters of a duration, a time or an amount: more than any needs, and cheap to parse.
 */
const MAX_SHOWN = 200;

/** Text that `read` accepts; if it throws, the text is invalid. */
function parsed<T>(expected: string, read: (source: string) => T, pattern: string) {
  return v.pipe(
    v.string(expected),
    v.check(
      (source) => source.length <= MAX_SHOWN && attempt(() => read(source)) !== undefined,
      expected,
    ),
    v.metadata({ pattern }),
    v.description(expected),
    v.transform(read),
  );
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function boundedDuration(source: string, least: Duration): Duration {
  const value = parseDuration(source);
  if (value < least || value > MAX_DURATION) throw new RangeError(source);
  return value;
}

/** A positive duration in Go's notation; nanoseconds. */
export const duration = parsed(
  `a duration such as 5s or 48h, above 0 and at most ${MOST}`,
  (source) => boundedDuration(source, 1n),
  "^([0-9.]+(ns|us|µs|ms|s|m|h))+$",
);

/** The same, also negative. */
export const offset = parsed(
  `a duration such as 10s or -10s, at most ${MOST} forward or back`,
  (source) => boundedDuration(source, -MAX_DURATION),
  "^[+-]?([0-9.]+(ns|us|µs|ms|s|m|h))+$",
);

/** The years are limited to those of protobuf's Timestamp. */
const timeText = "a time such as 2026-01-01T00:00:00Z, in the years 1 to 9999";

/** RFC 3339; nanoseconds since the epoch. */
export const time = parsed(timeText, parseRfc3339, "^\\d{4}-\\d\\d-\\d\\dT");

/** A time, or a reference such as `${time@3}`; stays text, which is parsed when the step runs. */
export const timeOrReference = v.pipe(
  v.string(timeText),
  v.check(
    (source) => isReference(source) || attempt(() => parseRfc3339(source)) !== undefined,
    timeText,
  ),
);

const fractionText = 'a decimal from 0 to 1 such as "0.05"';

/** A fraction from 0 to 1, as text or number; Dec. */
export const fraction = v.pipe(
  v.union([v.string(), v.number()], fractionText),
  v.check((source) => {
    const digits = String(source);
    const value = digits.length > MAX_SHOWN ? undefined : attempt(() => decFromString(digits));
    return value !== undefined && value >= 0n && value <= ONE;
  }, fractionText),
  v.transform((source): Dec => decFromString(String(source))),
);

/**
 * True if a number was parsed without loss; also for fractions and out-of-range numbers, which are
 * refused elsewhere.
 */
const isExact = (source: string | number): boolean =>
  !Number.isInteger(source) ||
  Number.isSafeInteger(source) ||
  Number(source) < 0 ||
  Number(source) > Number(MAX_SUPPLY);

/** Tokens in the smallest unit, as text or number. */
function tokens(least: bigint) {
  const expected = `an amount, a whole number from ${least} to ${MAX_SUPPLY}`;
  return v.pipe(
    v.union([v.string(), v.number()], expected),
    v.check(isExact, `an amount above ${Number.MAX_SAFE_INTEGER} in quotes, to be exact`),
    v.check((source) => {
      if (!/^[0-9]{1,22}$/.test(String(source))) return false;
      const value = BigInt(source);
      return value >= least && value <= MAX_SUPPLY;
    }, expected),
    v.description(expected),
    v.transform((source) => BigInt(source)),
  );
}

export const amount = tokens(1n);
export const amountOrNone = tokens(0n);

export interface Coin {
  readonly amount: bigint;
  readonly denom: string;
}

const COIN = /^([0-9]{1,22})([a-zA-Z][a-zA-Z0-9/:._-]{2,127})$/;

/** An amount with its denom, `10000000stake`. */
export const coin = parsed(
  "an amount with its denom such as 10000000stake",
  (source): Coin => {
    const [, digits, denom] = COIN.exec(source) ?? [];
    if (digits === undefined || denom === undefined) throw new Error(source);
    return { amount: BigInt(digits), denom };
  },
  COIN.source,
);

/** A message of the chain, `{"@type": "/chain.…", …}`; checked as far as references allow. */
export const message = v.pipe(
  withUnknownKeys(
    v.looseObject(
      {
        "@type": about(
          v.string('text such as "/chain.bank.v1beta1.MsgSend"'),
          "Type of the message, such as /chain.bank.v1beta1.MsgSend or /cosmos.bank.v1beta1.MsgSend. Its fields are keys of the same map.",
        ),
      },
      "a message, a map with @type",
    ),
  ),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    for (const problem of checkAnyJson(dataset.value, isReference)) {
      const [first, ...rest] = problem.path.map((key) => ({
        type: "unknown" as const,
        origin: "value" as const,
        input: dataset.value,
        key,
        value: undefined,
      }));
      addIssue({ message: problem.message, ...(first ? { path: [first, ...rest] } : {}) });
    }
  }),
);

export const messages = v.pipe(
  list(message, "a list of messages", INPUT.messages),
  v.minLength(1, "at least one message"),
);
