/**
 * References in the texts of steps: `$name` as the complete text, `${name}` anywhere. A name refers
 * to a result, an account, a validator's addresses or the last block.
 */

import { accAddress, consAddress, valAddress } from "../base/bech32.ts";
import { INPUT } from "../base/limits.ts";
import { INSIDE, MARK, WHOLE } from "../base/reference-syntax.ts";
import { formatRfc3339 } from "../base/time.ts";
import type { HistoryRanges } from "../engine/simulation/history-range.ts";
import { VoteSchema } from "../gen/chain/consensus/v1/types_pb.ts";
import { toBase64 } from "../view/base64.ts";
import { type Json, messageToJson } from "../view/json.ts";
import { firstFew, missingBlock, type Names } from "./names.ts";
import { type StepContext, StepError, Unanswerable } from "./step-context.ts";
import { evidenceOf } from "./stored-evidence.ts";

const TIME_AT = /^time@([0-9]{1,9})$/;
/** A vote is a structure, so it must be the complete text: `vote_a: "${val-2.vote@6}"`. */
const VOTE = /^\$\{([A-Za-z_][\w-]*)\.(vote|other_vote)@([0-9]{1,9})\}$/;

/** The problem of a text's references, given the names that exist at that step. */
export function checkReferences(text: string, names: Names): string[] {
  const voter = VOTE.exec(text)?.[1];
  if (voter !== undefined) return names.nodes.has(voter) ? [] : [`there is no node "${voter}"`];
  const expressions = expressionsIn(text);
  if (expressions.length > INPUT.references) {
    return [`expected at most ${INPUT.references} references, found ${expressions.length}`];
  }
  const problems = expressions.flatMap((expression) => checkExpression(expression, names) ?? []);
  const broken = text.replace(INSIDE, "").includes("${");
  return broken ? [...problems, 'expected a closing "}" after "${"'] : problems;
}

function expressionsIn(text: string): string[] {
  const whole = WHOLE.exec(text)?.[1];
  return whole === undefined
    ? Array.from(text.matchAll(INSIDE), (match) => match[1] ?? "")
    : [whole];
}

function checkExpression(expression: string, names: Names): string | undefined {
  if (["height", "time", "gov", MARK].includes(expression)) return undefined;
  const at = TIME_AT.exec(expression)?.[1];
  if (at !== undefined) return missingBlock(Number(at), names);
  const { name, part } = split(expression);
  const result = names.results.get(name);
  switch (part) {
    case undefined:
      if (names.accounts.has(name) || result?.value) return undefined;
      if (result) return `step ${name} gives evidence only; write \${${name}.evidence}`;
      return `there is nothing called "${name}" at this step: expected ${firstFew(whatExists(names))}`;
    case "evidence":
      if (result?.evidence) return undefined;
      return `there is no earlier step called "${name}" that brings evidence`;
    case "valcons":
      return names.nodes.has(name) ? undefined : `there is no validator "${name}"`;
    case "pub_key":
      if (names.nodes.has(name) || names.accounts.has(name)) return undefined;
      return `there is no validator or account "${name}" that could have a key`;
    case "valoper":
      return names.accounts.has(name) ? undefined : `there is no validator "${name}"`;
    default:
      return `"${expression}": after the point comes valoper, valcons, pub_key or evidence, or, alone, vote@HEIGHT`;
  }
}

function split(expression: string): { name: string; part: string | undefined } {
  const point = expression.indexOf(".");
  return point < 0
    ? { name: expression, part: undefined }
    : { name: expression.slice(0, point), part: expression.slice(point + 1) };
}

function* whatExists({ results, accounts }: Names): Generator<string> {
  yield* ["height", "time", "gov"];
  yield* results.keys();
  yield* accounts;
}

/**
 * Replaces a text's references by their current values. Throws a StepError if one has no value yet.
 */
export function resolveText(context: StepContext, text: string): string {
  const whole = WHOLE.exec(text)?.[1];
  if (whole !== undefined) return evaluate(context, whole);
  return text.replace(INSIDE, (_, expression: string) => evaluate(context, expression));
}

