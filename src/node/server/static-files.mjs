/** Serves the files of one folder, with the page's security headers. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { extname, join, sep } from "node:path";
import { EMBEDDED_HEADERS, EMBEDDED_PAGE, SECURITY_HEADERS } from "./security-headers.mjs";

/** @type {Readonly<Record<string, string>>} */
const CONTENT_TYPES = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".md": "text/plain; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
  ".yaml": "application/yaml; charset=utf-8",
};

/** The names of these files contain a hash of their content: another content has another name. */
const HASHED = /(^|\/)assets\/[^/]+$/;

/**
 * Answers a request for one of the files.
 * @param {string} folder
 * @param {import("node:http").IncomingMessage} request
 * @param {import("node:http").ServerResponse} response
 * @param {(name: string, content: Buffer) => Buffer} [change] what is sent in place of a file's
 * content
 */
export function answerFile(folder, request, response, change = (_, content) => content) {
  const name = fileAt(folder, request.url ?? "");
  const headers = name === EMBEDDED_PAGE ? EMBEDDED_HEADERS : SECURITY_HEADERS;
  for (const [key, value] of Object.entries(headers)) response.setHeader(key, value);
  if (request.method !== "GET" && request.method !== "HEAD") {
    response.setHeader("Allow", "GET, HEAD");
    return refuse(response, 405);
  }
  if (name === undefined) return refuse(response, 404);
  const content = change(name, readFileSync(join(folder, name)));
  const etag = `"${createHash("sha256").update(content).digest("base64url")}"`;
  response.setHeader("ETag", etag);
  response.setHeader(
    "Cache-Control",
    HASHED.test(name) ? "public, max-age=31536000, immutable" : "no-cache",
  );
  if (request.headers["if-none-match"] === etag) {
    response.writeHead(304).end();
    return;
  }
  response.writeHead(200, {
    "Content-Type": CONTENT_TYPES[extname(name)] ?? "application/octet-stream",
    // No file is long enough for range requests: every answer is complete.
    "Accept-Ranges": "none",
    "Content-Length": content.length,
  });
  response.end(request.method === "HEAD" ? undefined : content);
}

/**
 * The file that an address names, looked up among those that there are: paths are never built from
 * the request.
 * @param {string} folder
 * @param {string} address
 */
export function fileAt(folder, address) {
  const [path = ""] = address.split(/[?#]/, 1);
  const names = new Map(filesOf(folder).map((name) => [`/${name}`, name]));
  try {
    const asked = decodeURIComponent(path);
    return names.get(asked.endsWith("/") ? `${asked}index.html` : asked);
  } catch {
    return undefined;
  }
}

/**
 * The files below a folder, by paths with forward slashes; no links, and nothing hidden.
 * @param {string} folder
 * @returns {string[]}
 */
export function filesOf(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length))
    .map((name) => name.replaceAll(sep, "/").replace(/^\//, ""))
    .filter((name) => !/(^|\/)\./.test(name))
    .sort();
}

/**
 * @param {import("node:http").ServerResponse} response
 * @param {number} status
 */
export function refuse(response, status) {
  response.writeHead(status, { "Cache-Control": "no-store", "Content-Length": 0 }).end();
}
