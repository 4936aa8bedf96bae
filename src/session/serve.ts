/** Answers the calls of a client, in the same way on every host. */

import { isBug } from "../base/error-text.ts";
import { errorText, STATUS, StatusError } from "../engine/framework/errors.ts";
import type { LabAnswer, LabMethod, LabRequest } from "../gen/lab/v1/lab_plain.ts";
import type { LabQuery } from "../view/lab/world-queries.ts";
import type { Answer, Call, CallError, Serve } from "./call.ts";
import type { Place } from "./place.ts";
import type { Searching } from "./searching/searching.ts";
import type { Session } from "./session.ts";

/** The methods of lab.v1.Lab that play and save worlds; the others are queries of one world. */
type Steering = {
  readonly [M in Exclude<LabMethod, LabQuery>]: (
    place: Place,
    request: LabRequest<M>,
    /** The height of the query; 0: the newest. */
    about: number,
    /** Returns true once the caller has disconnected. */
    gone: Call["gone"],
  ) => LabAnswer<M> | Promise<LabAnswer<M>>;
};

/** Loaded once: a repeated import would wait behind a slice of blocks. */
let queryJson: typeof import("../view/query.ts").queryJson | undefined;

const interpreter = () => import("./interpreter.ts");
const worldCalls = () => import("./world-calls.ts");

const STEERING: Steering = {
  getFrame: (place, request) => place.getFrame(request),
  async control(place, { action }) {
    if (action?.case === "startOver") await place.createNew();
    else {
      const session = played(place);
      await session.restored;
      if (action?.case === "formOpen" && place.isShared) {
        const text = "the chain of a node runs on for all who look: it waits for no form";
        throw new StatusError(STATUS.failedPrecondition, text);
      }
      await session.control(action?.case === undefined ? undefined : action);
    }
    await place.settled();
    return {};
  },
  async runStep(place, { step = "", ...how }) {
    const result = await played(place).runStep(step, how);
    await place.settled();
    return result;
  },
  preview: (place, { step = "" }) => played(place).preview(step),
  async loadScenario(place, request) {
    const answer = await place.play.session.loadScenario(request);
    await place.follow();
    await place.settled();
    return answer;
  },
  readScenario: async (_, { text = "", file = "" }) => (await interpreter()).summaryOf(text, file),
  readWorldFile: async (_, { content = new Uint8Array() }) =>
    (await worldCalls()).worldSummary(content),
  getSource({ play }) {
    const { text, file } = play.session.player.live.origin;
    return { text, file };
  },
  exportChain: async ({ play }, request) =>
    (await import("./recorded.ts")).exported(play.session, request),
  editScenario: async (_, request) => (await interpreter()).editScenario(request),
  proposeExpectations: async ({ play }, request, about) =>
    (await import("./recording.ts")).expectationsOf(play.session, request, about),
  getBeginning: async ({ play: { session } }) => {
    await session.restored;
    return (await import("./other-branch.ts")).beginningOf(session.player.live);
  },
  listWorlds: async (place) => (await worldCalls()).listWorlds(place),
  async openWorld(place, { world = "" }) {
    await place.open(world);
    return {};
  },
  async renameWorld(place, { world = "", name = "" }) {
    await (await worldCalls()).renameWorld(place, world, name);
    return {};
  },
  async duplicateWorld(place, { world = "" }) {
    await place.play.worlds.duplicate(world);
    return {};
  },
  async deleteWorld(place, { world = "", forever = false }) {
    await (await worldCalls()).deleteWorld(place, world, forever);
    return {};
  },
  async restoreWorld(place, { world = "" }) {
    await place.play.worlds.restore(world);
    return {};
  },
  async forkWorld(place, request, _about, gone) {
    const session = played(place);
    await session.restored;
    const forked = await (await worldCalls()).forkWorld(place, request, gone);
    await place.follow();
    return forked;
  },
  async stopComparing({ play }) {
    await (await play.session.comparing?.())?.stop();
    return {};
  },
  checkFamily: async (_, file) => (await import("./searching/family-check.ts")).checkFamily(file),
  startSearch: async ({ play }, request) => (await searching(play.session)).start(request),
  stopSearch: async ({ play }) => (await searching(play.session)).stop(),
  getSearch: async ({ play }, request) => (await searching(play.session)).get(request),
  findNoReturn: async ({ play }, request) => (await searching(play.session)).noReturn(request),
  findCoverage: async ({ play }, request) => (await searching(play.session)).coverage(request),
  checkExpressions: async (_, request) =>
    (await import("./searching/expression-check.ts")).checkExpressions(request),
  editBeginning: async (_, request) =>
    (await import("./searching/edit-beginning.ts")).editBeginning(request),
  findSeries: async ({ play }, request) => (await searching(play.session)).series(request),
  getQuestion: async ({ play }, request) => (await searching(play.session)).question(request),
  stopQuestion: async ({ play }, request) => (await searching(play.session)).stopQuestion(request),
  async noteWorld(place, { world = "", note = "" }) {
    await (await worldCalls()).noteWorld(place, world, note);
    return {};
  },
  exportWorld: async (place, { world = "" }) => (await worldCalls()).exportWorld(place, world),
  importWorld: async (place, { content = new Uint8Array() }) =>
    (await worldCalls()).importWorld(place, content),
  async answerNotice(place, { notice = "", action = "" }) {
    const exported = await place.answerNotice(notice, action);
    return exported ? { file: (await worldCalls()).worldFile(exported) } : {};
  },
};

