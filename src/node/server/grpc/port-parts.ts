/** Sends the parts of a stream through a port: the next one is produced on request. */
import type { MessagePort } from "node:worker_threads";
import { Code, ConnectError } from "@connectrpc/connect";

type PartMessage<T> = { readonly part: T } | { readonly failed: Failure } | "end";

interface Failure {
  readonly message: string;
  readonly code: Code;
}

const CLOSED: Failure = { message: "the other end of the port is closed", code: Code.Canceled };

/** Sends the iterated values on request; the iteration ends when the other end closes the port. */
export function sendParts<T>(port: MessagePort, parts: AsyncIterable<T>): void {
  const iterator = parts[Symbol.asyncIterator]();
  const send = (message: PartMessage<T>): void => port.postMessage(message);
  port.on("message", async () => {
    try {
      const { done, value } = await iterator.next();
      send(done ? "end" : { part: value });
    } catch (error) {
      const { rawMessage: message, code } = ConnectError.from(error);
      send({ failed: { message, code } });
    }
  });
  port.once("close", () => void iterator.return?.().catch(() => {}));
}

/**
 * Yields the messages of the other end. Rejects with a ConnectError if it fails, or is closed
 * before its end.
 */
export async function* receiveParts<T>(port: MessagePort): AsyncGenerator<T> {
  let receive = (_: PartMessage<T>): void => {};
  let closed: Failure | undefined;
  port.on("message", (message: PartMessage<T>) => receive(message));
  port.once("close", () => {
    closed = CLOSED;
    receive({ failed: closed });
  });
  try {
    for (;;) {
      const message = await new Promise<PartMessage<T>>((resolve) => {
        receive = resolve;
        if (closed) return resolve({ failed: closed });
        port.postMessage("next");
      });
      if (message === "end") return;
      if ("failed" in message) throw new ConnectError(message.failed.message, message.failed.code);
      yield message.part;
    }
  } finally {
    port.close();
  }
}
