/** gRPC over plaintext HTTP/2: what a chain answers to those whom `front.ts` serves. */
import { MessageChannel, type MessagePort, type Worker } from "node:worker_threads";
import { Access } from "../access.ts";
import { type Bind, type Door, once } from "../listen.ts";
import type { Served } from "../served.ts";
import type { ToChain, ToFront } from "./front.ts";

/** What the chain's side of the port is. */
interface Front {
  on(event: "message", listener: (said: ToChain) => void): unknown;
  postMessage(said: ToFront): void;
}

/** Serves in this thread. */
async function frontHere(): Promise<MessagePort> {
  const { port1, port2 } = new MessageChannel();
  (await import("./front.ts")).serveFront(port2);
  return port1;
}

/** Serves gRPC until the door is closed, in `thread`, or in this one. */
export async function openGrpc(served: Served, bind: Bind, thread?: Worker): Promise<Door> {
  const front: Front = thread ?? (await frontHere());
  const tell = (said: ToFront): void => front.postMessage(said);
  const answers = once(async () => {
    const answers = (await import("./services.ts")).answerGrpc(
      served,
      new Access(bind, served.token),
    );
    tell({ methods: answers.methods });
    return answers;
  });
  const askers = new Map<number, { gone: boolean }>();
  let closed = (): void => {};
  const { address, port } = await new Promise<Pick<Door, "address" | "port">>((resolve, reject) => {
    front.on("message", async (said) => {
      if ("call" in said) {
        const { call } = said;
        const asker = { gone: false };
        askers.set(call, asker);
        const { unary } = await answers();
        tell({ call, answer: await unary.answer(said.asked, () => asker.gone) });
        askers.delete(call);
      } else if ("gone" in said) {
        const asker = askers.get(said.gone);
        if (asker) asker.gone = true;
      } else if ("library" in said) {
        (await answers()).answerCall(said.library);
      } else if ("load" in said) {
        await answers();
      } else if ("listening" in said) resolve(said.listening);
      else if ("failed" in said) reject(new Error(said.failed));
      else closed();
    });
    tell({ listen: bind });
  });
  return {
    address,
    port,
    load: async () => void (await answers()),
    close() {
      return new Promise((resolve) => {
        closed = resolve;
        tell({ close: true });
      });
    },
  };
}
