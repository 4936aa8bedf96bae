import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { createConnection } from "node:net";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SECURITY_HEADERS } from "../src/node/server/security-headers.mjs";
import { serveFolder } from "./static-server.mjs";

const PAGE = "<!doctype html><title>Chainlab</title>";
let root: string;
let server: Awaited<ReturnType<typeof serveFolder>>;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "static-server-"));
  mkdirSync(join(root, "dist/assets"), { recursive: true });
  mkdirSync(join(root, "dist/.git"));
  writeFileSync(join(root, "secret.txt"), "secret");
  writeFileSync(join(root, "dist/index.html"), PAGE);
  writeFileSync(join(root, "dist/sw.js"), "1");
  writeFileSync(join(root, "dist/a file #1.yaml"), "2");
  writeFileSync(join(root, "dist/assets/main-abc.js"), "0123456789");
  writeFileSync(join(root, "dist/.git/config"), "secret");
  symlinkSync(join(root, "secret.txt"), join(root, "dist/link.txt"));
  server = await serveFolder(join(root, "dist"), 0);
});

afterAll(async () => {
  await server.close();
  rmSync(root, { recursive: true, force: true });
});

interface Options {
  method?: string;
  headers?: Record<string, string>;
}

/** Asks for a path as it stands: no client tidies it. */
function ask(path: string, options: Options = {}): Promise<IncomingMessage & { body: string }> {
  const { hostname, port } = new URL(server.origin);
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, path, ...options }, (answer) => {
      let body = "";
      answer.setEncoding("utf8");
      answer.on("data", (text) => {
        body += text;
      });
      answer.on("end", () => resolve(Object.assign(answer, { body })));
    });
    sent.on("error", reject).end();
  });
}

describe("the static server", () => {
  test("serves the page at its folder's address, and every file at its own", async () => {
    expect((await ask("/")).body).toBe(PAGE);
    expect((await ask("/?world=2")).body).toBe(PAGE);
    expect((await ask("/a%20file%20%231.yaml")).body).toBe("2");
    const script = await ask("/assets/main-abc.js");
    expect(script.body).toBe("0123456789");
    expect(script.headers["content-type"]).toBe("text/javascript; charset=utf-8");
  });

  test.each([
    "/../secret.txt",
    "/..%2fsecret.txt",
    "/%2e%2e/secret.txt",
    "/%2e%2e%2fsecret.txt",
    "/..%5csecret.txt",
    "/assets/../../secret.txt",
    "/....//secret.txt",
    "//secret.txt",
    "/link.txt",
    "/.git/config",
    "/assets",
    "/assets/",
    "/%",
    "/%00",
    "/index.html%00.js",
    "*",
    "http://[",
  ])("serves nothing at %s", async (path) => {
    const answer = await ask(path);
    expect(answer.statusCode).toBe(404);
    expect(answer.body).toBe("");
  });

  test.each(["/", "/none", "/assets/main-abc.js"])("sends every header with %s", async (path) => {
    const { headers } = await ask(path);
    for (const [name, value] of Object.entries(SECURITY_HEADERS))
      expect(headers[name.toLowerCase()]).toBe(value);
  });

  test("lets a browser keep a file for good only when its name says its content", async () => {
    const kept = async (path: string) => (await ask(path)).headers["cache-control"];
    expect(await kept("/assets/main-abc.js")).toBe("public, max-age=31536000, immutable");
    expect(await kept("/")).toBe("no-cache");
    expect(await kept("/sw.js")).toBe("no-cache");
    expect(await kept("/assets/none.js")).toBe("no-store");
  });

  test("answers an unchanged file with 304, and a changed one in full", async () => {
    const { etag } = (await ask("/sw.js")).headers;
    const headers = { "if-none-match": String(etag) };
    expect((await ask("/sw.js", { headers })).statusCode).toBe(304);
    writeFileSync(join(root, "dist/sw.js"), "3");
    expect(await ask("/sw.js", { headers })).toMatchObject({ statusCode: 200, body: "3" });
  });

  test("answers HEAD as GET without the body, and every range with the whole", async () => {
    const head = await ask("/assets/main-abc.js", { method: "HEAD" });
    expect(head).toMatchObject({ statusCode: 200, body: "" });
    expect(head.headers["content-length"]).toBe("10");
    const part = await ask("/assets/main-abc.js", { headers: { range: "bytes=2-3" } });
    expect(part).toMatchObject({ statusCode: 200, body: "0123456789" });
  });

  test("refuses other methods, and names that are not this machine's", async () => {
    expect((await ask("/", { method: "POST" })).statusCode).toBe(405);
    const named = async (host: string) => (await ask("/", { headers: { host } })).statusCode;
    expect(await named("example.com")).toBe(403);
    expect(await named("localhost.example.com:4173")).toBe(403);
    expect(await named("127.0.0.1:4173")).toBe(200);
    expect(await named("[::1]:4173")).toBe(200);
  });

  test("takes the next port when one is taken", async () => {
    const port = Number(new URL(server.origin).port);
    const second = await serveFolder(join(root, "dist"), port);
    await second.close();
    expect(Number(new URL(second.origin).port)).toBeGreaterThan(port);
  });

  test("is not reached at this machine's addresses in a network", async () => {
    const port = Number(new URL(server.origin).port);
    const outer = Object.values(networkInterfaces()).flatMap((each = []) =>
      each.filter(({ internal }) => !internal).map(({ address }) => address),
    );
    expect(await connects("localhost", port)).toBe(true);
    for (const host of outer) expect(await connects(host, port)).toBe(false);
  });
});

function connects(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ host, port });
    socket.on("connect", () => resolve(true)).on("error", () => resolve(false));
    socket.on("connect", () => socket.destroy());
  });
}
