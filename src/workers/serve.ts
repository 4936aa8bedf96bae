import type { LabQuery } from "../api/lab/world-queries.ts";
import { CODE } from "../client/client.ts";
import type { QueryCall, RestCall, WireError } from "../client/wire.ts";
import { errorText, STATUS, StatusError } from "../engine/framework/errors.ts";
import type { LabAnswer, LabMethod, LabRequest } from "../gen/lab/v1/lab_plain.ts";
import { isBug } from "../input/error-text.ts";
import type { Session } from "../session/session.ts";
import type { Tab } from "./tabs/tab.ts";
import type { Answer, Call } from "./tabs/world-channel.ts";

/** The methods of lab.v1.Lab that are about playing and keeping worlds; the others are queries of one. */
type Steering = {
  readonly [M in Exclude<LabMethod, LabQuery>]: (
    tab: Tab,
    request: LabRequest<M>,
  ) => LabAnswer<M> | Promise<LabAnswer<M>>;
};

const worldCalls = () => import("./tabs/world-calls.ts");

const STEERING: Steering = {
  getFrame: (tab, request) => tab.getFrame(request),
  async control(tab, { action }) {
    if (action?.case === "startOver") await tab.createNew();
    else {
      const session = played(tab);
      await session.restored;
      await session.control(action?.case === undefined ? undefined : action);
    }
    await tab.play.saving.settled();
    return {};
  },
  async runStep(tab, { step = "" }) {
    const result = await played(tab).runStep(step);
    await tab.play.saving.settled();
    return result;
  },
  preview: (tab, { step = "" }) => played(tab).preview(step),
  async loadScenario(tab, request) {
    const answer = await tab.play.session.loadScenario(request);
    await tab.follow();
    await tab.play.saving.settled();
    return answer;
  },
  listWorlds: async (tab) => (await worldCalls()).listWorlds(tab),
  async openWorld(tab, { world = "" }) {
    await tab.open(world);
    return {};
  },
  async renameWorld(tab, { world = "", name = "" }) {
    await (await worldCalls()).renameWorld(tab, world, name);
    return {};
  },
  async duplicateWorld(tab, { world = "" }) {
    await tab.play.worlds.duplicate(world);
    return {};
  },
  async deleteWorld(tab, { world = "", forever = false }) {
    await (await worldCalls()).deleteWorld(tab, world, forever);
    return {};
  },
  async restoreWorld(tab, { world = "" }) {
    await tab.play.worlds.restore(world);
    return {};
  },
  exportWorld: async (tab, { world = "" }) => (await worldCalls()).exportWorld(tab, world),
  importWorld: async (tab, { content = new Uint8Array() }) =>
    (await worldCalls()).importWorld(tab, content),
  async answerNotice(tab, { notice = "", action = "" }) {
    const exported = await tab.answerNotice(notice, action);
    return exported ? { file: (await worldCalls()).worldFile(exported) } : {};
  },
};

/** The session of a tab that plays its world. Throws a StatusError in one that watches another's. */
function played(tab: Tab): Session {
  if (!tab.watching) return tab.play.session;
  const text = "Another tab plays this world. Open another world to change something here.";
  throw new StatusError(STATUS.failedPrecondition, text);
}

/** Answers a call once, with its response or with an error; never rejects. */
export const serve = (tab: Tab, call: Call, post: (answer: Answer) => void): Promise<void> =>
  answer(call, post, respond(tab, call));

/** The same for a call of a tab that watches: it may ask, and change nothing. */
export const serveWatcher = (tab: Tab, call: Call, post: (answer: Answer) => void): Promise<void> =>
  answer(
    call,
    post,
    !tab.watching && isQuestion(call.method)
      ? read(tab, call)
      : Promise.reject(new StatusError(STATUS.failedPrecondition, "it is not played here")),
  );

async function answer(
  { call }: Call,
  post: (answer: Answer) => void,
  responding: Promise<unknown>,
): Promise<void> {
  try {
    post({ call, response: await responding });
  } catch (error) {
    post({ call, error: wireError(error) });
  }
}

/** Whether a method changes nothing. */
const isQuestion = (method: string): boolean =>
  method === "lab.getFrame" || !Object.hasOwn(STEERING, nameOf(method));

const nameOf = (method: string): string => method.replace(/^lab\./, "");

async function respond(tab: Tab, call: Call): Promise<unknown> {
  const { method, request } = call;
  if (!isQuestion(method)) {
    const steer = STEERING[nameOf(method) as keyof Steering] as (
      tab: Tab,
      request: unknown,
    ) => unknown;
    return steer(tab, request ?? {});
  }
  const { watching } = tab;
  if (watching === undefined) return read(tab, call);
  try {
    return await watching.call(method, Object(request));
  } catch (error) {
    // This tab has taken over or shows another world: that one answers.
    if (tab.watching !== watching) return respond(tab, call);
    throw error;
  }
}

/** Answers what changes nothing. */
async function read(tab: Tab, { method, request }: Call): Promise<unknown> {
  const { session } = tab.play;
  if (method === "lab.getFrame") return tab.getFrame(Object(request));
  if (method === "query") {
    const { name, request: body, height } = request as QueryCall;
    const { queryJson } = await import("../api/query.ts");
    return session.ask((queries) => queryJson(queries, name, body, height));
  }
  if (method === "rest") {
    const { method: verb, path } = request as RestCall;
    const { handleRest } = await import("../api/rest.ts");
    const { status, body } = await session.ask((queries) => handleRest(queries, verb, path));
    return { status, body: JSON.stringify(body) };
  }
  return session.ask((queries) => queries.lab(nameOf(method) as LabQuery, request ?? {}));
}

function wireError(error: unknown): WireError {
  // The page says that there is a bug; where it is stands in the log.
  if (isBug(error)) console.error(error);
  const code = error instanceof StatusError ? error.code : CODE.internal;
  return { code, message: errorText(error), path: "" };
}
