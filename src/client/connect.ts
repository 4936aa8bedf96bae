import { type Client, ClientError, CODE, type LabClient } from "./client.ts";
import type { ToPage, ToWorker } from "./wire.ts";

/** The used part of a Worker or MessagePort. */
export interface Port {
  postMessage(message: unknown): void;
  addEventListener(type: string, listener: (event: Event) => void): void;
  /** MessagePorts queue messages until they are started; Workers have no such method. */
  start?(): void;
}

interface Pending {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: ClientError) => void;
}

/**
 * A Client over a port. Requests wait until the worker is ready; when it ends, all are rejected.
 */
export function connectPort(port: Port): Client {
  const waiting = new Map<number, Pending>();
  let calls = 0;
  let unsent: ToWorker[] | undefined = [];
  let death: ClientError | undefined;

  const send = (message: ToWorker): void => {
    // Cloned as the port would, so that invalid data fails now.
    if (unsent) unsent.push(structuredClone(message));
    else port.postMessage(message);
  };

  const die = (message: string): void => {
    death ??= new ClientError(CODE.unavailable, message);
    for (const { reject } of waiting.values()) reject(death);
    waiting.clear();
  };

  const call = <T>(method: string, request: unknown): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      if (death) return reject(death);
      calls += 1;
      try {
        send({ call: calls, method, request, height: client.height });
        waiting.set(calls, { resolve: resolve as (value: unknown) => void, reject });
      } catch (error) {
        reject(new ClientError(CODE.invalidArgument, String(error)));
      }
    });

  port.addEventListener("message", (event) => {
    const message = (event as MessageEvent<ToPage>).data;
    if ("fatal" in message) return die(message.fatal);
    if ("ready" in message) {
      const held = unsent ?? [];
      unsent = undefined;
      for (const one of held) port.postMessage(one);
      return;
    }
    const pending = waiting.get(message.call);
    waiting.delete(message.call);
    if ("response" in message) pending?.resolve(message.response);
    else {
      const { code, message: text, path } = message.error;
      pending?.reject(new ClientError(code, text, path));
    }
  });
  port.addEventListener("messageerror", () => die("the engine sent what cannot be read"));
  port.addEventListener("error", (event) => {
    die((event as ErrorEvent).message || "the engine could not be started");
  });
  port.addEventListener("close", () => die("the engine is gone"));
  port.start?.();

  // Methods are dispatched by name; the types define which exist.
  const lab = new Proxy({} as LabClient, {
    get: (_, method) => (request: unknown) => call(`lab.${String(method)}`, request),
  });
  const client: Client = {
    lab,
    height: 0,
    query: (name, request = {}, height = 0) => call("query", { name, request, height }),
    http: (request) => call("http", request),
    requestControl: (token) => call("steer", { token }),
    leave: () => send({ word: "leave" }),
  };
  return client;
}
