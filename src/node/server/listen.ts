/** Server addresses, and the accepted host names. */
import type { Server as HttpServer, IncomingMessage } from "node:http";
import type { AddressInfo, Server } from "node:net";
import { isIP } from "node:net";
import { hostname } from "node:os";
import type { Duplex } from "node:stream";
import { reportBug } from "./log.ts";

/** An address to listen on; port 0 is any free one. */
export interface Bind {
  readonly host: string;
  readonly port: number;
}

export interface Listening {
  /** As shown to clients: `127.0.0.1:1317`. */
  readonly address: string;
  readonly port: number;
  /** Closes it with all of its connections. */
  close(): Promise<void>;
}

/**
 * A server of a chain. Its handlers are loaded with the first request, so that the first block need
 * not wait for them.
 */
export interface ChainServer extends Listening {
  /** Preloads the handlers. */
  load(): Promise<void>;
}

/**
 * Returns a function that calls `load` on its first call, and returns that result on every call.
 */
export function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined;
  return () => {
    loading ??= load();
    return loading;
  };
}

/**
 * Makes a server accept WebSocket upgrades; a connection that is lost meanwhile, or refused, is
 * closed.
 */
export function acceptUpgrades(
  server: HttpServer,
  take: (request: IncomingMessage, socket: Duplex, head: Buffer) => Promise<void>,
): void {
  server.on("upgrade", async (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on("error", () => socket.destroy());
    try {
      await take(request, socket, head);
    } catch (error) {
      reportBug(error);
      socket.destroy();
    }
  });
}

/** Refuses a WebSocket, with a status line and the reason. */
export function refuseUpgrade(socket: Duplex, status: string, why = ""): void {
  socket.end(
    `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(why)}\r\n\r\n${why}`,
  );
}

/**
 * Parses `127.0.0.1:1317`, `[::1]:0` or `tcp://0.0.0.0:26657`. Throws an Error with the expected
 * format.
 */
export function readBind(text: string): Bind {
  const match = /^(?:tcp:\/\/)?(\[[0-9a-fA-F:]+\]|[\w.-]+):(\d{1,5})$/.exec(text);
  const port = Number(match?.[2]);
  const host = match?.[1]?.replace(/^\[|\]$/g, "");
  if (host === undefined || port > 65_535) {
    throw new Error(`expected an address and a port such as 127.0.0.1:1317, found "${text}"`);
  }
  return { host, port };
}

/** True if an address can be reached from this machine alone. */
export const isLoopback = ({ host }: Bind): boolean =>
  host === "localhost" || host === "::1" || /^127\.\d+\.\d+\.\d+$/.test(host);

/**
 * True if a request's Host names this machine: a foreign page could point a name from another name
 * server here.
 */
export function isOwnHost(text: string | undefined, { host }: Bind): boolean {
  const name = (text ?? "localhost").replace(/:\d+$/, "").toLowerCase();
  return (
    name === "localhost" ||
    name.endsWith(".localhost") ||
    name === host.toLowerCase() ||
    isIP(name.replace(/^\[|\]$/g, "")) > 0 ||
    // A system call, so it comes last.
    name === hostname().toLowerCase()
  );
}

/** Makes a server listen. Rejects with a readable Error if the address is unavailable. */
export function listen(server: Server, { host, port }: Bind): Promise<Listening> {
  const connections = new Set<{
    destroy(): void;
    once(event: "close", done: () => void): unknown;
  }>();
  server.on("connection", (socket) => {
    connections.add(socket);
    socket.once("close", () => connections.delete(socket));
  });
  return new Promise((resolve, reject) => {
    server.once("error", ({ code = "", message }: NodeJS.ErrnoException) => {
      reject(new Error(`${host}:${port}: ${REASONS[code] ?? message}`));
    });
    server.listen(port, host, () => {
      const at = server.address() as AddressInfo;
      resolve({
        address: `${isIP(host) === 6 ? `[${host}]` : host}:${at.port}`,
        port: at.port,
        close: () =>
          new Promise((closed) => {
            server.close(() => closed());
            for (const socket of connections) socket.destroy();
          }),
      });
    });
  });
}

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: "another program listens there",
  EADDRNOTAVAIL: "this machine has no such address",
  EACCES: "it may not be listened at",
  ENOTFOUND: "there is no such host",
};
