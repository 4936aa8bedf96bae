/** A port to a node over a WebSocket, which is reopened whenever it is lost. */
import { CODE } from "./client.ts";
import type { Port } from "./connect.ts";
import type { ToPage, ToWorker } from "./wire.ts";
import { fromText, toText } from "./wire-text.ts";

/** Delays before reconnecting, in ms; the last one repeats. */
const PAUSES_MS = [250, 500, 1_000, 2_000, 4_000];

const LOST = "The node cannot be reached; it is tried again.";
const UNSURE =
  "The connection to the node was lost meanwhile: look whether it was done before it is tried again.";

/** Storage of the access token, as long as it is needed. */
export interface TokenStore {
  get(): string;
  set(token: string): void;
}

type Call = Extract<ToWorker, { call: number }>;

/** The node's method that receives a token. */
const CONTROL = "steer";
/** Number of the call that sends the token again; a client's calls start with 1. */
const AGAIN = 0;

export function socketPort(
  address: string,
  token: TokenStore,
  open = (to: string): WebSocket => new WebSocket(to),
): Port {
  const events = new EventTarget();
  /** Unanswered calls, by their numbers. */
  const sent = new Map<number, Call>();
  let socket: WebSocket | undefined;
  let failures = 0;

  const say = (message: ToPage): void => {
    events.dispatchEvent(new MessageEvent("message", { data: message }));
  };
  const refuse = (call: number, message: string): void =>
    say({ call, error: { code: CODE.aborted, message, path: "" } });

  const connect = (): void => {
    const own = open(address);
    own.onopen = () => {
      const isAgain = failures > 0;
      failures = 0;
      socket = own;
      const known = token.get();
      if (known !== "") post({ call: AGAIN, method: CONTROL, request: { token: known } });
      // A node accepts only a short first message, and the next call may be long.
      else if (isAgain) post({ word: "here" });
    };
    own.onmessage = ({ data }) => {
      const message = fromText(String(data)) as ToPage;
      if ("call" in message) {
        const { method, request } = sent.get(message.call) ?? {};
        sent.delete(message.call);
        if (method === CONTROL && "response" in message) token.set(Object(request).token);
        if (message.call === AGAIN) {
          // Another node, or a new token.
          if ("error" in message) token.set("");
          return;
        }
      }
      say(message);
    };
    own.onclose = () => {
      socket = undefined;
      const unanswered = [...sent];
      sent.clear();
      for (const [call, { method }] of unanswered) {
        if (call !== AGAIN) refuse(call, method === "lab.getFrame" ? LOST : UNSURE);
      }
      const pause = PAUSES_MS[Math.min(failures, PAUSES_MS.length - 1)];
      failures += 1;
      setTimeout(connect, pause);
    };
  };

  const post = (message: ToWorker): void => {
    if (socket !== undefined) {
      if ("call" in message) sent.set(message.call, message);
      socket.send(toText(message));
    } else if ("call" in message) {
      const { call } = message;
      // An answer follows the call asynchronously, as on every port.
      queueMicrotask(() => refuse(call, LOST));
    }
  };

  return {
    postMessage: (message) => post(message as ToWorker),
    addEventListener: (type, listener) => events.addEventListener(type, listener),
    start: connect,
  };
}
