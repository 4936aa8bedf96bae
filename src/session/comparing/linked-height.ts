/** Which height of a world stands for a height of another: the one of the same time, or after the same command. */
import { STATUS, StatusError } from "../../engine/framework/errors.ts";
import { atHeight, type Side } from "./compare-worlds.ts";
import type { OpenedWorld } from "./opened-world.ts";

const LINKS = ["time", "command"] as const;

type Link = (typeof LINKS)[number];

/** What a request names; undefined for an empty text. Throws a StatusError if there is no such link. */
export function linkNamed(name: string): Link | undefined {
  const link = LINKS.find((one) => one === name);
  if (name === "" || link !== undefined) return link;
  const text = `link: expected ${LINKS.join(", ")} or nothing, found ${JSON.stringify(name)}`;
  throw new StatusError(STATUS.invalidArgument, text);
}

/**
 * The height of another world that stands for a side's; within those that it has.
 * @param check throws where the answer is not wanted any more
 */
export async function linkedHeight(
  a: Side,
  b: OpenedWorld,
  link: Link,
  check: () => void,
): Promise<number> {
  const { initialHeight, height: newest } = b.session.sim;
  const height = link === "time" ? await sameTime(a, b, check) : await sameCommand(a, b, check);
  return Math.min(Math.max(height, initialHeight), newest);
}

const heightOf = ({ opened: { session }, height }: Side): number =>
  height === 0 ? session.sim.height : Math.min(height, session.sim.height);

const timeAt = ({ session }: OpenedWorld, height: number): Promise<bigint | undefined> =>
  session.ask(({ sim }) => sim.block(height)?.time);

/** The last height whose block is not later. */
async function sameTime(a: Side, b: OpenedWorld, check: () => void): Promise<number> {
  const time = await timeAt(a.opened, heightOf(a));
  if (time === undefined) return 0;
  const { initialHeight, height: newest } = b.session.sim;
  const later = await firstOf(initialHeight, newest, async (height) => {
    check();
    const other = await timeAt(b, height);
    return other !== undefined && other > time ? height : undefined;
  });
  return later - 1;
}

/** The height that is as far behind the command of the same number, and before the next one. */
async function sameCommand(a: Side, b: OpenedWorld, check: () => void): Promise<number> {
  const height = heightOf(a);
  const { number } = await lastGiven(a.opened, height);
  const since = height - (await firstWith(a.opened, number, check));
  if (number > b.session.sim.journalLength) return b.session.sim.height;
  const from = await firstWith(b, number, check);
  const next = await firstWith(b, number + 1, check);
  return Math.max(from, Math.min(from + since, next - 1));
}

/** The first height with so many commands; above the newest if there are none. */
function firstWith(world: OpenedWorld, number: number, check: () => void): Promise<number> {
  const { initialHeight, height: newest, journalLength } = world.session.sim;
  if (number === 0) return Promise.resolve(initialHeight);
  if (number > journalLength) return Promise.resolve(newest + 1);
  return firstOf(initialHeight, newest, async (height) => {
    check();
    const last = await lastGiven(world, height);
    return last.number >= number ? last.height : undefined;
  });
}

/** How many commands were given up to a height, and where the last of them was. */
const lastGiven = (
  opened: OpenedWorld,
  height: number,
): Promise<{ readonly number: number; readonly height: number }> =>
  atHeight({ opened, height }, async ({ sim: { journalLength: number, lastGiven } }) => ({
    ...{ number, height: lastGiven?.height ?? 0 },
  }));

/**
 * The first height of a range of which a question is true, as it is of all above; one above the range if there is none.
 * @param isTrue gives a height of which it is true too, at most the one that is asked; undefined where it is not
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
