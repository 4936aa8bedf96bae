/** gRPC over plaintext HTTP/2. */
import {
  constants,
  createServer,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from "node:http2";
import { SERVER } from "../../../input/limits.ts";
import { Access } from "../access.ts";
import { type Bind, type Door, listen, once } from "../listen.ts";
import { reportBug } from "../log.ts";
import type { Served } from "../served.ts";
import type { StreamCall } from "./unary-calls.ts";

export async function openGrpc(served: Served, bind: Bind): Promise<Door> {
  const answers = once(async () =>
    (await import("./services.ts")).answerGrpc(served, new Access(bind, served.token)),
  );
  const settings = { maxConcurrentStreams: SERVER.streams };
  const server = createServer({ settings });
  server.on("stream", async (...call: StreamCall) => {
    const [stream] = call;
    letGoUnlessWhole(stream);
    try {
      (await answers())(...call);
    } catch (error) {
      reportBug(error);
      stream.close(constants.NGHTTP2_INTERNAL_ERROR);
    }
  });
  server.maxConnections = SERVER.connections;
  server.on("session", letGoIdle);
  const listening = await listen(server, bind);
  return { ...listening, load: async () => void (await answers()) };
}

/**
 * Ends a call whose request is not whole in time, however often something of it comes. What has been answered was whole:
 * of a request that goes on, as reflection's does, the next message has as long again.
 */
function letGoUnlessWhole(stream: ServerHttp2Stream): void {
  const timer = setTimeout(() => stream.close(constants.NGHTTP2_CANCEL), SERVER.requestMs);
  const write = stream.write.bind(stream) as (...part: unknown[]) => boolean;
  stream.write = (...part: unknown[]) => {
    if (!stream.readableEnded) timer.refresh();
    return write(...part);
  };
  const done = (): void => clearTimeout(timer);
  stream.once("end", done);
  stream.once("close", done);
}

/** Ends a connection on which nothing is asked and nothing is told for a while. */
function letGoIdle(session: ServerHttp2Session): void {
  let open = 0;
  session.on("stream", (stream) => {
    open += 1;
    stream.once("close", () => {
      open -= 1;
    });
  });
  session.setTimeout(SERVER.idleMs, () => {
    if (open === 0) session.close();
  });
}
