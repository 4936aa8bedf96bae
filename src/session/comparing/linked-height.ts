import { openBlocks } from "../../view/lab/reading.ts";

/**
 * Maps a height of one world to a height of another: the same number, the same time, or after the
 * same command.
 */

import { toHex } from "../../base/bytes.ts";
import { sha256 } from "../../base/sha256.ts";
import { STATUS, StatusError } from "../../engine/framework/errors.ts";
import { encode } from "../history/codec.ts";
import { atHeight, type Side } from "./compare-worlds.ts";
import type { OpenedWorld } from "./opened-world.ts";

const LINKS = ["height", "time", "command"] as const;
/**
 * Maximum commands of a world that are searched for one that both worlds have; 32 bytes are stored
 * of each.
 */
const MOST_COMMANDS = 200_000;
/** Commands after which the search yields. */
const AT_ONCE = 64;

/** Throws once the answer is no longer needed, and yields to other work. */
type Check = () => Promise<void>;

type Link = (typeof LINKS)[number];

/**
 * Parses the name of a link; undefined for an empty text. Throws a StatusError if there is no such
 * link.
 */
export function linkNamed(name: string): Link | undefined {
  const link = LINKS.find((one) => one === name);
  if (name === "" || link !== undefined) return link;
  const text = `link: expected ${LINKS.join(", ")} or nothing, found ${JSON.stringify(name)}`;
  throw new StatusError(STATUS.invalidArgument, text);
}

/**
 * Height of another world that corresponds to a side's, limited to its range. Rejects with a
 * StatusError if one of them is too long to be linked by command.
 * @param most maximum rounds of a world that is linked by command
 */
export async function linkedHeight(
  a: Side,
  b: OpenedWorld,
  link: Exclude<Link, "height">,
  check: Check,
  most = Number.POSITIVE_INFINITY,
): Promise<number> {
  const { initialHeight, height: newest } = b.session.sim;
  const rounds = Math.max(a.opened.session.sim.rounds, b.session.sim.rounds);
  if (link === "command" && rounds > most) {
    const text = `link: expected worlds of at most ${most} rounds, found ${rounds}: one who steers the chain links longer ones by command`;
    throw new StatusError(STATUS.invalidArgument, text);
  }
  const height = link === "time" ? await sameTime(a, b, check) : await sameCommand(a, b, check);
  return Math.min(Math.max(height, initialHeight), newest);
}

const heightOf = ({ opened: { session }, height }: Side): number =>
  height === 0 ? session.sim.height : height;

const timeAt = ({ session }: OpenedWorld, height: number): Promise<bigint | undefined> =>
  session.query(function* ({ sim }) {
    yield* openBlocks(height);
    return sim.block(height)?.time;
  });

/** The last height whose block is not later than that of the side. */
async function sameTime(a: Side, b: OpenedWorld, check: Check): Promise<number> {
  const time = await timeAt(a.opened, heightOf(a));
  if (time === undefined) return 0;
  const { initialHeight, height: newest } = b.session.sim;
  const later = await firstOf(initialHeight, newest, async (height) => {
    await check();
    const other = await timeAt(b, height);
    return other !== undefined && other > time ? height : undefined;
  });
  return later - 1;
}

/** The height at the same distance from the last common command, and before the next one. */
async function sameCommand(a: Side, b: OpenedWorld, check: Check): Promise<number> {
  const height = heightOf(a);
  const { number } = await lastGiven(a.opened, height);
  const { journalLength } = b.session.sim;
  const most = Math.max(number, journalLength);
  if (most > MOST_COMMANDS) {
    const text = `link: expected worlds of at most ${MOST_COMMANDS} commands, found ${most}`;
    throw new StatusError(STATUS.invalidArgument, text);
  }
  const same = await sameNumbers(a.opened, b, number, check);
  const since = height - (await firstWith(a.opened, same.a, check));
  const from = await firstWith(b, same.b, check);
  const next = await firstWith(b, same.b + 1, check);
  return Math.max(from, Math.min(from + since, next - 1));
}

/** Numbers, in both worlds, of the last common command up to the side's; 0 if there is none. */
async function sameNumbers(
  a: OpenedWorld,
  b: OpenedWorld,
  last: number,
  check: Check,
): Promise<{ readonly a: number; readonly b: number }> {
  const ofA = await commandsOf(a, last, check);
  const ofB = await commandsOf(b, b.session.sim.journalLength, check);
  const numbers = new Map(ofB.map((command, i) => [command, i + 1]));
  for (let number = ofA.length; number > 0; number--) {
    const other = numbers.get(ofA[number - 1] ?? "");
    if (other !== undefined) return { a: number, b: other };
  }
  return { a: 0, b: 0 };
}

/**
 * Hashes of the first commands of a world: equal where the same command was issued equally often.
 */
async function commandsOf(
  { session }: OpenedWorld,
  count: number,
  check: Check,
): Promise<readonly string[]> {
  const times = new Map<string, number>();
  const found: string[] = [];
  if (count === 0) return found;
  for await (const { command } of session.commands?.() ?? session.sim.journal) {
    if (found.length % AT_ONCE === 0) await check();
    const hash = toHex(sha256(encode(command)));
    const time = (times.get(hash) ?? 0) + 1;
    times.set(hash, time);
    found.push(`${time} ${hash}`);
    if (found.length >= count) break;
  }
  return found;
}

/** The first height with this many commands; above the newest if there is none. */
function firstWith(world: OpenedWorld, number: number, check: Check): Promise<number> {
  const { initialHeight, height: newest, journalLength } = world.session.sim;
  if (number === 0) return Promise.resolve(initialHeight);
  if (number > journalLength) return Promise.resolve(newest + 1);
  return firstOf(initialHeight, newest, async (height) => {
    await check();
    const last = await lastGiven(world, height);
    return last.number >= number ? last.height : undefined;
  });
}

/** Number of commands up to a height, and the height of the last one. */
const lastGiven = (
  opened: OpenedWorld,
  height: number,
): Promise<{ readonly number: number; readonly height: number }> =>
  atHeight({ opened, height }, async ({ sim: { journalLength: number, lastIssued } }) => ({
    ...{ number, height: lastIssued?.height ?? 0 },
  }));

/**
 * The first height of a range for which a monotonic predicate holds; one above the range if there
 * is none.
 * @param isTrue returns a height for which it holds, at most the given one; undefined where it does
 * not hold
 */
async function firstOf(
  first: number,
  last: number,
  isTrue: (height: number) => Promise<number | undefined>,
): Promise<number> {
  let [from, to] = [first, last + 1];
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    const found = await isTrue(middle);
    if (found === undefined) from = middle + 1;
    else to = Math.max(found, from);
  }
  return from;
}
