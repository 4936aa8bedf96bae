/**
 * Commands that an embedding page can send. Messages are untrusted: each is checked against its row
 * of the table before it runs, and an unexpected key is refused like a missing one.
 */

import { ADDRESS_CHARACTERS } from "../../base/address-limit.ts";
import { INPUT } from "../../base/limits.ts";
import { ClientError, CODE } from "../../client/client.ts";
import { afterFrame } from "../store/frame-store.ts";
import { pollHistory } from "../store/history-frames.ts";
import { replaceByScenario } from "../store/new-worlds.ts";
import type { Page } from "../store/page.ts";
import { goTo, KINDS } from "../store/route.ts";
import { chooseTheme, THEMES } from "../store/theme.ts";
import { arrive, backToLive, liveHeight, travelTo } from "../store/travel.ts";
import { VIEWS } from "../views/views.ts";

/** Version of the messages: the value of their key `chainlab`. */
export const API = 1;

const MOST_BLOCKS = 100_000;
const MOST_HEIGHT = 0xffff_ffff;
/** REST's header for the height of a query. */
const HEIGHT_HEADER = "x-cosmos-block-height";
const MOST_SPEED = 1_000_000;
/** Maximum values in a passed step. */
const MOST_VALUES = 10_000;

/** Returns the expected value; undefined for a valid one. */
type Check = (value: unknown) => string | undefined;

const textOf =
  (most: number): Check =>
  (value) =>
    typeof value === "string" && value.length <= most
      ? undefined
      : `a text of at most ${most} characters`;
const name: Check = (value) =>
  typeof value === "string" && /^[^\p{Cc}]{1,100}$/u.test(value)
    ? undefined
    : "a name of 1 to 100 characters";
const path: Check = (value) =>
  typeof value === "string" && value.length <= ADDRESS_CHARACTERS && /^\/(?!\/)/.test(value)
    ? undefined
    : `a path of at most ${ADDRESS_CHARACTERS} characters that begins with /`;
const flag: Check = (value) => (typeof value === "boolean" ? undefined : "true or false");
const numberOf =
  (least: number, most: number, isWhole = true): Check =>
  (value) =>
    typeof value === "number" &&
    value >= least &&
    value <= most &&
    (Number.isInteger(value) || !isWhole)
      ? undefined
      : `a ${isWhole ? "whole " : ""}number from ${least} to ${most}`;
const oneOf =
  (values: readonly string[]): Check =>
  (value) =>
    values.some((one) => one === value) ? undefined : `one of ${values.join(", ")}`;
const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

/** JSON values only, within the depth and size limits of files. */
const json: Check = (value) => {
  const expected = `an object or a list of JSON values, at most ${INPUT.depth} levels deep and ${MOST_VALUES} values`;
  if (!isObject(value)) return expected;
  let level: readonly unknown[] = [value];
  let values = 0;
  // Level by level: a recursive function could not read too deep a nesting.
  for (let depth = 0; level.length > 0; depth++) {
    values += level.length;
    const isJson = level.every(
      (one) =>
        one === null ||
        ["string", "number", "boolean"].includes(typeof one) ||
        Array.isArray(one) ||
        (isObject(one) && Object.getPrototypeOf(one) === Object.prototype),
    );
    if (!isJson || depth > INPUT.depth || values > MOST_VALUES) return expected;
    level = level.filter(isObject).flatMap((one) => Object.values(one));
  }
  return undefined;
};

const selection: Check = (value) => {
  const expected = `null, or an object with a kind (${KINDS.join(", ")}) and an id`;
  if (value === null) return undefined;
  if (!isObject(value)) return expected;
  const { kind, id } = value as { kind?: unknown; id?: unknown };
  const isMore = Object.keys(value).length > 2;
  return isMore || oneOf(KINDS)(kind) || textOf(INPUT.key)(id) ? expected : undefined;
};

/** Fields of checked messages other than the command. */
interface Checked {
  readonly scenario: string;
  readonly file?: string;
  readonly paused?: boolean;
  readonly step: object;
  readonly blocks: number;
  readonly blocks_per_second: number;
  readonly height: number;
  readonly view?: string;
  readonly select?: { readonly kind: (typeof KINDS)[number]; readonly id: string } | null;
  readonly theme?: (typeof THEMES)[number];
  readonly path: string;
  readonly on: boolean;
}