/** The same structure with all its texts resolved. A text that is one whole reference may become another type. */
export const resolveAll = <T>(context: StepContext, value: T): T => resolved(context, value) as T;

function resolved(context: StepContext, value: unknown): unknown {
  if (typeof value === "string") return voteIn(context, value) ?? resolveText(context, value);
  if (Array.isArray(value)) return value.map((item) => resolved(context, item));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, resolved(context, item)]),
  );
}

/** Ranges that the references in a structure read. */
export function* readByReferences(context: StepContext, value: unknown): HistoryRanges {
  if (typeof value === "string") {
    const heights = [VOTE.exec(value)?.[3]];
    for (const expression of expressionsIn(value)) {
      const { name, part } = split(expression);
      const of = part === "evidence" ? context.results.get(name)?.of : undefined;
      heights.push(TIME_AT.exec(expression)?.[1], of?.toString());
    }
    for (const height of heights) {
      if (height !== undefined) yield { kind: "blocks", from: Number(height), to: Number(height) };
    }
  } else if (typeof value === "object" && value !== null && !ArrayBuffer.isView(value)) {
    for (const item of Object.values(value)) yield* readByReferences(context, item);
  }
}

/** The vote that a text refers to, as JSON; undefined if it refers to something else. */
function voteIn({ sim }: StepContext, text: string): Json | undefined {
  const [, node, kind, height] = VOTE.exec(text) ?? [];
  if (node === undefined) return undefined;
  const [here, otherVote] = sim.votesOf(node, Number(height));
  return messageToJson(VoteSchema, kind === "vote" ? here : otherVote);
}

/** A number, or the current value of a reference to one. */
export function resolveNumber(context: StepContext, value: number | string): number {
  if (typeof value === "number") return value;
  const text = resolveText(context, value);
  if (!/^[0-9]{1,15}$/.test(text)) throw new StepError(`${value} is "${text}", not a number`);
  return Number(text);
}

const NAMED = /^\$\{([^{}]*)\}$/;

/**
 * Like {@link resolveText}; refuses a plain name where an address is expected, with a readable
 * message.
 */
export function resolveNamed(context: StepContext, text: string): string {
  const expression = NAMED.exec(text)?.[1];
  if (expression === undefined) return resolveText(context, text);
  const { name, part } = split(expression);
  const found = valueNow(context, expression);
  if (found !== undefined) return found;
  if (part !== undefined) throw new StepError(`there is no validator ${name}`);
  throw new StepError(`there is no account ${name}: expected a name of this chain, or an address`);
}

function evaluate(context: StepContext, expression: string): string {
  const value = valueNow(context, expression);
  if (value !== undefined) return value;
  throw new Unanswerable(`\${${expression}} means nothing in this world yet`);
}

/** Current value of an expression; undefined if it has none yet. */
function valueNow(context: StepContext, expression: string): string | undefined {
  const { sim, results } = context;
  if (expression === MARK) return MARK;
  if (expression === "height") return String(sim.height);
  if (expression === "time") return formatRfc3339(sim.time);
  const at = TIME_AT.exec(expression)?.[1];
  if (at !== undefined) {
    const time = sim.timeAt(Number(at));
    if (time === undefined) {
      throw new Unanswerable(`there is no block ${at} yet to take the time of`);
    }
    return formatRfc3339(time);
  }
  const { name, part } = split(expression);
  const account = sim.account(name);
  if (part === "valcons") {
    const node = sim.node(name);
    if (node) return consAddress(node.consensusAddress);
  } else if (part === "pub_key") {
    return toBase64(sim.consensusKey(name));
  } else if (part === "valoper") {
    if (account) return valAddress(account);
  } else if (part === "evidence") {
    const { evidence, offence } = results.get(name) ?? {};
    if (evidence) return evidence();
    if (offence) return evidenceOf(sim, offence, name);
  } else {
    if (account) return accAddress(account);
    return results.get(name)?.value;
  }
  return undefined;
}
