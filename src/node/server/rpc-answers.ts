/** CometBFT's RPC over HTTP and WebSocket. */

import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import { errorText } from "../../base/error-text.ts";
import { RPC } from "../../base/limits.ts";
import { STATUS, StatusError } from "../../engine/framework/errors.ts";
import type { TxView } from "../../engine/simulation/views.ts";
import { textAnswer } from "../../server/http.ts";
import { METRICS_TYPE } from "../../server/metrics/exposition.ts";
import {
  answerAll,
  answerGet,
  answerPost,
  answerRequest,
  isHealth,
  type RpcAnswer,
  type RpcRequest,
  readRequests,
  refusal,
  refusalBy,
  success,
} from "../../server/rpc/answer.ts";
import type { RpcNode } from "../../server/rpc/node.ts";
import { argumentsFromJson } from "../../server/rpc/parameters.ts";
import { Subscriptions } from "../../server/rpc/subscriptions.ts";
import { QUERIES_ONLY } from "../../session/caller.ts";
import { openBlocks } from "../../view/lab/reading.ts";
import { invalidRequest, serverError } from "../../view/rpc-error.ts";
import { ByteBudget, SocketBytes } from "./byte-budget.ts";
import type { RunningChain } from "./chain.ts";
import {
  type AnswerRequest,
  allowOrigin,
  foreignPage,
  readBody,
  refusedWith,
  send,
} from "./http.ts";
import { type Bind, isOwnHost, refuseUpgrade } from "./listen.ts";
import { reportBug } from "./log.ts";
import { metricsOf } from "./metrics.ts";
import type { Served } from "./served.ts";

/** Blocks processed for subscribers before yielding. */
const BLOCKS_AT_ONCE = 16;
/** WebSocket's code for a protocol violation by the client. */
const POLICY_VIOLATION = 1008;
const SLOW = "subscription was cancelled (reason: slow client)";

export interface RpcAnswers {
  readonly answer: AnswerRequest;
  /** Accepts a WebSocket upgrade. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  close(): void;
}

/**
 * Answers requests for a chain.
 * @param address where it listens
 * @param unreadBytes maximum bytes buffered for a slow subscriber
 */
export function rpcAnswers(
  served: Served,
  bind: Bind,
  address: string,
  unreadBytes: number,
): RpcAnswers {
  const { chain, namespace } = served;
  const node: RpcNode = {
    turn: () => chain.turn(),
    query: (question) => chain.query(question),
    broadcast: (bytes) => chain.broadcast(bytes),
    committed: (hash) => committedTx(chain, hash),
    reportBug,
    namespace,
    minGasPrices: chain.minGasPrices,
    address: `tcp://${address}`,
  };
  const metrics = metricsOf(chain);
  const sockets = new RpcSockets(chain, node, unreadBytes);
  return {
    async answer(request, response) {
      if (allowOrigin(request, response, served)) return;
      const gone = (): boolean => response.destroyed;
      const { status, type, body } = await answerHttp(
        requestedBy(node, chain, gone, new HeldAnswers(chain, response)),
        metrics,
        request,
        () => readBody(chain, request, response, isHealthCall),
      );
      send(response, textAnswer(status, type, body));
    },
    upgrade(request, socket, head) {
      const isNamed = isOwnHost(request.headers.host, bind);
      const why = isNamed ? foreignPage(request, served) : "this is no name of the node";
      if (why === undefined) sockets.accept(request, socket, head);
      else refuseUpgrade(socket, "403 Forbidden", why);
    },
    close: () => sockets.close(),
  };
}

/** The node as seen by a client that may disconnect. */
const requestedBy = (
  node: RpcNode,
  chain: RunningChain,
  gone: () => boolean,
  held: HeldAnswers,
): RpcNode => ({
  ...node,
  hold: (characters) => held.hold(characters),
  turn: () => chain.turn(gone),
  query: (question) => chain.query(question, { ...QUERIES_ONLY, gone }),
});

/** Answers of one client's batch, counted with those of all others until they are sent. */
class HeldAnswers {
  readonly #chain: RunningChain;
  readonly #client: Parameters<ByteBudget["of"]>[0];
  #held: ReturnType<ByteBudget["of"]> | undefined;

  /** @param client closed when they are sent, or cannot be any more */
  constructor(chain: RunningChain, client: Parameters<ByteBudget["of"]>[0]) {
    this.#chain = chain;
    this.#client = client;
  }

