/** Answers the calls of a client, in the same way on every host. */

import { isBug } from "../base/error-text.ts";
import { errorText, STATUS, StatusError } from "../engine/framework/errors.ts";
import type { LabAnswer, LabMethod, LabRequest } from "../gen/lab/v1/lab_plain.ts";
import type { LabQuery } from "../view/lab/world-queries.ts";
import type { Answer, Call, CallError, Serve } from "./call.ts";
import type { Searching } from "./searching/searching.ts";
import type { Session } from "./session.ts";
import type { SessionHost } from "./session-host.ts";

/** The methods of lab.v1.Lab that play and save worlds; the others are queries of one world. */
type Steering = {
  readonly [M in Exclude<LabMethod, LabQuery>]: (
    host: SessionHost,
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
  getFrame: (host, request) => host.getFrame(request),
  async control(host, { action }) {
    if (action?.case === "startOver") await host.createNew();
    else {
      const session = played(host);
      await session.restored;
      if (action?.case === "formOpen" && host.isShared) {
        const text = "the chain of a node runs on for all who look: it waits for no form";
        throw new StatusError(STATUS.failedPrecondition, text);
      }
      await session.control(action?.case === undefined ? undefined : action);
    }
    await host.settled();
    return {};
  },
  async runStep(host, { step = "", ...how }) {
    const result = await played(host).runStep(step, how);
    await host.settled();
    return result;
  },
  preview: (host, { step = "" }) => played(host).preview(step),
  async loadScenario(host, request) {
    const answer = await host.play.session.loadScenario(request);
    await host.follow();
    await host.settled();
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
    return (await import("./what-if-branch.ts")).genesisAnswer(session.player.live);
  },
  listWorlds: async (host) => (await worldCalls()).listWorlds(host),
  async openWorld(host, { world = "" }) {
    await host.open(world);
    return {};
  },
  async renameWorld(host, { world = "", name = "" }) {
    await (await worldCalls()).renameWorld(host, world, name);
    return {};
  },
  async duplicateWorld(host, { world = "" }) {
    await host.play.worlds.duplicate(world);
    return {};
  },
  async deleteWorld(host, { world = "", forever = false }) {
    await (await worldCalls()).deleteWorld(host, world, forever);
    return {};
  },
  async restoreWorld(host, { world = "" }) {
    await host.play.worlds.restore(world);
    return {};
  },
  async forkWorld(host, request, _about, gone) {
    const session = played(host);
    await session.restored;
    const forked = await (await worldCalls()).forkWorld(host, request, gone);
    await host.follow();
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
    (await import("./searching/edit-genesis.ts")).editBeginning(request),
  findSeries: async ({ play }, request) => (await searching(play.session)).series(request),
  getQuestion: async ({ play }, request) => (await searching(play.session)).question(request),
  stopQuestion: async ({ play }, request) => (await searching(play.session)).stopQuestion(request),
  async noteWorld(host, { world = "", note = "" }) {
    await (await worldCalls()).noteWorld(host, world, note);
    return {};
  },
  exportWorld: async (host, { world = "" }) => (await worldCalls()).exportWorld(host, world),
  importWorld: async (host, { content = new Uint8Array() }) =>
    (await worldCalls()).importWorld(host, content),
  async answerNotice(host, { notice = "", action = "" }) {
    const exported = await host.answerNotice(notice, action);
    return exported ? { file: (await worldCalls()).worldFile(exported) } : {};
  },
};

/** The lab of a session. Rejects with a StatusError if there are no workers to run cases. */
function searching({ searching: lab }: Session): Promise<Searching> {
  if (lab !== undefined) return lab();
  throw new StatusError(STATUS.unavailable, "no cases are run here");
}

/** The session of a host that plays its world. Throws a StatusError if it watches another tab's. */
function played(host: SessionHost): Session {
  if (!host.watching) return host.play.session;
  const text = "Another tab plays this world. Open another world to change something here.";
  throw new StatusError(STATUS.failedPrecondition, text);
}

/** Answers a call once, with its response or with an error; never rejects. */
export const serve = (
  host: SessionHost,
  call: Call,
  post: (answer: Answer) => void,
): Promise<void> => answer(host, call, post, respond(host, call));

/** The same for a watching client, which may query but change nothing. */
export const serveWatcher = (
  host: SessionHost,
  call: Call,
  post: (answer: Answer) => void,
  refusal = new StatusError(STATUS.failedPrecondition, "it is not played here"),
): Promise<void> =>
  answer(
    host,
    call,
    post,
    !host.watching && isQuestion(call.method)
      ? read(host, call, false, (...steered) => serveWatcher(host, ...steered, refusal))
      : Promise.reject(refusal),
  );

async function answer(
  host: SessionHost,
  { call }: Call,
  post: (answer: Answer) => void,
  responding: Promise<unknown>,
): Promise<void> {
  try {
    post({ call, response: await responding });
  } catch (error) {
    post({ call, error: callError(host, error) });
  }
}

/** Methods that are not queries of the world itself, and change nothing. */
const QUERIES: readonly string[] = [
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
  QUERIES.includes(nameOf(method)) || !Object.hasOwn(STEERING, nameOf(method));

const nameOf = (method: string): string => method.replace(/^lab\./, "");

async function respond(host: SessionHost, call: Call): Promise<unknown> {
  const { method, request, height } = call;
  if (!isQuestion(method) || OWN.includes(nameOf(method))) {
    return steered(host, call);
  }
  const { watching } = host;
  if (watching === undefined) {
    return read(host, call, true, (...steered) => serve(host, ...steered));
  }
  try {
    return await watching.call(method, Object(request), height);
  } catch (error) {
    // This tab has taken over or shows another world, and answers itself.
    if (host.watching !== watching) return respond(host, call);
    throw error;
  }
}

function steered(host: SessionHost, { method, request, height = 0, gone }: Call): unknown {
  const handle = STEERING[nameOf(method) as keyof Steering] as (
    host: SessionHost,
    request: unknown,
    about: number,
    gone: Call["gone"],
  ) => unknown;
  return handle(host, request ?? {}, height, gone);
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
async function read(
  host: SessionHost,
  call: Call,
  mayControl: boolean,
  control: Serve,
): Promise<unknown> {
  const { method, request, height: about = 0, gone } = call;
  const caller = { mayControl, gone };
  const { session } = host.play;
  if (QUERIES.includes(nameOf(method))) return steered(host, call);
  if (method === "query") {
    const { name, request: body, height } = request as QueryCall;
    queryJson ??= (await import("../view/query.ts")).queryJson;
    const ask = queryJson;
    return session.query((queries) => ask(queries, name, body, height || about), caller);
  }
  if (method === "http" && host.answerHttp) return host.answerHttp(request, control);
  return session.query(
    (queries) => queries.labReading(nameOf(method) as LabQuery, request ?? {}, about || undefined),
    caller,
  );
}

function callError(host: SessionHost, error: unknown): CallError {
  // The client is told that there is a bug; the log has the details.
  if (isBug(error)) host.reportBug(error);
  const code = error instanceof StatusError ? error.code : STATUS.internal;
  return { code, message: errorText(error), path: "" };
}
