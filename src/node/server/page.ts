/** The built page, which attaches to the node that serves it. */
import { existsSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { textAnswer } from "../../server/http.ts";
import { ATTACH_PATH } from "./attached.ts";
import { send } from "./http.ts";
import type { Served } from "./served.ts";
import { answerFile, fileAt } from "./static-files.mjs";

/** Service worker with which the built page runs offline, with a chain in its own tab. */
const OFFLINE = "/sw.js";

/** Answers a request for a file of the page; returns false if there is none, without an answer. */
export function answerPage(
  folder: string,
  endpoints: Served["endpoints"],
  request: IncomingMessage,
  response: ServerResponse,
): boolean {
  const [path = "/"] = (request.url ?? "/").split(/[?#]/, 1);
  if (!existsSync(join(folder, "index.html"))) {
    if (path !== "/") return false;
    send(
      response,
      textAnswer(404, "text/plain; charset=utf-8", "The page is not built here: npm run build\n"),
    );
    return true;
  }
  if (path === OFFLINE || fileAt(folder, path) === undefined) return false;
  answerFile(folder, request, response, (name, content) =>
    name === "index.html" ? attached(content, endpoints) : content,
  );
  return true;
}

/**
 * The page with the node's addresses: src/ui/store/worker.ts reads its own, and the API panel those
 * of the other servers.
 */
function attached(html: Buffer, endpoints: Served["endpoints"]): Buffer {
  const values = { node: ATTACH_PATH.slice(1), ...endpoints };
  const attributes = Object.entries(values).map(([name, value]) => ` data-${name}="${value}"`);
  return Buffer.from(html.toString().replace("<html", `<html${attributes.join("")}`));
}
