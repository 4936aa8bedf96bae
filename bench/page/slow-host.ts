/** A reverse proxy that makes a host on this machine as far away, and its line as narrow, as is asked for. */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { gzipSync } from "node:zlib";

export interface Line {
  /** Bits a second from the host to the browser, shared by all answers. */
  readonly bitsPerSecond: number;
  readonly roundTripMs: number;
}

export interface SlowHost {
  /** With a slash at its end, as the host's own. */
  readonly origin: string;
  close(): Promise<void>;
}

/** About what is on its way at once. */
const CHUNK = 4096;
const TEXT = /^(text|application\/(json|yaml|manifest))/;

/**
 * Serves what `origin` serves through such a line: a new connection costs one round trip, each request another, and
 * texts are compressed, as static hosts do. A line of the browser's own would not count for its workers.
 */
export async function slowHost(origin: string, line: Line): Promise<SlowHost> {
  const send = sender(line);
  const server = createServer(async (request, response) => {
    const first = !connected.has(request.socket);
    connected.add(request.socket);
    await delay(line.roundTripMs * (first ? 2 : 1));
    const { method = "GET", url = "/" } = request;
    const address = new URL(url, origin);
    const answer = await fetch(address, { method, redirect: "manual" });
    const type = answer.headers.get("content-type") ?? "";
    const body = new Uint8Array(await answer.arrayBuffer());
    const isText = TEXT.test(type);
    for (const [name, value] of answer.headers)
      if (!/^(content-length|connection|keep-alive|transfer-encoding)$/.test(name))
        response.setHeader(name, value);
    if (isText) response.setHeader("Content-Encoding", "gzip");
    response.writeHead(answer.status);
    await send(response, isText ? gzipSync(body) : body);
  });
  const connected = new WeakSet<object>();
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://localhost:${port}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Writes answers piece by piece, each when the pieces before it, of whichever answer, are through the line. */
function sender({ bitsPerSecond }: Line) {
  let free = 0;
  return async (response: ServerResponse, body: Uint8Array): Promise<void> => {
    for (let at = 0; at < body.length && !response.destroyed; at += CHUNK) {
      const piece = body.subarray(at, at + CHUNK);
      const now = performance.now();
      free = Math.max(now, free) + (1000 * 8 * piece.length) / bitsPerSecond;
      await delay(free - now);
      response.write(piece);
    }
    response.end();
  };
}
