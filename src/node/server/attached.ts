/** Pages that are attached to a node: the messages of a port, over a WebSocket. */
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { create, type DescField, type DescMessage, type Message } from "@bufbuild/protobuf";
import { isFieldError, isReflectMessage, reflect, reflectList } from "@bufbuild/protobuf/reflect";
import { type WebSocket, WebSocketServer } from "ws";
import type { ToPage } from "../../client/wire.ts";
import { fromText, toText } from "../../client/wire-text.ts";
import { type AnswerHttp, doorOf } from "../../doors/answer.ts";
import type { AskedChain } from "../../doors/asked-chain.ts";
import { readRequest } from "../../doors/http.ts";
import { watch } from "../../doors/watch.ts";
import { STATUS, StatusError } from "../../engine/framework/errors.ts";
import { Lab } from "../../gen/lab/v1/lab_pb.ts";
import { errorText, isBug } from "../../input/error-text.ts";
import { SERVER } from "../../input/limits.ts";
import { type Call, isHeight } from "../../session/call.ts";
import type { Place } from "../../session/place.ts";
import { serve, serveWatcher } from "../../session/serve.ts";
import { type Access, isSameOrigin, wrongToken } from "./access.ts";
import type { RunningChain } from "./chain.ts";
import { type Bind, isOwnHost } from "./listen.ts";

type AnswerPosted = NonNullable<Place["answerHttp"]>;

/** Where pages attach. */
export const ATTACH_PATH = "/lab/v1/attach";

const HEARTBEAT_MS = 30_000;

const WATCHES = new StatusError(
  STATUS.failedPrecondition,
  "You watch this chain. Enter its token to steer it.",
);

/** Attaches pages to a chain, each by the request of its WebSocket. */
export function attachPages(
  bind: Bind,
  chain: RunningChain,
  asked: AskedChain,
  access: Access,
): (request: IncomingMessage, socket: Duplex, head: Buffer) => Promise<void> {
  let door: AnswerHttp | undefined;
  const answerHttp: AnswerPosted = async (request, steer) => {
    door ??= doorOf(asked, (router) =>
      watch(router, chain, chain.placeOf({ steers: false }, access.hasToken), asked),
    );
    return door(readRequest(request), steer);
  };
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: SERVER.messageBytes,
    perMessageDeflate: false,
  });
  return async (request, socket, head) => {
    const { headers, url } = request;
    const known = url === ATTACH_PATH && isOwnHost(headers.host, bind) && isSameOrigin(headers);
    if (!known) {
      const status = url === ATTACH_PATH ? "403 Forbidden" : "404 Not Found";
      socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
      return;
    }
    const refusal = await access.refusal(headers);
    sockets.handleUpgrade(request, socket, head, (opened) => {
      new Attached(opened, chain, answerHttp, access, refusal === undefined);
    });
  };
}

/** One page. */
class Attached {
  readonly #socket: WebSocket;
  readonly #chain: RunningChain;
  readonly #answerHttp: AnswerPosted;
  readonly #access: Access;
  readonly #seat: { steers: boolean };
  #waiting = 0;
  #alive = true;

  constructor(
    socket: WebSocket,
    chain: RunningChain,
    answerHttp: AnswerPosted,
    access: Access,
    steers: boolean,
  ) {
    this.#socket = socket;
    this.#chain = chain;
    this.#answerHttp = answerHttp;
    this.#access = access;
    this.#seat = { steers };
    const leave = chain.enter(this.#seat);
    const heartbeat = setInterval(() => this.#beat(), HEARTBEAT_MS);
    socket.on("pong", () => {
      this.#alive = true;
    });
    socket.on("error", () => socket.terminate());
    socket.on("close", () => {
      clearInterval(heartbeat);
      leave();
    });
    socket.on("message", (data) => void this.#receive(data.toString()));
    this.#send({ ready: true });
  }

  /** Lets go of a page that has gone without a word. */
  #beat(): void {
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
    this.#chain.requested();
    const call = readCall(text);
    if (call === "word") return;
    if (call === undefined) return this.#socket.close(1008, "expected a call");
    if (this.#waiting >= SERVER.calls) return this.#socket.close(1008, "too many calls at once");
    this.#waiting += 1;
    const place = Object.assign(this.#chain.placeOf(this.#seat, this.#access.hasToken), {
      answerHttp: this.#answerHttp,
    });
    const post = (answer: ToPage): void => this.#send(answer);
    const gone = (): boolean => this.#socket.readyState !== this.#socket.OPEN;
    try {
      if (call.method === "steer") post(await this.#steer(call));
      else if (this.#seat.steers) await serve(place, { ...checked(call), gone }, post);
      else await serveWatcher(place, { ...checked(call), gone }, post, WATCHES);
    } catch (error) {
      if (isBug(error)) place.reportBug(error);
      const code = error instanceof StatusError ? error.code : STATUS.internal;
      post({ call: call.call, error: { code, message: errorText(error), path: "" } });
    } finally {
      this.#waiting -= 1;
    }
  }

  /** Has the page steer that knows the token. */
  async #steer({ call, request }: Call): Promise<ToPage> {
    const { token } = Object(request) as { token?: unknown };
    if (typeof token === "string" && (await this.#access.isToken(token))) {
      this.#seat.steers = true;
      this.#chain.session.player.changed();
      return { call, response: {} };
    }
    throw wrongToken();
  }
}

/** Reads a message; `word` for one that is not answered, undefined if it is neither that nor a call. */
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

/** A call whose request has the form of its method. Throws a StatusError that says where it has not. */
function checked(call: Call): Call {
  const name = call.method.replace(/^lab\./, "");
  const method = Object.hasOwn(Lab.method, name)
    ? Lab.method[name as keyof typeof Lab.method]
    : undefined;
  const given = Object(call.request);
  if (method === undefined) return { ...call, request: given };
  try {
    return { ...call, request: messageOf(method.input, given) };
  } catch (error) {
    const field = isFieldError(error) ? `${error.field().name}: ` : "";
    const why = error instanceof Error ? error.message : "it cannot be read";
    throw new StatusError(STATUS.invalidArgument, `${call.method}: ${field}${why}`);
  }
}

/** A message of what was given for its fields. Throws an Error at one that cannot hold it. */
function messageOf(schema: DescMessage, given: Record<string, unknown>): Message {
  for (const field of schema.fields) {
    if (field.fieldKind === "list") checkList(field, given[field.localName]);
  }
  const message = create(schema, given);
  const reflected = reflect(schema, message);
  for (const one of reflected.oneofs) {
    if (given[one.localName] == null || reflected.oneofCase(one)) continue;
    const cases = one.fields.map(({ localName }) => localName);
    throw new Error(`${one.name}: expected one of ${cases.join(", ")}`);
  }
  for (const field of reflected.fields) {
    if (!reflected.isSet(field)) continue;
    const value = reflected.get(field);
    // Setting it checks it.
    reflected.set(field, value);
    if (field.message && isReflectMessage(value)) messageOf(field.message, value.message);
  }
  return message;
}

/** Throws an Error at what cannot be in a list. What is no list has no length, and so would count as not set. */
function checkList(field: DescField & { fieldKind: "list" }, given: unknown): void {
  if (given == null) return;
  if (!Array.isArray(given)) throw new Error(`${field.name}: expected a list`);
  const items = reflectList(field);
  for (const [i, item] of given.entries()) {
    if (field.listKind !== "message") items.add(item);
    else if (typeof item === "object" && item !== null) messageOf(field.message, item);
    else throw new Error(`${field.name}[${i}]: expected an object`);
  }
}
