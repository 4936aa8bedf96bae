/** gRPC over plaintext HTTP/2: answers calls that `front.ts` receives. */
import { MessageChannel, type MessagePort, type Worker } from "node:worker_threads";
import { errorText } from "../../../base/error-text.ts";
import { STATUS } from "../../../engine/framework/errors.ts";
import { Access } from "../access.ts";
import { type Bind, type ChainServer, once } from "../listen.ts";
import { report, reportBug } from "../log.ts";
import type { Served } from "../served.ts";
import type { ToChain, ToFront } from "./front.ts";
import type { GrpcAnswers } from "./services.ts";
import type { UnaryAnswer, UnaryCall } from "./unary-calls.ts";

/** Starts a thread that serves HTTP/2. */
export type StartFront = () => Pick<Worker, "on" | "postMessage" | "terminate">;

/** A thread's end of the channel between it and the chain. */
interface Port {
  on(event: "message", listener: (message: ToChain) => void): unknown;
  postMessage(message: ToFront): void;
}

/** A listening HTTP/2 server. */
interface Front extends Pick<ChainServer, "address" | "port" | "close"> {
  /** Reason why its thread has ended without being closed. */
  readonly failure: Promise<unknown>;
}

/**
 * Serves gRPC until it is closed, in threads of `start`, or in this one. When a thread fails, its
 * calls end, the cause is reported, and another thread listens at the same address; the chain
 * continues.
 */
export async function openGrpc(
  served: Served,
  bind: Bind,
  start?: StartFront,
): Promise<ChainServer> {
  const answers = once(async () =>
    (await import("./services.ts")).answerGrpc(
      served,
      new Access(bind, served.token, served.wrongTokenMs, served.chain.guesses),
    ),
  );
  const first = await openFront(served, answers, bind, start);
  const { address, port } = first;
  let isClosed = false;
  let opening = Promise.resolve(first);
  const again = async (failure: unknown): Promise<void> => {
    if (isClosed) return;
    reportBug(failure);
    report(`gRPC: the thread of ${address} has failed and is started again`);
    try {
      opening = openFront(served, answers, { ...bind, port }, start);
      const front = await opening;
      void front.failure.then(again);
    } catch (error) {
      report(`gRPC: ${address} is closed: ${errorText(error)}`);
    }
  };
  void first.failure.then(again);
  return {
    address,
    port,
    load: async () => void (await answers()),
    async close() {
      isClosed = true;
      const front = await opening.catch(() => undefined);
      await front?.close();
    },
  };
}

/**
 * Opens a server in a thread of `start`, or in this one. Rejects if it cannot listen, or fails
 * before that.
 */
async function openFront(
  { chain }: Served,
  answers: () => Promise<GrpcAnswers>,
  bind: Bind,
  start: StartFront | undefined,
): Promise<Front> {
  const thread = start?.();
  const front: Port = thread ?? (await frontHere());
  const send = (message: ToFront): void => front.postMessage(message);
  const calls = new PendingCalls(answers);
  let closed = (): void => {};
  const failure = new Promise<unknown>((resolve) => {
    thread?.on("error", resolve);
    thread?.on("exit", (code) => resolve(new Error(`the thread of gRPC has ended with ${code}`)));
  });
  void failure.then(() => calls.cancelAll());
  const listening = new Promise<Pick<ChainServer, "address" | "port">>((resolve, reject) => {
    const receive = async (message: ToChain): Promise<void> => {
      if ("call" in message) {
        send({ call: message.call, answer: await calls.answer(message.call, message.request) });
      } else if ("cancelled" in message) calls.cancel(message.cancelled);
      else if ("library" in message) (await answers()).answerCall(message.library);
      else if ("load" in message) send({ methods: (await answers()).methods });
      else if ("listening" in message) resolve(message.listening);
      else if ("failed" in message) reject(new Error(message.failed));
      else closed();
    };
    front.on("message", (message) => void receive(message).catch(reportBug));
    void failure.then(reject);
  });
  send({ listen: bind, requestBytes: chain.admission.bytes.forFront() });
  try {
    const { address, port } = await listening;
    return {
      address,
      port,
      failure,
      async close() {
        const answered = new Promise<void>((resolve) => {
          closed = resolve;
        });
        send({ close: true });
        await Promise.race([answered, failure]);
        await thread?.terminate();
      },
    };
  } catch (error) {
    await thread?.terminate();
    throw error;
  }
}

/** Serves in this thread. */
async function frontHere(): Promise<MessagePort> {
  const { port1, port2 } = new MessageChannel();
  (await import("./front.ts")).serveFront(port2);
  return port1;
}

/** Fast-path calls without an answer so far. */
class PendingCalls {
  readonly #answers: () => Promise<GrpcAnswers>;
  readonly #cancelled = new Map<number, boolean>();

  constructor(answers: () => Promise<GrpcAnswers>) {
    this.#answers = answers;
  }

  /** Answers a call, even if it fails because of a bug. */
  async answer(call: number, request: UnaryCall): Promise<UnaryAnswer> {
    this.#cancelled.set(call, false);
    try {
      const { unary } = await this.#answers();
      return await unary.answer(request, () => this.#cancelled.get(call) ?? true);
    } catch (error) {
      reportBug(error);
      return { trailers: { "grpc-status": STATUS.internal, "grpc-message": "internal error" } };
    } finally {
      this.#cancelled.delete(call);
    }
  }

  /** The client of a call has disconnected: cancels the call if possible. */
  cancel(call: number): void {
    if (this.#cancelled.has(call)) this.#cancelled.set(call, true);
  }

  cancelAll(): void {
    for (const call of this.#cancelled.keys()) this.cancel(call);
  }
}
