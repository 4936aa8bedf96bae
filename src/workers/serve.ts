import type { LabQuery } from "../api/lab/world-queries.ts";
import { CODE } from "../client/client.ts";
import type { QueryCall, RestCall, ToPage, ToWorker, WireError } from "../client/wire.ts";
import { errorText, StatusError } from "../engine/framework/errors.ts";
import type { LabAnswer, LabMethod, LabRequest } from "../gen/lab/v1/lab_plain.ts";
import type { Session } from "../session/session.ts";

/** The methods of lab.v1.Lab that are about the worlds that are kept. */
type WorldsMethod =
  | "listWorlds"
  | "openWorld"
  | "renameWorld"
  | "duplicateWorld"
  | "deleteWorld"
  | "restoreWorld"
  | "exportWorld"
  | "importWorld"
  | "answerNotice";

/** The methods of lab.v1.Lab that are about playing a world; the others are queries of it. */
type Steering = {
  readonly [M in Exclude<LabMethod, LabQuery | WorldsMethod>]: (
    session: Session,
    request: LabRequest<M>,
  ) => LabAnswer<M> | Promise<LabAnswer<M>>;
};

const STEERING: Steering = {
  getFrame: (session, request) => session.getFrame(request),
  control(session, { action }) {
    session.control(action?.case === undefined ? undefined : action);
    return {};
  },
  runStep: (session, { step = "" }) => session.runStep(step),
  preview: (session, { step = "" }) => session.preview(step),
  loadScenario: (session, request) => session.loadScenario(request),
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
  if (Object.hasOwn(STEERING, name)) {
    const steer = STEERING[name as keyof Steering] as (
      session: Session,
      request: unknown,
    ) => unknown;
    return steer(session, request ?? {});
  }
  return (await session.queries()).lab(name as LabQuery, request ?? {});
}

function wireError(error: unknown): WireError {
  const code = error instanceof StatusError ? error.code : CODE.internal;
  return { code, message: errorText(error), path: "" };
}