interface Command {
  readonly needs: Readonly<Record<string, Check>>;
  readonly may?: Readonly<Record<string, Check>>;
  /** Runs the checked command; resolves to the value of the answer. */
  readonly run: (page: Page, message: Checked, sendFrames: (on: boolean) => void) => unknown;
}

type Control = NonNullable<Parameters<Page["client"]["lab"]["control"]>[0]["action"]>;

/** Throws if a past block is selected: only the live chain can be controlled. */
const checkLive = (page: Page): void => {
  arrive(page);
  const { travel } = page.frames.getState();
  if (travel) throw new Error(`block ${travel.height} is past: seek 0, the newest, first`);
};

const control = async (page: Page, action: Control): Promise<null> => {
  checkLive(page);
  const { client } = page;
  await client.lab.control({ action });
  return null;
};

const COMMANDS: Readonly<Record<string, Command>> = {
  /** Loads the world of a scenario, whose steps run, or wait for `play`. */
  load: {
    needs: { scenario: textOf(INPUT.yamlCharacters) },
    may: { file: name, paused: flag },
    run: async (page, { scenario: text, file = "embedded.yaml", paused = false }) => {
      const [first] = await replaceByScenario(page, text, file, paused);
      if (first)
        throw new Error(`${file}:${first.line} ${first.path} ${first.message}`.replace("  ", " "));
      backToLive(page);
      await showNewest(page);
      return null;
    },
  },
  /** Runs a step of the scenario format, or several: the answer is the result of the last. */
  run: {
    needs: { step: json },
    run: async (page, { step }) => {
      checkLive(page);
      const { client } = page;
      const { ok, height, message, path, value } = await client.lab.runStep({
        step: JSON.stringify(step),
      });
      if (!ok) throw new Error([path, message].filter(Boolean).join(": "));
      return { height, message, value };
    },
  },
  play: { needs: {}, run: (page) => control(page, { case: "play", value: true }) },
  pause: { needs: {}, run: (page) => control(page, { case: "pause", value: true }) },
  advance: {
    needs: { blocks: numberOf(1, MOST_BLOCKS) },
    run: (page, { blocks }) => control(page, { case: "stepBlocks", value: blocks }),
  },
  /** Blocks per second; 0 is as fast as possible. */
  speed: {
    needs: { blocks_per_second: numberOf(0, MOST_SPEED, false) },
    run: (page, { blocks_per_second: value }) => control(page, { case: "speed", value }),
  },
  /** Shows a past height, answered once it is shown; 0 returns to the newest. */
  seek: {
    needs: { height: numberOf(0, MOST_HEIGHT) },
    run: async (page, { height }) => {
      if (height === 0) backToLive(page);
      else await seek(page, height);
      return null;
    },
  },
  show: {
    needs: {},
    may: { view: oneOf(VIEWS.map(({ name }) => name)), select: selection, theme: oneOf(THEMES) },
    run: async (page, { view, select, theme }) => {
      if (select) await checkThere(page, select);
      goTo({
        ...(view !== undefined && { view }),
        ...(select !== undefined && { selection: select ?? undefined }),
      });
      if (theme !== undefined) chooseTheme(theme);
      return null;
    },
  },
  /** Response of a REST GET at the shown height. */
  ask: {
    needs: { path },
    run: async ({ client, frames }, { path }) => {
      const { travel } = frames.getState();
      const headers: Record<string, string> = travel
        ? { [HEIGHT_HEADER]: String(travel.height) }
        : {};
      const requested = { method: "GET", path, headers, body: new Uint8Array() };
      const { status, body } = await client.http(requested);
      const text = typeof body === "string" ? body : new TextDecoder().decode(body);
      return { status, body: text };
    },
  },
  /** Starts or stops sending frames with every change. */
  frames: {
    needs: { on: flag },
    run: (_, { on }, sendFrames) => {
      sendFrames(on);
      return null;
    },
  },
};

