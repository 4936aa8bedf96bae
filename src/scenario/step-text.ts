/** Describes a step in a sentence: for a beat without a sentence in the file. */
import { shortened } from "../base/shortened.ts";
import { isMap } from "./fields.ts";

/** @param args as in the file */
export function stepText(verb: string, args: unknown): string {
  const input = isMap(args) ? args : {};
  const words = WORDS[verb]?.(args, input) ?? verb.replaceAll("_", " ");
  return shortened(words, MOST);
}

type StepText = (args: unknown, input: Readonly<Record<string, unknown>>) => string;

const WORDS: Readonly<Record<string, StepText>> = {
  run: (args, { to, rounds, for: time, until }) => {
    if (typeof args === "number") return args === 1 ? "makes a block" : `makes ${args} blocks`;
    if (to !== undefined) return `runs until block ${one(to)}`;
    if (rounds !== undefined) return `goes through ${one(rounds)} round${rounds === 1 ? "" : "s"}`;
    if (time !== undefined) return `runs for ${one(time)}`;
    return `runs until ${isMap(until) ? untilWords(until) : until === "running" ? "it is running again" : one(until)}`;
  },
  tx: (_, { from, msgs, signed }) => {
    if (signed !== undefined) return "a client's signed transaction is sent";
    const types = Array.isArray(msgs)
      ? msgs.map((message) => one(Object(message)["@type"]).replace(/^.*\./, ""))
      : [];
    return `${one(from)} sends ${types.join(" and ")}`;
  },
  propose: (_, { from, title }) => `${one(from)} proposes “${one(title)}”`,
  vote: (_, { option, by = "all" }) =>
    `${names(by)} ${isOne(by) ? "votes" : "vote"} ${plain(option)}`,
  pass: (_, { title }) => `“${one(title)}” is proposed, and all vote yes`,
  upgrade: (_, { name, at, cancel }) =>
    cancel
      ? "the cancellation of the plan is proposed"
      : `plan ${one(name)} at ${one(at)} is proposed`,
  misbehavior: (_, { type, validators, height }) =>
    `evidence of ${plain(type)} at ${one(height)} by ${names(validators)} reaches the app`,
  double_sign: (_, { node }) => `${one(node)} signs twice`,
  light_client_attack: (_, { by }) =>
    `${names(by)} ${isOne(by) ? "attacks" : "attack"} a light client`,
  nodes: (_, { which, ...action }) => {
    const [[name, value] = ["", undefined]] = Object.entries(action);
    const how = isMap(value) || value === true ? "" : ` ${names(value)}`;
    return `${which === "all" ? "all nodes" : names(which)}: ${plain(name)}${how}`;
  },
  partition: (groups) =>
    groups === "heal" ? "the network is whole again" : "the network is partitioned",
  fault: (_, { node, kind, chaos, clear }) => {
    if (chaos !== undefined) return `chaos of level ${one(chaos)} begins`;
    if (clear !== undefined)
      return clear === "all" ? "all faults end" : `the faults of ${one(clear)} end`;
    return node === undefined ? `a ${plain(kind)} begins` : `${one(node)}: ${plain(kind)}`;
  },
  release: (_, { name }) => `the release of ${one(name)} is set`,
};

const untilWords = ({
  plan_applied: plan,
  proposal,
  is,
  event,
}: Record<string, unknown>): string =>
  plan !== undefined
    ? `plan ${one(plan)} is applied`
    : proposal !== undefined
      ? `the proposal is ${plain(is)}`
      : `an event ${one(event)}`;

/** A value on one line; references are named without their sign. */
const one = (value: unknown): string =>
  typeof value === "string" || typeof value === "number" ? String(value) : "";
const plain = (value: unknown): string => one(value).replaceAll("_", " ");
const names = (which: unknown): string =>
  Array.isArray(which) ? which.map(one).join(", ") : which === "all" ? "all" : one(which);
/** True for a list with exactly one entry. */
const isOne = (which: unknown): boolean => Array.isArray(which) && which.length === 1;

/** Maximum characters of the description of one step. */
const MOST = 120;