  hold(characters: number): void {
    this.#held ??= this.#chain.admission.answers.of(this.#client);
    if (this.#held.reserve(characters)) return;
    this.release();
    throw new StatusError(STATUS.resourceExhausted, ByteBudget.TOO_MANY_ANSWERS);
  }

  release(): void {
    this.#held?.release();
  }
}

/** The transaction with a hash, as soon as a block contains it. */
function committedTx(chain: RunningChain, hash: Uint8Array): Promise<TxView | undefined> {
  const from = chain.session.sim.height;
  return new Promise((resolve) => {
    const end = (found?: TxView): void => {
      clearTimeout(timer);
      endBlocks();
      resolve(found);
    };
    const timer = setTimeout(end, RPC.commitMs);
    const endBlocks = chain.onBlocks(() => {
      const found = chain.session.sim.tx(hash, from);
      if (found !== undefined) end(found);
    });
    // A block may already contain it.
    const found = chain.session.sim.tx(hash, from);
    if (found !== undefined) end(found);
  });
}

async function answerHttp(
  node: RpcNode,
  metrics: { text(): Promise<string> },
  request: IncomingMessage,
  read: () => Promise<Uint8Array>,
): Promise<Omit<RpcAnswer, "type"> & { readonly type: string }> {
  const { method = "GET", url = "/", headers } = request;
  const host = headers.host ?? "localhost";
  const isCall = method === "POST" && /^\/(\?|$)/.test(url);
  let body: Uint8Array;
  try {
    body = await read();
  } catch (error) {
    const status = refusedWith(error) === 429 ? 429 : 400;
    const refused =
      status === 429
        ? serverError(errorText(error))
        : invalidRequest(`error reading request body: ${errorText(error)}`);
    return { status, type: "application/json", body: JSON.stringify(refusal(null, refused)) };
  }
  if (url === "/metrics") return { status: 200, type: METRICS_TYPE, body: await metrics.text() };
  if (isCall) return answerPost(node, new TextDecoder().decode(body), host);
  return answerGet(node, url, host);
}

/** Maximum bytes of a body that may be a health check. */
const HEALTH_BYTES = 200;

const isHealthCall = (body: Uint8Array): boolean =>
  body.length <= HEALTH_BYTES && isHealth(new TextDecoder().decode(body));

interface Client {
  readonly socket: WebSocket;
  readonly held: HeldAnswers;
  /** Number of unanswered requests. */
  waiting: number;
  /** Settled when all of them are answered. */
  answered: Promise<void>;
  isThere: boolean;
}

/** All WebSockets of a chain, and their notifications of its blocks. */
class RpcSockets {
  readonly #chain: RunningChain;
  readonly #node: RpcNode;
  readonly #unreadBytes: number;
  readonly #server = new WebSocketServer({
    noServer: true,
    maxPayload: RPC.messageBytes,
    perMessageDeflate: false,
  });
  readonly #clients = new Set<Client>();
  readonly #subscriptions = new Subscriptions<Client>();
  readonly #endBlocks: () => void;
  readonly #pinging: NodeJS.Timeout;
  /** The last height of which subscribers were notified. */
  #notified: number;
  #world: object;
  #isNotifying = false;

  constructor(chain: RunningChain, node: RpcNode, unreadBytes: number) {
    this.#chain = chain;
    this.#node = node;
    this.#unreadBytes = unreadBytes;
    this.#world = chain.session.sim;
    this.#notified = chain.session.sim.height;
    this.#endBlocks = chain.onBlocks(() => void this.#notify().catch(reportBug));
    this.#pinging = setInterval(() => this.#ping(), RPC.pingMs);
    this.#pinging.unref();
  }

