/**
 * The server of gRPC as its clients meet it: HTTP/2 with what it costs, in a thread of its own beside the chain's. What
 * is asked and what is answered go through a port.
 */
import {
  constants,
  createServer,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from "node:http2";
import type { MessagePort } from "node:worker_threads";
import { errorText } from "../../../input/error-text.ts";
import { SERVER } from "../../../input/limits.ts";
import { type Bind, type Listening, listen, once } from "../listen.ts";
import { reportBug } from "../log.ts";
import { type LibraryCall, libraryCalls, type There } from "./library-calls.ts";
import { RequestBytes } from "./request-bytes.ts";
import { type StreamCall, type UnaryAnswer, type UnaryCall, UnaryCalls } from "./unary-calls.ts";

/** What the chain tells the server. */
export type ToFront =
  | { readonly listen: Bind }
  | { readonly methods: Methods }
  | { readonly call: number; readonly answer: UnaryAnswer }
  | { readonly close: true };

/** What can be called. */
export interface Methods extends There {
  /** Paths of unary methods, which plain calls may be of. */
  readonly unary: ReadonlySet<string>;
}

/** What the server tells the chain. */
export type ToChain =
  | { readonly listening: Pick<Listening, "address" | "port"> }
  | { readonly failed: string }
  /** What can be called is asked for. */
  | { readonly load: true }
  | { readonly call: number; readonly asked: UnaryCall }
  /** Who has asked this has gone. */
  | { readonly gone: number }
  | { readonly library: LibraryCall }
  | { readonly closed: true };

/** Serves until it is told to end. */
export function serveFront(chain: MessagePort): void {
  const tell = (said: ToChain, ...given: MessagePort[]): void => chain.postMessage(said, given);
  const waiting = new Map<number, (answer: UnaryAnswer) => void>();
  let calls = 0;
  const ask = (asked: UnaryCall, stream: ServerHttp2Stream): Promise<UnaryAnswer> =>
    new Promise((resolve) => {
      calls += 1;
      const call = calls;
      waiting.set(call, resolve);
      tell({ call, asked });
      stream.once("close", () => waiting.has(call) && tell({ gone: call }));
    });
  const bytes = new RequestBytes();
  let know = (_: Methods): void => {};
  const known = new Promise<Methods>((resolve) => {
    know = resolve;
  });
  const answers = once(async () => {
    tell({ load: true });
    const methods = await known;
    const handOn = libraryCalls(methods, bytes, (library) =>
      tell({ library }, library.request, library.answer),
    );
    return new UnaryCalls({ has: (path) => methods.unary.has(path), ask, bytes, handOn });
  });
  let door: Listening | undefined;
  chain.on("message", async (said: ToFront) => {
    if ("answer" in said) {
      waiting.get(said.call)?.(said.answer);
      waiting.delete(said.call);
    } else if ("methods" in said) {
      know(said.methods);
    } else if ("listen" in said) {
      try {
        door = await openHttp2(said.listen, async (call) => (await answers()).answer(call));
        tell({ listening: { address: door.address, port: door.port } });
      } catch (error) {
        tell({ failed: errorText(error) });
      }
    } else {
      await door?.close();
      tell({ closed: true });
      chain.close();
    }
  });
}

/** HTTP/2 whose slow, idle and surplus clients are let go. */
function openHttp2(bind: Bind, answer: (call: StreamCall) => Promise<void>): Promise<Listening> {
  const server = createServer({ settings: { maxConcurrentStreams: SERVER.streams } });
  server.on("stream", async (...call: StreamCall) => {
    const [stream] = call;
    letGoUnlessWhole(stream);
    try {
      await answer(call);
    } catch (error) {
      reportBug(error);
      stream.close(constants.NGHTTP2_INTERNAL_ERROR);
    }
  });
  server.maxConnections = SERVER.connections;
  server.on("session", letGoIdle);
  return listen(server, bind);
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