/** Rejects with an Error if there is no such object at the shown height. */
async function checkThere(
  { client, frames }: Page,
  { kind, id }: NonNullable<Checked["select"]>,
): Promise<void> {
  const { nodes = [], chain } = frames.getState().frame ?? {};
  const { height = 0, initialHeight = 1 } = chain ?? {};
  const isThere = {
    node: () => nodes.some(({ name }) => name === id),
    block: () => /^\d{1,10}$/.test(id) && Number(id) >= initialHeight && Number(id) <= height,
    proposal: () => isAnswered(client, "chain.gov.v1.Query/Proposal", { proposal_id: id }),
    evidence: () => isAnswered(client, "chain.evidence.v1beta1.Query/Evidence", { hash: id }),
  };
  if (!(await isThere[kind]())) throw new Error(`select: there is no ${kind} ${id.slice(0, 64)}`);
}

/** Codes of queries whose object does not exist, or cannot exist. */
const NOT_THERE: readonly number[] = [CODE.notFound, CODE.invalidArgument];

/** True if a query of an object finds it. Rejects if that cannot be determined. */
const isAnswered = (client: Page["client"], name: string, request: object): Promise<boolean> =>
  client.query(name, request).then(
    () => true,
    (error: unknown) => {
      if (error instanceof ClientError && NOT_THERE.includes(error.code)) return false;
      throw error;
    },
  );

/** Applies the newest frame even if nothing is drawn: an invisible page has no turns to draw. */
async function showNewest({ client, frames }: Page): Promise<void> {
  const frame = await client.lab.getFrame({
    height: 0,
    revision: 0,
    samples: false,
    // Increments arrive with the next regular frame.
    blocksAfter: MOST_HEIGHT,
    activityAfter: MOST_HEIGHT,
  });
  if (frame.chain === undefined) return;
  frames.setState((old) =>
    old.travel
      ? { travel: { ...old.travel, live: { ...old.travel.live, frame } } }
      : afterFrame(old, frame),
  );
}

/** Shows a height. Rejects if it does not exist, or another one is requested meanwhile. */
async function seek(page: Page, height: number): Promise<void> {
  const { frames } = page;
  if (height >= liveHeight(frames.getState())) await showNewest(page);
  const state = frames.getState();
  const newest = liveHeight(state);
  const { initialHeight: first = 1 } = state.frame?.chain ?? {};
  if (height < first || height > newest)
    throw new Error(`there is no block ${height}: there are ${first} to ${newest}`);
  if (height === newest) {
    backToLive(page);
    return;
  }
  travelTo(page, height);
  for (;;) {
    const { travel, at, frame } = frames.getState();
    if (travel?.height !== height)
      throw new Error(frame?.past?.problem || "another height was gone to");
    if (at === height) return;
    await pollHistory(page);
  }
}

/** Throws an Error that names the invalid part of a message. */
function checked(message: Readonly<Record<string, unknown>>): Command {
  const { chainlab: _, id: __, do: name, ...rest } = message;
  const command = Object.hasOwn(COMMANDS, String(name)) ? COMMANDS[String(name)] : undefined;
  if (command === undefined || typeof name !== "string")
    throw new Error(`do: expected one of ${Object.keys(COMMANDS).join(", ")}`);
  const { needs, may = {} } = command;
  for (const [key, check] of Object.entries({ ...needs, ...may })) {
    if (!Object.hasOwn(rest, key) && !Object.hasOwn(needs, key)) continue;
    const expected = check(rest[key]);
    if (expected !== undefined) throw new Error(`${key}: expected ${expected}`);
  }
  const other = Object.keys(rest).find((key) => !Object.hasOwn({ ...needs, ...may }, key));
  if (other !== undefined) throw new Error(`${name} knows no “${other.slice(0, 40)}”`);
  return command;
}

/** Executes a message. Rejects with an Error that says why it cannot. */
export async function perform(
  page: Page,
  message: Readonly<Record<string, unknown>>,
  sendFrames: (on: boolean) => void,
): Promise<unknown> {
  return checked(message).run(page, message as unknown as Checked, sendFrames);
}
