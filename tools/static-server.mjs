/** The server of `npm start`: answers for the files of one folder. */
import { createServer } from "node:http";
import { isIP } from "node:net";
import { answerFile, refuse } from "../src/node/server/static-files.mjs";

export { filesOf } from "../src/node/server/static-files.mjs";

/**
 * Serves `folder` to this machine alone, at `port` or, when it is taken, at the next free one.
 * @param {string} folder
 * @param {number} port 0 for any
 * @returns {Promise<{ origin: string, close: () => Promise<void> }>}
 */
export async function serveFolder(folder, port) {
  const server = createServer((request, response) => {
    if (isLoopback(request.headers.host)) answerFile(folder, request, response);
    else refuse(response, 403);
  });
  await listen(server, port);
  const address = /** @type {import("node:net").AddressInfo} */ (server.address());
  return {
    origin: `http://localhost:${address.port}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/**
 * @param {import("node:http").Server} server
 * @param {number} port
 * @returns {Promise<void>}
 */
function listen(server, port) {
  return new Promise((resolve, reject) => {
    server.once("error", (/** @type {NodeJS.ErrnoException} */ error) => {
      if (error.code === "EADDRINUSE" && port < 65_535) resolve(listen(server, port + 1));
      else reject(error);
    });
    server.listen(port, "localhost", resolve);
  });
}

/**
 * A name that another party's name server answers for could be pointed here by a foreign page.
 * @param {string | undefined} host
 */
function isLoopback(host) {
  const name = (host ?? "").replace(/:\d+$/, "").toLowerCase();
  return (
    name === "localhost" || name.endsWith(".localhost") || isIP(name.replace(/^\[|\]$/g, "")) > 0
  );
}
