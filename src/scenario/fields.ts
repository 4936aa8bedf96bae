/**
 * The values that scenario files are made of. Every schema's message says what is expected; what was
 * found and where is added when problems are reported (problems.ts).
 */
import * as v from "valibot";
import { checkAnyJson } from "../api/json.ts";
import { type Dec, decFromString, ONE } from "../engine/primitives/dec.ts";
import { type Duration, HOUR, parseDuration, parseRfc3339 } from "../engine/primitives/time.ts";
import { LIMITS } from "../engine/simulation/genesis/params.ts";
import { isReference } from "./reference-syntax.ts";

export { LIMITS };

/** Powers stay exact below this supply, smallest unit. */
export const MAX_SUPPLY = 9_000_000_000_000_000_000_000n;
const MAX_DURATION: Duration = 100n * 365n * 24n * HOUR;

/** A map with these keys and no others. */
export const map = <const E extends v.ObjectEntries>(entries: E) =>
  v.strictObject(entries, `a map with ${Object.keys(entries).join(", ")}`);

/** The same schema with a sentence for the published JSON Schema. */
export const about = <S extends v.GenericSchema>(schema: S, description: string) =>
  v.pipe(schema, v.description(description));

/** A form and how it is recognised. */
type Form = readonly [is: (input: unknown) => boolean, schema: v.GenericSchema];

/**
 * One of several forms, told apart before they are looked into, so that a problem is reported in the
 * form that was meant. In the JSON Schema it is a plain "any of".
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

/** Names that valibot leaves out of a record without a word. */
const UNKEPT = ["constructor", "prototype", "__proto__"];

/** A map with names of its own as keys; one that would be left out without a word is refused. */
export function record<
  const K extends v.GenericSchema<string, string>,
  const V extends v.GenericSchema,
>(key: K, value: V, expected: string) {
  const schema = v.record(key, value, expected);
  const run: (typeof schema)["~run"] = (dataset, config) => {
    const { value: input } = dataset;
    const unkept = UNKEPT.find((own) => isMap(input) && Object.hasOwn(input, own));
    if (unkept === undefined) return schema["~run"](dataset, config);
    const refused = v.custom(() => false, `another name than ${unkept}`);
    return refused["~run"](dataset, config) as ReturnType<typeof run>;
  };
  return { ...schema, "~run": run };
}

export const isMap = (input: unknown): input is Record<string, unknown> =>
  typeof input === "object" && input !== null && !Array.isArray(input);

// How forms are recognised.
export const isList = (input: unknown): boolean => Array.isArray(input);
export const isText = (input: unknown): boolean => typeof input === "string";
export const isScalar = (input: unknown): boolean => typeof input !== "object" || input === null;
export const has =
  (key: string) =>
  (input: unknown): boolean =>
    isMap(input) && key in input;

export const whole = (least: number, greatest: number) => {
  const text = `a whole number from ${least} to ${greatest}`;
  return v.pipe(
    v.number(text),
    v.integer(text),
    v.minValue(least, text),
    v.maxValue(greatest, text),
  );
};

export const height = whole(1, LIMITS.height);

/** A whole number, or a reference such as `$p` or `${height}` to one. */
export const wholeOrReference = (least: number, greatest: number) =>
  choice(
    "a number",
    [isText, reference(`a whole number from ${least} to ${greatest}`)],
    [() => true, whole(least, greatest)],
  );

const reference = (expected: string) =>
  v.pipe(v.string(), v.check(isReference, expected), v.metadata({ pattern: "\\$" }));

/** All of them, or those named. */
export const allOrNamed = (what: string) =>
  choice(
    `all or a list of ${what}`,
    [isText, oneOf("all")],
    [
      isList,
      v.pipe(v.array(text, `a list of ${what}`), v.minLength(1, `at least one of the ${what}`)),
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

export const oneOf = <const T extends readonly string[]>(...options: T) =>
  v.picklist(options, `one of ${options.join(", ")}`);

/** Text that `read` accepts; throws mean it does not fit. */
function parsed<T>(expected: string, read: (written: string) => T, pattern: string) {
  return v.pipe(
    v.string(expected),
    v.check((written) => attempt(() => read(written)) !== undefined, expected),
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

function boundedDuration(written: string, least: Duration): Duration {
  const value = parseDuration(written);
  if (value < least || value > MAX_DURATION) throw new RangeError(written);
  return value;
}

/** Go's notation, longer than nothing; nanoseconds. */
export const duration = parsed(
  "a duration such as 5s or 48h",
  (written) => boundedDuration(written, 1n),
  "^([0-9.]+(ns|us|µs|ms|s|m|h))+$",
);

/** The same, also backward. */
export const offset = parsed(
  "a duration such as 10s or -10s",
  (written) => boundedDuration(written, -MAX_DURATION),
  "^[+-]?([0-9.]+(ns|us|µs|ms|s|m|h))+$",
);

/** RFC 3339; nanoseconds since the epoch. */
export const time = parsed(
  "a time such as 2026-01-01T00:00:00Z",
  parseRfc3339,
  "^\\d{4}-\\d\\d-\\d\\dT",
);

/** A time, or a reference such as `${time@3}`; still text, to be read when the step runs. */
export const timeOrReference = v.pipe(
  v.string("a time such as 2026-01-01T00:00:00Z"),
  v.check(
    (written) => isReference(written) || attempt(() => parseRfc3339(written)) !== undefined,
    "a time such as 2026-01-01T00:00:00Z",
  ),
);

const fractionText = 'a decimal from 0 to 1 such as "0.05"';

/** A share of one, as text or number; Dec. */
export const fraction = v.pipe(
  v.union([v.string(), v.number()], fractionText),
  v.check((written) => {
    const value = attempt(() => decFromString(String(written)));
    return value !== undefined && value >= 0n && value <= ONE;
  }, fractionText),
  v.transform((written): Dec => decFromString(String(written))),
);

/** Tokens in the smallest unit, as text or number. */
function tokens(expected: string, least: bigint) {
  return v.pipe(
    v.union([v.string(), v.number()], expected),
    v.check((written) => {
      if (typeof written === "number" && !Number.isSafeInteger(written)) return false;
      return /^[0-9]{1,22}$/.test(String(written)) && BigInt(written) >= least;
    }, expected),
    v.description(expected),
    v.transform((written) => BigInt(written)),
  );
}

export const amount = tokens("an amount, a whole number greater than 0", 1n);
export const amountOrNone = tokens("an amount, a whole number", 0n);

export interface Coin {
  readonly amount: bigint;
  readonly denom: string;
}

const COIN = /^([0-9]{1,22})([a-zA-Z][a-zA-Z0-9/:._-]{2,127})$/;

/** An amount and its denom, `10000000stake`. */
export const coin = parsed(
  "an amount with its denom such as 10000000stake",
  (written): Coin => {
    const [, digits, denom] = COIN.exec(written) ?? [];
    if (digits === undefined || denom === undefined) throw new Error(written);
    return { amount: BigInt(digits), denom };
  },
  COIN.source,
);

/** A message of the chain, `{"@type": "/chain.…", …}`; checked as far as references allow. */
export const message = v.pipe(
  v.looseObject(
    {
      "@type": about(
        v.string('text such as "/chain.bank.v1beta1.MsgSend"'),
        "Which message it is, such as /chain.bank.v1beta1.MsgSend; its fields stand beside it.",
      ),
    },
    "a message, a map with @type",
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
  v.array(message, "a list of messages"),
  v.minLength(1, "at least one message"),
);
