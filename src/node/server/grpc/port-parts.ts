/** Parts of a whole that go through a port one by one: the next one is made when it is asked for. */
import type { MessagePort } from "node:worker_threads";
import { Code, ConnectError } from "@connectrpc/connect";

type Said<T> = { readonly part: T } | { readonly failed: Failure } | "end";

interface Failure {
  readonly message: string;
  readonly code: Code;
}

const CLOSED: Failure = { message: "the other side has gone", code: Code.Canceled };

/** Has the other end take what is iterated; that ends when the other end closes the port. */
export function give<T>(port: MessagePort, parts: AsyncIterable<T>): void {
  const iterator = parts[Symbol.asyncIterator]();
  const say = (said: Said<T>): void => port.postMessage(said);
  port.on("message", async () => {
    try {
      const { done, value } = await iterator.next();
      say(done ? "end" : { part: value });
    } catch (error) {
      const { rawMessage: message, code } = ConnectError.from(error);
      say({ failed: { message, code } });
    }
  });
  port.once("close", () => void iterator.return?.().catch(() => {}));
}

/** What the other end gives. Rejects with a ConnectError where that fails, or is closed before its end. */
export async function* taken<T>(port: MessagePort): AsyncGenerator<T> {
  let hear = (_: Said<T>): void => {};
  let closed: Failure | undefined;
  port.on("message", (said: Said<T>) => hear(said));
  port.once("close", () => {
    closed = CLOSED;
    hear({ failed: closed });
  });
  try {
    for (;;) {
      const said = await new Promise<Said<T>>((resolve) => {
        hear = resolve;
        if (closed) return resolve({ failed: closed });
        port.postMessage("next");
      });
      if (said === "end") return;
      if ("failed" in said) throw new ConnectError(said.failed.message, said.failed.code);
      yield said.part;
    }
  } finally {
    port.close();
  }
}