  accept(request: IncomingMessage, stream: Duplex, head: Buffer): void {
    this.#server.handleUpgrade(request, stream, head, (socket) => {
      const bytes = new SocketBytes(
        socket,
        stream,
        this.#chain.admission.bytes,
        () => RPC.messageBytes,
      );
      const client: Client = {
        socket,
        held: new HeldAnswers(this.#chain, socket),
        waiting: 0,
        answered: Promise.resolve(),
        isThere: true,
      };
      this.#clients.add(client);
      socket.on("message", (data) => {
        const text = String(data);
        const answered = bytes.complete(text.length);
        if (answered) this.#receive(client, text, answered);
      });
      socket.on("pong", () => {
        client.isThere = true;
      });
      // The close event follows.
      socket.on("error", () => {});
      socket.on("close", () => {
        this.#clients.delete(client);
        this.#subscriptions.leave(client);
      });
    });
  }

  /**
   * Answers messages in sequence; reading pauses for a client that sends faster than it is
   * answered.
   */
  #receive(client: Client, text: string, answered: () => void): void {
    const { socket } = client;
    client.waiting += 1;
    if (client.waiting >= RPC.waitingRequests) socket.pause();
    client.answered = client.answered.then(async () => {
      await this.#answer(client, text);
      answered();
      client.waiting -= 1;
      if (client.waiting < RPC.waitingRequests) socket.resume();
    });
  }

  async #answer(client: Client, text: string): Promise<void> {
    const { socket, held } = client;
    const gone = (): boolean => socket.readyState !== socket.OPEN;
    const node = requestedBy(this.#node, this.#chain, gone, held);
    let written: string;
    try {
      await node.turn();
      const answer = (request: RpcRequest) => this.#answerOne(client, node, request);
      written = await answerAll(node, readRequests(text), answer);
    } catch (error) {
      written = JSON.stringify(refusal(null, error));
    }
    if (written !== "" && !gone())
      await new Promise<void>((resolve) => socket.send(written, () => resolve()));
    held.release();
  }

  async #answerOne(client: Client, node: RpcNode, request: RpcRequest): Promise<object> {
    const { id, method } = request;
    try {
      switch (method) {
        case "subscribe": {
          const { height } = this.#chain.session.sim;
          this.#subscriptions.subscribe(client, id, queryOf(request), height);
          return success(id, {});
        }
        case "unsubscribe":
          this.#subscriptions.unsubscribe(client, queryOf(request));
          return success(id, {});
        case "unsubscribe_all":
          this.#subscriptions.unsubscribeAll(client);
          return success(id, {});
        default:
          return await answerRequest(node, request);
      }
    } catch (error) {
      return refusalBy(node, id, error);
    }
  }

  /**
   * Notifies subscribers of new blocks, a few at a time; blocks are read from the chain, not queued
   * here.
   */
  async #notify(): Promise<void> {
    if (this.#isNotifying) return;
    this.#isNotifying = true;
    try {
      while (this.#isBehind()) {
        const from = this.#notified + 1;
        const subscriptions = this.#subscriptions;
        const messages = await this.#node.query(function* ({ sim }) {
          const to = Math.min(sim.height, from + BLOCKS_AT_ONCE - 1);
          // Changes of validators take effect two heights later.
          yield* openBlocks(from, to + 1);
          const heights = Array.from({ length: Math.max(to - from + 1, 0) }, (_, i) => from + i);
          return heights.map((height) => subscriptions.notify(sim, height));
        });
        this.#notified += messages.length;
        for (const { client, text } of messages.flat()) this.#send(client, text);
        await new Promise((resolve) => setImmediate(resolve));
      }
    } finally {
      this.#isNotifying = false;
    }
  }

  /**
   * True while subscribers must be notified of blocks. If the world changes, or they fall too far
   * behind, notifications restart at the current height, and the clients are disconnected.
   */
  #isBehind(): boolean {
    const { sim } = this.#chain.session;
    const isOther = sim !== this.#world || sim.height < this.#notified;
    this.#world = sim;
    if (this.#subscriptions.size === 0 || isOther) this.#notified = sim.height;
    if (sim.height - this.#notified > RPC.pendingBlocks) {
      for (const client of this.#clients) this.#drop(client);
      this.#notified = sim.height;
    }
    return sim.height > this.#notified;
  }

  #send(client: Client, text: string): void {
    const { socket } = client;
    if (socket.readyState !== socket.OPEN) return;
    if (socket.bufferedAmount > this.#unreadBytes) this.#drop(client);
    else socket.send(text);
  }

  /** Disconnects a client that cannot follow, with the reason for each of its subscriptions. */
  #drop(client: Client): void {
    const { socket } = client;
    const ids = this.#subscriptions.leave(client);
    if (ids.length === 0) return;
    for (const id of ids) socket.send(JSON.stringify(refusal(id, serverError(SLOW))));
    socket.close(POLICY_VIOLATION, SLOW);
  }

  #ping(): void {
    for (const client of this.#clients) {
      if (!client.isThere) client.socket.terminate();
      client.isThere = false;
      client.socket.ping();
    }
  }

  close(): void {
    this.#endBlocks();
    clearInterval(this.#pinging);
    for (const { socket } of this.#clients) socket.terminate();
    this.#server.close();
  }
}

/** The query of a request, by name or by position. Throws an RpcError. */
const queryOf = ({ params }: RpcRequest): string =>
  argumentsFromJson({ query: "text" }, params).query ?? "";
