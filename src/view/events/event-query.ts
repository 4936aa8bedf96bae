/**
 * CometBFT's query language for events: `tm.event='Tx' AND tx.height>5` (rules/clients 3.1). The
 * error texts are CometBFT's.
 */
import { utf8 } from "../../base/bytes.ts";
import { formatRfc3339, parseRfc3339, type Time } from "../../base/time.ts";

/** Events by `type.key`, with all values of the attribute. */
export type EventMap = Readonly<Record<string, readonly string[]>>;

type Operator = "=" | "<" | "<=" | ">" | ">=" | "CONTAINS" | "EXISTS";

/** Right-hand side of a comparison. */
type Operand =
  | { readonly kind: "string"; readonly text: string }
  | { readonly kind: "number"; readonly number: Decimal; readonly text: string }
  | { readonly kind: "timestamp" | "datestamp"; readonly time: Time };

/** One condition of a query; all of them must hold. */
export interface EventCondition {
  readonly key: string;
  readonly operator: Operator;
  /** Undefined for EXISTS alone. */
  readonly operand: Operand | undefined;
}

export type EventQuery = readonly EventCondition[];

/** Thrown for an invalid query. */
export class EventQueryError extends Error {}

/** Parses a query. Throws an EventQueryError with the byte offset and the expected token. */
export function parseEventQuery(text: string): EventQuery {
  const scanner = new Scanner(text);
  const conditions = [readCondition(scanner)];
  for (let token = scanner.next(); token !== undefined; token = scanner.next()) {
    if (token.kind !== "AND operator") {
      throw new EventQueryError(`offset ${token.at}: got ${token.kind}, want AND operator`);
    }
    conditions.push(readCondition(scanner));
  }
  return conditions;
}

/** A query in CometBFT's normal form: equivalent texts have the same one. */
export const eventQueryText = (query: EventQuery): string =>
  query
    .map(({ key, operator, operand }) =>
      operand === undefined ? `${key} ${operator}` : `${key} ${operator} ${operandText(operand)}`,
    )
    .join(" AND ");

function operandText(operand: Operand): string {
  switch (operand.kind) {
    case "string":
      return `'${operand.text}'`;
    case "number":
      return operand.text;
    case "timestamp":
      return `TIME ${formatRfc3339(operand.time)}`;
    case "datestamp":
      return `DATE ${formatRfc3339(operand.time).slice(0, 10)}`;
  }
}

/**
 * The integers between two bounds that a query allows for a key; none if the first is above the
 * second.
 */
export function rangeOf(
  query: EventQuery,
  key: string,
  least: number,
  greatest: number,
): readonly [from: number, to: number] {
  let [from, to] = [least, greatest];
  for (const { key: of, operator, operand } of query) {
    if (of !== key || operand?.kind !== "number") continue;
    const { digits, decimals } = operand.number;
    const below = digits / 10n ** BigInt(decimals);
    const whole = below * 10n ** BigInt(decimals) === digits;
    const floor = Number(below);
    const ceiling = whole ? floor : floor + 1;
    if (operator === ">" || operator === ">=" || operator === "=") {
      from = Math.max(from, operator === ">" ? floor + 1 : ceiling);
    }
    if (operator === "<" || operator === "<=" || operator === "=") {
      to = Math.min(to, operator === "<" ? ceiling - 1 : floor);
    }
  }
  return [from, to];
}

/** True if the events satisfy every condition of a query. */
export const matchesEvents = (query: EventQuery, events: EventMap): boolean =>
  query.every((condition) => matchesCondition(condition, events));

/** True if one of the key's values satisfies a condition. */
const matchesValue = ({ operator, operand }: EventCondition, value: string): boolean =>
  operand === undefined || compare(operator, operand, value);

function matchesCondition(condition: EventCondition, events: EventMap): boolean {
  const { key } = condition;
  if (Object.hasOwn(events, key)) {
    return (events[key] ?? []).some((value) => matchesValue(condition, value));
  }
  // Without an attribute, a type is compared as an empty text.
  return (
    matchesValue(condition, "") && Object.keys(events).some((name) => name.startsWith(`${key}.`))
  );
}

function compare(operator: Operator, operand: Operand, value: string): boolean {
  if (operand.kind === "string") {
    return operator === "CONTAINS" ? value.includes(operand.text) : value === operand.text;
  }
  const order = orderOf(operand, value);
  if (order === undefined) return false;
  switch (operator) {
    case "<":
      return order < 0;
    case "<=":
      return order <= 0;
    case ">":
      return order > 0;
    case ">=":
      return order >= 0;
    default:
      return order === 0;
  }
}

/**
 * Compares a value with an operand: negative if below, 0 if equal, positive if above; undefined if
 * it is of another kind.
 */
function orderOf(operand: Exclude<Operand, { kind: "string" }>, value: string): number | undefined {
  if (operand.kind === "number") {
    // Amounts such as 8atom are compared as numbers.
    const source = /^\d+(\.\d+)?/.exec(value);
    return source === null ? undefined : compareDecimals(decimalOf(source[0]), operand.number);
  }
  const time = operand.kind === "datestamp" ? dateOf(value) : timeOf(value);
  return time === undefined ? undefined : Number(time - operand.time);
}

// ——— numbers and times ———

/** A number as its digits and the number of decimals. */
interface Decimal {
  readonly digits: bigint;
  readonly decimals: number;
}

