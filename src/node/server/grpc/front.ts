/** The HTTP/2 server of gRPC, in a separate thread. Requests and answers go through a port. */
import {
  constants,
  createServer,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from "node:http2";
import type { MessagePort } from "node:worker_threads";
import { errorText } from "../../../base/error-text.ts";
import { SERVER } from "../../../base/limits.ts";
import { ByteBudget } from "../byte-budget.ts";
import { type Bind, type Listening, listen, once } from "../listen.ts";
import { reportBug } from "../log.ts";
import { type Callable, type LibraryCall, libraryCalls } from "./library-calls.ts";
import { RequestBytes } from "./request-bytes.ts";
import { type StreamCall, type UnaryAnswer, type UnaryCall, UnaryCalls } from "./unary-calls.ts";

/** Messages from the chain to the server. */
export type ToFront =
  | {
      readonly listen: Bind;
      /**
       * Shared counters that add the bytes of its requests to those of the node's other servers.
       */
      readonly requestBytes: Int32Array;
    }
  | { readonly methods: Methods }
  | { readonly call: number; readonly answer: UnaryAnswer }
  | { readonly close: true };

/** The methods of all services. */
export interface Methods extends Callable {
  /** Paths of unary methods, which the fast path may serve. */
  readonly unary: ReadonlySet<string>;
}

/** Messages from the server to the chain. */
export type ToChain =
  | { readonly listening: Pick<Listening, "address" | "port"> }
  | { readonly failed: string }
  /** Requests the methods. */
  | { readonly load: true }
  | { readonly call: number; readonly request: UnaryCall }
  /** The client of this call has disconnected. */
  | { readonly cancelled: number }
  | { readonly library: LibraryCall }
  | { readonly closed: true };

/** Serves until the chain requests it to close. */
export function serveFront(chain: MessagePort): void {
  const send = (message: ToChain, ...transferred: MessagePort[]): void =>
    chain.postMessage(message, transferred);
  const pending = new Map<number, (answer: UnaryAnswer) => void>();
  let calls = 0;
  const forward = (request: UnaryCall, stream: ServerHttp2Stream): Promise<UnaryAnswer> =>
    new Promise((resolve) => {
      calls += 1;
      const call = calls;
      pending.set(call, resolve);
      send({ call, request });
      stream.once("close", () => pending.has(call) && send({ cancelled: call }));
    });
  let bytes = new RequestBytes(new ByteBudget());
  let receiveMethods = (_: Methods): void => {};
  const received = new Promise<Methods>((resolve) => {
    receiveMethods = resolve;
  });
  const answers = once(async () => {
    send({ load: true });
    const methods = await received;
    const handOn = libraryCalls(methods, bytes, (library) =>
      send({ library }, library.request, library.answer),
    );
    return new UnaryCalls({ has: (path) => methods.unary.has(path), forward, bytes, handOn });
  });
  let server: Listening | undefined;
  const open = async (at: Bind): Promise<void> => {
    try {
      server = await openHttp2(at, async (call) => (await answers()).answer(call));
      send({ listening: { address: server.address, port: server.port } });
    } catch (error) {
      send({ failed: errorText(error) });
    }
  };
  const close = async (): Promise<void> => {
    await server?.close();
    send({ closed: true });
    chain.close();
  };
  chain.on("message", (message: ToFront) => {
    if ("answer" in message) {
      pending.get(message.call)?.(message.answer);
      pending.delete(message.call);
    } else if ("methods" in message) receiveMethods(message.methods);
    else if ("listen" in message) {
      bytes = new RequestBytes(new ByteBudget(message.requestBytes));
      void open(message.listen);
    } else void close();
  });
}

/** HTTP/2 server that disconnects slow, idle and surplus clients. */
function openHttp2(bind: Bind, answer: (call: StreamCall) => Promise<void>): Promise<Listening> {
  const server = createServer({ settings: { maxConcurrentStreams: SERVER.streams } });
  server.on("stream", async (...call: StreamCall) => {
    const [stream] = call;
    closeIfIncomplete(stream);
    try {
      await answer(call);
    } catch (error) {
      reportBug(error);
      stream.close(constants.NGHTTP2_INTERNAL_ERROR);
    }
  });
  server.maxConnections = SERVER.connections;
  server.on("session", closeIfIdle);
  return listen(server, bind);
}

/**
 * Cancels a call whose request is not complete in time, even if parts of it arrive. An answer
 * proves that a message was complete: in a stream, as in reflection, the time limit restarts for
 * the next message.
 */
function closeIfIncomplete(stream: ServerHttp2Stream): void {
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

/** Closes a connection without open calls or traffic for a while. */
function closeIfIdle(session: ServerHttp2Session): void {
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
