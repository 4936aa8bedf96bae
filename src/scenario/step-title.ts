/** Title of a step in a few words, for lists. Does not report problems. */

import { INSIDE, WHOLE } from "../base/reference-syntax.ts";
import { shortened } from "../base/shortened.ts";
import { isMap } from "./fields.ts";

/** @param args as in the file */
export function stepTitle(verb: string, args: unknown): string {
  if (verb === "") return "";
  const input = isMap(args) ? args : {};
  return shortened((TITLES[verb]?.(args, input) ?? "") || flow(args), MOST);
}

type Title = (args: unknown, input: Readonly<Record<string, unknown>>) => string;

const TITLES: Readonly<Record<string, Title>> = {
  run: (args, { to, rounds, for: time, until }) => {
    if (typeof args === "number") return `${args} ${args === 1 ? "block" : "blocks"}`;
    if (to !== undefined) return `to block ${flow(to)}`;
    if (rounds !== undefined) return `${flow(rounds)} ${rounds === 1 ? "round" : "rounds"}`;
    if (time !== undefined) return `for ${flow(time)}`;
    return until === undefined ? "" : `until ${isMap(until) ? flow(until) : until}`;
  },
  nodes: (_, { which, ...action }) => {
    const [[name, value] = ["", ""]] = Object.entries(action);
    const done =
      value === true ? name.replaceAll("_", " ") : `${name.replaceAll("_", " ")} ${flow(value)}`;
    return `${names(which)}: ${done}`;
  },
  tx: (_, { from, msgs, signed }) => {
    if (signed !== undefined) return "signed by a client";
    const types = Array.isArray(msgs)
      ? msgs.map((message) => String(Object(message)["@type"]).replace(/^.*\./, ""))
      : [];
    return `${flow(from)}: ${types.join(", ")}`;
  },
  propose: (_, { from, title }) => `${flow(from)}: ${flow(title)}`,
  pass: (_, { title }) => flow(title),
  vote: (_, { proposal, option, by = "all" }) =>
    `${names(by)}: ${flow(option)} to ${flow(proposal)}`,
  upgrade: (_, { name, at, cancel }) =>
    cancel ? "cancel the plan" : `${flow(name)} at ${flow(at)}`,
  double_sign: (_, { node }) => flow(node),
  misbehavior: (_, { type, validators, height }) =>
    `${names(validators)}: ${flow(type).replaceAll("_", " ")} at ${flow(height)}`,
  light_client_attack: (_, { kind, by }) => `${names(by)}: ${flow(kind)}`,
  expect: (_, { tokens, is, chain, height, node, app_hash: hash, get }) => {
    if (tokens !== undefined) return `${flow(tokens)} has ${flow(is)} tokens`;
    if (chain !== undefined) {
      return `the chain is ${flow(chain)}${height === undefined ? "" : ` at ${flow(height)}`}`;
    }
    if (node !== undefined) return `${flow(node)} is ${flow(is)}`;
    if (hash === "agreed" || hash === "diverged") return `app hashes ${hash}`;
    if (hash !== undefined) return `app hash ${flow(hash).slice(0, 8)}…`;
    return get === undefined ? "" : flow(get);
  },
};

const names = (which: unknown): string => (Array.isArray(which) ? which.join(", ") : flow(which));

/** A value on one line. */
function flow(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(flow).join(", ")}]`;
  if (typeof value === "string") return withMeanings(value);
  if (!isMap(value)) return value === undefined ? "" : String(value);
  return Object.entries(value)
    .map(([key, inner]) => `${key}: ${flow(inner)}`)
    .join(", ");
}

/** A text with its references replaced by descriptions. */
function withMeanings(text: string): string {
  const whole = WHOLE.exec(text)?.[1];
  return whole === undefined
    ? text.replace(INSIDE, (_, expression: string) => meaningOf(expression))
    : meaningOf(whole);
}

/**
 * Describes the value of a reference: a name alone is the result, or the account, with that name.
 */
function meaningOf(expression: string): string {
  if (expression === "$") return "$";
  const [name = "", part = ""] = expression.split(".");
  const [kind = "", at = ""] = (part || name).split("@");
  const meant = Object.hasOwn(MEANINGS, kind) ? MEANINGS[kind] : undefined;
  if (meant === undefined) return `‹${expression}›`;
  const of = part === "" ? "" : `${name}’s `;
  return `‹${of}${meant}${at === "" ? "" : ` ${part === "" ? "of block" : "at"} ${at}`}›`;
}

const MEANINGS: Readonly<Record<string, string>> = {
  valoper: "operator address",
  valcons: "consensus address",
  pub_key: "public key",
  evidence: "evidence",
  vote: "vote",
  other_vote: "other vote",
  height: "height",
  time: "time",
  gov: "governance’s account",
};

/** Maximum characters of a title. */
const MOST = 90;