/** The lab of a session. Rejects with a StatusError if there are no workers to run cases. */
function searching({ searching: lab }: Session): Promise<Searching> {
  if (lab !== undefined) return lab();
  throw new StatusError(STATUS.unavailable, "no cases are run here");
}

/** The session of a host that plays its world. Throws a StatusError if it watches another tab's. */
function played(place: Place): Session {
  if (!place.watching) return place.play.session;
  const text = "Another tab plays this world. Open another world to change something here.";
  throw new StatusError(STATUS.failedPrecondition, text);
}

/** Answers a call once, with its response or with an error; never rejects. */
export const serve = (place: Place, call: Call, post: (answer: Answer) => void): Promise<void> =>
  answer(place, call, post, respond(place, call));

/** The same for a watching client, which may query but change nothing. */
export const serveWatcher = (
  place: Place,
  call: Call,
  post: (answer: Answer) => void,
  refusal = new StatusError(STATUS.failedPrecondition, "it is not played here"),
): Promise<void> =>
  answer(
    place,
    call,
    post,
    !place.watching && isQuestion(call.method)
      ? read(place, call, false, (...steered) => serveWatcher(place, ...steered, refusal))
      : Promise.reject(refusal),
  );

async function answer(
  place: Place,
  { call }: Call,
  post: (answer: Answer) => void,
  responding: Promise<unknown>,
): Promise<void> {
  try {
    post({ call, response: await responding });
  } catch (error) {
    post({ call, error: callError(place, error) });
  }
}

/** Methods that are not queries of the world itself, and change nothing. */
const ASKED: readonly string[] = [
  "getFrame",
  "getSource",
  "exportChain",
  "proposeExpectations",
  "editScenario",
  "checkFamily",
  "checkExpressions",
  "editBeginning",
  "getSearch",
  "getQuestion",
  "getBeginning",
];

/** Of these, the methods that are not about the world on screen, which another tab may play. */
const OWN: readonly string[] = [
  "checkFamily",
  "checkExpressions",
  "editBeginning",
  "getSearch",
  "getQuestion",
];

/** True if a method changes nothing. */
const isQuestion = (method: string): boolean =>
  ASKED.includes(nameOf(method)) || !Object.hasOwn(STEERING, nameOf(method));

const nameOf = (method: string): string => method.replace(/^lab\./, "");

async function respond(place: Place, call: Call): Promise<unknown> {
  const { method, request, height } = call;
  if (!isQuestion(method) || OWN.includes(nameOf(method))) {
    return steered(place, call);
  }
  const { watching } = place;
  if (watching === undefined) {
    return read(place, call, true, (...steered) => serve(place, ...steered));
  }
  try {
    return await watching.call(method, Object(request), height);
  } catch (error) {
    // This tab has taken over or shows another world, and answers itself.
    if (place.watching !== watching) return respond(place, call);
    throw error;
  }
}

function steered(place: Place, { method, request, height = 0, gone }: Call): unknown {
  const steer = STEERING[nameOf(method) as keyof Steering] as (
    place: Place,
    request: unknown,
    about: number,
    gone: Call["gone"],
  ) => unknown;
  return steer(place, request ?? {}, height, gone);
}

/** Request of the method `query`, which is not part of the Lab service. */
interface QueryCall {
  readonly name: string;
  readonly request: object;
  readonly height: number;
}

/**
 * Answers calls that change nothing.
 * @param steers true if the caller may also control the session
 * @param steer answers the calls that an HTTP request may contain
 */
async function read(place: Place, call: Call, steers: boolean, steer: Serve): Promise<unknown> {
  const { method, request, height: about = 0, gone } = call;
  const asker = { steers, gone };
  const { session } = place.play;
  if (ASKED.includes(nameOf(method))) return steered(place, call);
  if (method === "query") {
    const { name, request: body, height } = request as QueryCall;
    queryJson ??= (await import("../view/query.ts")).queryJson;
    const ask = queryJson;
    return session.ask((queries) => ask(queries, name, body, height || about), asker);
  }
  if (method === "http" && place.answerHttp) return place.answerHttp(request, steer);
  return session.ask(
    (queries) => queries.labReading(nameOf(method) as LabQuery, request ?? {}, about || undefined),
    asker,
  );
}

function callError(place: Place, error: unknown): CallError {
  // The client is told that there is a bug; the log has the details.
  if (isBug(error)) place.reportBug(error);
  const code = error instanceof StatusError ? error.code : STATUS.internal;
  return { code, message: errorText(error), path: "" };
}
