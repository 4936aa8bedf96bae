/** Pages that are attached to a node: the messages of a port, over a WebSocket. */
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { create, type DescField, type DescMessage, type Message } from "@bufbuild/protobuf";
import { isFieldError, isReflectMessage, reflect, reflectList } from "@bufbuild/protobuf/reflect";
import { type WebSocket, WebSocketServer } from "ws";
import { errorText, isBug } from "../../base/error-text.ts";
import { SERVER } from "../../base/limits.ts";
import type { ToPage } from "../../client/wire.ts";
import { fromText, toText } from "../../client/wire-text.ts";
import { STATUS, StatusError } from "../../engine/framework/errors.ts";
import { Lab } from "../../gen/lab/v1/lab_pb.ts";
import { type AnswerHttp, httpHandler } from "../../server/answer.ts";
import { readRequest } from "../../server/http.ts";
import type { QueriedChain } from "../../server/queried-chain.ts";
import { watch } from "../../server/watch.ts";
import { type Call, isHeight } from "../../session/call.ts";
import { serve, serveWatcher } from "../../session/serve.ts";
import type { SessionHost } from "../../session/session-host.ts";
import { type Access, isSameOrigin, wrongToken } from "./access.ts";
import { SocketBytes } from "./byte-budget.ts";
import type { RunningChain } from "./chain.ts";
import { type Bind, isOwnHost, refuseUpgrade } from "./listen.ts";

type AnswerPosted = NonNullable<SessionHost["answerHttp"]>;

const TOO_MANY = "429 Too Many Requests";

/** Path at which pages attach. */
export const ATTACH_PATH = "/lab/v1/attach";

const HEARTBEAT_MS = 30_000;

const WATCHES = new StatusError(
  STATUS.failedPrecondition,
  "You watch this chain. Enter its token to steer it.",
);

/** Attaches pages to a chain, each by the upgrade request of its WebSocket. */
export function attachPages(
  bind: Bind,
  chain: RunningChain,
  requested: QueriedChain,
  access: Access,
): (request: IncomingMessage, socket: Duplex, head: Buffer) => Promise<void> {
  let server: AnswerHttp | undefined;
  const answerHttp: AnswerPosted = async (request, control) => {
    server ??= httpHandler(requested, (router) =>
      watch(router, chain, chain.hostFor({ mayControl: false }, access.hasToken), requested),
    );
    return server(readRequest(request), control);
  };
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: SERVER.messageBytes,
    perMessageDeflate: false,
  });
  /** Connections without a message so far, and therefore without a token. */
  const silent = new Set<Duplex>();
  return async (request, socket, head) => {
    const { headers, url } = request;
    if (url !== ATTACH_PATH) return refuseUpgrade(socket, "404 Not Found");
    if (!isOwnHost(headers.host, bind) || !isSameOrigin(headers))
      return refuseUpgrade(socket, "403 Forbidden");
    if (silent.size >= SERVER.newPages) return refuseUpgrade(socket, TOO_MANY);
    silent.add(socket);
    const speaks = (): void => void silent.delete(socket);
    socket.once("close", speaks);
    const refusal = await access.refusal(headers, request.socket.remoteAddress);
    if (refusal !== undefined && chain.watching >= SERVER.watchingPages)
      return refuseUpgrade(socket, TOO_MANY);
    sockets.handleUpgrade(request, socket, head, (opened) => {
      const { remoteAddress: address = "" } = request.socket;
      const page = new Attached(opened, chain, answerHttp, access, refusal === undefined, address);
      page.listen(socket, speaks);
    });
  };
}

class Attached {
  readonly #socket: WebSocket;
  readonly #chain: RunningChain;
  readonly #answerHttp: AnswerPosted;
  readonly #access: Access;
  readonly #connection: { mayControl: boolean };
  readonly #address: string;
  #speaks = false;
  #waiting = 0;
  #alive = true;

