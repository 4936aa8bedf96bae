import type { LabAnswer, LabRequest } from "../api/lab/plain.ts";
import type { Answers, Askable } from "../api/lab/world-queries.ts";
import { CODE, type LabClient } from "../client/client.ts";
import type { QueryCall, RestCall, ToPage, ToWorker, WireError } from "../client/wire.ts";
import { errorText, STATUS, StatusError } from "../engine/framework/errors.ts";
import type { Session } from "../session/session.ts";

type Request<M extends keyof LabClient> = Parameters<LabClient[M]>[0];
type Response<M extends keyof LabClient> = Awaited<ReturnType<LabClient[M]>>;

/** The service lab.v1.Lab of a session. */
type Lab = {
  readonly [M in keyof LabClient]: (
    session: Session,
    request: Request<M>,
  ) => Response<M> | Promise<Response<M>>;
};

/** A method that asks how the world is, whoever plays it. */
const asked =
  <M extends Askable>(method: M) =>
  async (session: Session, request: LabRequest<M>): Promise<LabAnswer<M>> => {
    const queries: Answers = await session.queries();
    return queries[method](request);
  };

const LAB: Lab = {
  getFrame: (session, request) => session.getFrame(request),
  control(session, { action }) {
    session.control(action?.case === undefined ? undefined : action);
    return {};
  },
  runStep: (session, { step = "" }) => session.runStep(step),
  preview: (session, { step = "" }) => session.preview(step),
  loadScenario: (session, request) => session.loadScenario(request),
  getBlock: asked("getBlock"),
  getCommit: asked("getCommit"),
  getRounds: asked("getRounds"),
  getDivergence: asked("getDivergence"),
  getValidators: asked("getValidators"),
  getNodes: asked("getNodes"),
  getNode: asked("getNode"),
  getNodeLog: asked("getNodeLog"),
  getNodeFiles: asked("getNodeFiles"),
  getNodeFile: asked("getNodeFile"),
  getChainStatus: asked("getChainStatus"),
  getForks: asked("getForks"),
  getAppliedUpgrade: asked("getAppliedUpgrade"),
  getGenesis: asked("getGenesis"),
};

/** Answers a call once, with its response or with an error; never rejects. */
export async function serve(
  session: Session,
  { call, method, request }: Extract<ToWorker, { call: number }>,
  post: (message: ToPage) => void,
): Promise<void> {
  try {
    post({ call, response: await respond(session, method, request) });
  } catch (error) {
    post({ call, error: wireError(error) });
  }
}

async function respond(session: Session, method: string, request: unknown): Promise<unknown> {
  if (method === "query") {
    const { name, request: body, height } = request as QueryCall;
    const { queryJson } = await import("../api/query.ts");
    return queryJson(await session.queries(), name, body, height);
  }
  if (method === "rest") {
    const { method: verb, path } = request as RestCall;
    const { handleRest } = await import("../api/rest.ts");
    const { status, body } = handleRest(await session.queries(), verb, path);
    return { status, body: JSON.stringify(body) };
  }
  const name = method.replace(/^lab\./, "");
  if (!Object.hasOwn(LAB, name))
    throw new StatusError(STATUS.unimplemented, `there is no method ${method}`);
  const handle = LAB[name as keyof Lab] as (session: Session, request: unknown) => unknown;
  return handle(session, request ?? {});
}

function wireError(error: unknown): WireError {
  const code = error instanceof StatusError ? error.code : CODE.internal;
  return { code, message: errorText(error), path: "" };
}