function decimalOf(text: string): Decimal {
  const [whole = "", fraction = ""] = text.split(".");
  return { digits: BigInt(`${whole}${fraction}`), decimals: fraction.length };
}

function compareDecimals(a: Decimal, b: Decimal): number {
  const places = Math.max(a.decimals, b.decimals);
  const [left, right] = [a, b].map((one) => one.digits * 10n ** BigInt(places - one.decimals));
  return left === right ? 0 : (left as bigint) < (right as bigint) ? -1 : 1;
}

function timeOf(text: string): Time | undefined {
  try {
    return parseRfc3339(text);
  } catch {
    return undefined;
  }
}

const dateOf = (text: string): Time | undefined =>
  /^\d{4}-\d\d-\d\d$/.test(text) ? timeOf(`${text}T00:00:00Z`) : undefined;

// ——— reading ———

const COMPARISONS = ["<=", ">=", "<", ">", "="] as const;
const WORDS = ["AND", "CONTAINS", "EXISTS"] as const;

type Kind =
  | "tag"
  | "string"
  | "number"
  | "timestamp"
  | "datestamp"
  | `${(typeof COMPARISONS)[number] | (typeof WORDS)[number]} operator`;

interface Token {
  readonly kind: Kind;
  readonly text: string;
  /** Byte offset in the query. */
  readonly at: number;
}

const OPERATORS: readonly Kind[] = [
  "<= operator",
  ">= operator",
  "< operator",
  "> operator",
  "= operator",
  "CONTAINS operator",
  "EXISTS operator",
];

const ORDERED: readonly Kind[] = ["number", "timestamp", "datestamp"];

function readCondition(scanner: Scanner): EventCondition {
  const { text: key } = scanner.require("tag");
  const { kind } = scanner.require(...OPERATORS);
  const operator = kind.replace(/ operator$/, "") as Operator;
  if (operator === "EXISTS") return { key, operator, operand: undefined };
  if (operator === "CONTAINS")
    return { key, operator, operand: operandOf(scanner.require("string")) };
  const kinds = operator === "=" ? ([...ORDERED, "string"] as const) : ORDERED;
  return { key, operator, operand: operandOf(scanner.require(...kinds)) };
}

function operandOf({ kind, text }: Token): Operand {
  switch (kind) {
    case "number":
      return { kind, text, number: decimalOf(text) };
    case "timestamp":
      return { kind, time: validTime("TIME", "timestamp", text, timeOf(text)) };
    case "datestamp":
      return { kind, time: validTime("DATE", "datestamp", text, dateOf(text)) };
    default:
      return { kind: "string", text };
  }
}

function validTime(word: string, what: string, text: string, time: Time | undefined): Time {
  if (time === undefined)
    throw new EventQueryError(`invalid ${word} value: cannot parse "${text}"`);
  const year = Number(text.slice(0, 4));
  if (year >= 1900 && year <= 2999) return time;
  throw new EventQueryError(`${what} year ${year} out of range`);
}

const bytesOf = (text: string): number => utf8(text.toWellFormed()).length;

class Scanner {
  readonly #text: string;
  #offset = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** The next token; undefined at the end. */
  next(): Token | undefined {
    this.#take(/\s*/uy);
    if (this.#offset >= this.#text.length) return undefined;
    const at = bytesOf(this.#text.slice(0, this.#offset));
    const number = this.#take(/\d+(\.\d*)?/uy);
    if (number !== undefined) return { kind: "number", text: number, at };
    const time = this.#take(/TIME [-T:+Z\d]*/uy)?.slice(5);
    if (time !== undefined) return { kind: "timestamp", text: time, at };
    const date = this.#take(/DATE [-\d]*/uy)?.slice(5);
    if (date !== undefined) return { kind: "datestamp", text: date, at };
    const word = this.#take(/[_\p{L}\p{Nd}][._\-\p{L}\p{Nd}]*/uy);
    if (word !== undefined) {
      const operator = WORDS.find((one) => one === word);
      return { kind: operator === undefined ? "tag" : `${operator} operator`, text: word, at };
    }
    const comparison = COMPARISONS.find((one) => this.#text.startsWith(one, this.#offset));
    if (comparison !== undefined) {
      this.#offset += comparison.length;
      return { kind: `${comparison} operator`, text: comparison, at };
    }
    const quoted = this.#take(/'[^']*'/uy);
    if (quoted !== undefined) return { kind: "string", text: quoted.slice(1, -1), at };
    const found = String.fromCodePoint(this.#text.codePointAt(this.#offset) ?? 0);
    if (found === "'") throw new EventQueryError(`offset ${at}: EOF`);
    throw new EventQueryError(
      `offset ${at}: invalid input ${found} at offset ${at + bytesOf(found)}`,
    );
  }

  /** The next token. Throws if it is not of one of these kinds. */
  require(...kinds: readonly Kind[]): Token {
    const token = this.next();
    if (token === undefined) throw new EventQueryError(`offset ${bytesOf(this.#text)}: EOF`);
    if (kinds.includes(token.kind)) return token;
    throw new EventQueryError(`offset ${token.at}: got ${token.kind}, wanted ${listOf(kinds)}`);
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#offset;
    const found = pattern.exec(this.#text)?.[0];
    if (found !== undefined) this.#offset += found.length;
    return found;
  }
}

const listOf = (kinds: readonly Kind[]): string =>
  kinds.length === 1 ? String(kinds[0]) : `${kinds.slice(0, -1).join(", ")} or ${kinds.at(-1)}`;