  constructor(
    socket: WebSocket,
    chain: RunningChain,
    answerHttp: AnswerPosted,
    access: Access,
    mayControl: boolean,
    address: string,
  ) {
    this.#address = address;
    this.#socket = socket;
    this.#chain = chain;
    this.#answerHttp = answerHttp;
    this.#access = access;
    this.#connection = { mayControl: mayControl };
    const leave = chain.enter(this.#connection);
    const heartbeat = setInterval(() => this.#heartbeat(), HEARTBEAT_MS);
    socket.on("pong", () => {
      this.#alive = true;
    });
    socket.on("error", () => socket.terminate());
    socket.on("close", () => {
      clearInterval(heartbeat);
      leave();
    });
  }

  /** Handles its messages. @param speaks called at the first one */
  listen(stream: Duplex, speaks: () => void): void {
    const socket = this.#socket;
    const bytes = new SocketBytes(socket, stream, this.#chain.admission.bytes, () => this.#most);
    const timer = setTimeout(() => bytes.disconnect(1008, "expected a call"), SERVER.headersMs);
    socket.once("close", () => clearTimeout(timer));
    socket.on("message", async (data: Buffer) => {
      const release = bytes.complete(data.length);
      if (release === undefined) return;
      clearTimeout(timer);
      this.#speaks = true;
      speaks();
      try {
        await this.#receive(data.toString());
      } finally {
        release();
      }
    });
    this.#send({ ready: true });
  }

  /** Maximum bytes of its next message. */
  get #most(): number {
    if (this.#connection.mayControl) return SERVER.messageBytes;
    return this.#speaks ? SERVER.bodyBytes : SERVER.firstMessageBytes;
  }

  /** Disconnects a page that vanished without closing. */
  #heartbeat(): void {
    if (!this.#alive) {
      this.#socket.terminate();
      return;
    }
    this.#alive = false;
    this.#socket.ping();
  }

  #send(message: ToPage): void {
    this.#socket.send(toText(message));
    if (this.#socket.bufferedAmount > SERVER.untakenBytes) this.#socket.terminate();
  }

  async #receive(text: string): Promise<void> {
    try {
      await this.#chain.turn(() => this.#gone);
    } catch (error) {
      return this.#socket.close(1013, errorText(error));
    }
    if (hasTooManyValues(text))
      return this.#socket.close(1008, `expected at most ${SERVER.messageValues} values`);
    const call = readCall(text);
    if (call === "word") return;
    if (call === undefined) return this.#socket.close(1008, "expected a call");
    if (this.#waiting >= SERVER.calls) return this.#socket.close(1008, "too many calls at once");
    this.#waiting += 1;
    const host = Object.assign(this.#chain.hostFor(this.#connection, this.#access.hasToken), {
      answerHttp: this.#answerHttp,
    });
    const post = (answer: ToPage): void => this.#send(answer);
    const gone = (): boolean => this.#gone;
    try {
      if (call.method === "steer") post(await this.#requestControl(call));
      else if (this.#connection.mayControl) await serve(host, { ...checked(call), gone }, post);
      else await serveWatcher(host, { ...checked(call), gone }, post, WATCHES);
    } catch (error) {
      if (isBug(error)) host.reportBug(error);
      const code = error instanceof StatusError ? error.code : STATUS.internal;
      post({ call: call.call, error: { code, message: errorText(error), path: "" } });
    } finally {
      this.#waiting -= 1;
    }
  }

  get #gone(): boolean {
    return this.#socket.readyState !== this.#socket.OPEN;
  }

  /** Gives control to a page that sends the right token. */
  async #requestControl({ call, request }: Call): Promise<ToPage> {
    const { token } = Object(request) as { token?: unknown };
    if (typeof token === "string" && (await this.#access.isToken(token, this.#address))) {
      this.#connection.mayControl = true;
      this.#chain.session.player.changed();
      return { call, response: {} };
    }
    throw wrongToken();
  }
}

const [COMMA, LIST, MAP, QUOTE] = [",", "[", "{", '"'].map((mark) => mark.charCodeAt(0));

/**
 * True if a JSON text has more values than allowed, which would be slow to parse in any case. A
 * quoted text counts as one, as bytes do.
 */
function hasTooManyValues(text: string): boolean {
  let values = 0;
  for (let at = 0; at < text.length && values <= SERVER.messageValues; at++) {
    const character = text.charCodeAt(at);
    if (character === COMMA || character === LIST || character === MAP) values += 1;
    if (character !== QUOTE) continue;
    at = text.indexOf('"', at + 1);
    while (at > 0 && isEscaped(text, at)) at = text.indexOf('"', at + 1);
    if (at < 0) return false;
  }
  return values > SERVER.messageValues;
}

/** True if an odd number of backslashes precedes a position. */
function isEscaped(text: string, at: number): boolean {
  let from = at;
  while (text[from - 1] === "\\") from -= 1;
  return (at - from) % 2 === 1;
}

/**
 * Parses a message; `word` for one that is not answered, undefined if it is neither that nor a
 * call.
 */
function readCall(text: string): Call | "word" | undefined {
  try {
    const { call, method, request, height, word } = Object(fromText(text)) as Record<
      string,
      unknown
    >;
    if (typeof word === "string") return "word";
    const sound = Number.isSafeInteger(call) && typeof method === "string" && isHeight(height);
    return sound ? { call: call as number, method: method as string, request, height } : undefined;
  } catch {
    return undefined;
  }
}

/** Checks a call's request against its method. Throws a StatusError that locates the problem. */
function checked(call: Call): Call {
  const name = call.method.replace(/^lab\./, "");
  const method = Object.hasOwn(Lab.method, name)
    ? Lab.method[name as keyof typeof Lab.method]
    : undefined;
  const input = Object(call.request);
  if (method === undefined) return { ...call, request: input };
  try {
    return { ...call, request: messageOf(method.input, input) };
  } catch (error) {
    const field = isFieldError(error) ? `${error.field().name}: ` : "";
    const why = error instanceof Error ? error.message : "it cannot be read";
    throw new StatusError(STATUS.invalidArgument, `${call.method}: ${field}${why}`);
  }
}

/** Builds a message from its fields. Throws an Error for an invalid one. */
function messageOf(schema: DescMessage, input: Record<string, unknown>): Message {
  for (const field of schema.fields) {
    if (field.fieldKind === "list") checkList(field, input[field.localName]);
  }
  const message = create(schema, input);
  const reflected = reflect(schema, message);
  for (const one of reflected.oneofs) {
    if (input[one.localName] == null || reflected.oneofCase(one)) continue;
    const cases = one.fields.map(({ localName }) => localName);
    throw new Error(`${one.name}: expected one of ${cases.join(", ")}`);
  }
  for (const field of reflected.fields) {
    if (!reflected.isSet(field)) continue;
    const value = reflected.get(field);
    // The setter checks it.
    reflected.set(field, value);
    if (field.message && isReflectMessage(value)) messageOf(field.message, value.message);
  }
  return message;
}

/**
 * Throws an Error for anything that a list cannot contain. A value that is not a list has no
 * length, and would count as not set.
 */
function checkList(field: DescField & { fieldKind: "list" }, input: unknown): void {
  if (input == null) return;
  if (!Array.isArray(input)) throw new Error(`${field.name}: expected a list`);
  const items = reflectList(field);
  for (const [i, item] of input.entries()) {
    if (field.listKind !== "message") items.add(item);
    else if (typeof item === "object" && item !== null) messageOf(field.message, item);
    else throw new Error(`${field.name}[${i}]: expected an object`);
  }
}
