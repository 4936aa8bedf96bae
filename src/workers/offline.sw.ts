/**
 * The page's service worker: caches the files of one build, all of them or none, and serves them
 * with or without a network; and lets a tab that runs a chain answer REST, gRPC-web and Connect. It
 * serves its own folder.
 */

/** The files by their paths below that folder, with their digests; the build inserts them. */
declare const FILES: readonly (readonly [path: string, integrity: string])[];
/** A digest of all of them, and of this script. */
declare const VERSION: string;

const worker = globalThis as unknown as ServiceWorkerGlobalScope;
/** The page's address, with a slash at its end. */
const page = worker.registration.scope;
// Other folders of the same host may contain another Chainlab.
const prefix = `chainlab ${page} `;
const cacheName = prefix + VERSION;

worker.addEventListener("install", (event) => event.waitUntil(cacheFiles()));
worker.addEventListener("activate", (event) => event.waitUntil(activate()));
worker.addEventListener("message", (event) => {
  if (event.data === "activate") worker.skipWaiting();
  // A page that was loaded bypassing the service worker has its requests answered again.
  if (event.data === "claim") event.waitUntil(worker.clients.claim());
});
worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const { method, mode, url } = request;
  if (!url.startsWith(page)) return;
  const path = url.slice(page.length - 1).replace(/#.*/, "");
  const [name = ""] = path.slice(1).split("?", 1);
  // The page's own files come first.
  const isFile = FILES.some(([file]) => file === name);
  // A form, which pages of other origins may submit, is not a request to the chain.
  const isForm = mode === "navigate" && method !== "GET";
  if (REQUESTED.test(name) && !isFile && !isForm)
    event.respondWith(requestTab(request, path, event));
  else if (method === "GET") event.respondWith(answer(request));
});

/**
 * Fails as a whole if a file is missing or from another build: the previous version then stays
 * active.
 */
async function cacheFiles(): Promise<void> {
  const cache = await caches.open(cacheName);
  try {
    await Promise.all(FILES.map(([path, integrity]) => cacheFile(cache, path, integrity)));
    // An activation in the meantime may have removed it as a leftover.
    if (!(await caches.has(cacheName))) throw new Error("the files are gone");
  } catch (error) {
    await caches.delete(cacheName);
    throw error;
  }
}

async function cacheFile(cache: Cache, path: string, integrity: string): Promise<void> {
  const address = page + path;
  const cached = isHashed(address) ? await caches.match(address) : undefined;
  const found = cached ?? (await fetch(address, { integrity, cache: "no-cache" }));
  if (!found.ok) throw new Error(`${address}: ${found.status}`);
  // A page may not be answered with a redirected response.
  const { status, statusText, headers } = found;
  const response = found.redirected
    ? new Response(found.body, { status, statusText, headers })
    : found;
  await cache.put(address, response);
}

/**
 * Removes files of other versions, unless an open page other than the caller may still need them.
 */
async function activate(): Promise<void> {
  const open = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  if (open.length <= 1) {
    const others = (await caches.keys()).filter(
      (name) => name.startsWith(prefix) && name !== cacheName,
    );
    await Promise.all(others.map((name) => caches.delete(name)));
  }
  await worker.clients.claim();
}

/**
 * The file of this version, a part of an earlier one that an open page still needs, or the
 * network's response.
 */
async function answer(request: Request): Promise<Response> {
  const address = request.url.replace(/[?#].*/, "");
  const file = address === `${page}index.html` ? page : address;
  return (
    (await caches.match(file, { cacheName })) ??
    (isHashed(file) ? await caches.match(file) : undefined) ??
    fetch(request)
  );
}

/** True for files named by a hash of their content, which all versions share. */
function isHashed(address: string): boolean {
  return address.startsWith(`${page}assets/`);
}

/** Paths that the chain answers: REST, and methods such as `cosmos.bank.v1beta1.Query/Balance`. */
const REQUESTED =
  /^((chain|cosmos|lab\/v1)\/.*|\w+(\.\w+)+\/\w+|openapi(\.json)?|keplr\.json|health|metrics)$/s;

const METHOD = /^\w+(\.\w+)+\/\w+(\?|$)/;

/** Maximum bytes of a request, and maximum pending requests. */
const MOST_BYTES = 4_194_304;
const MOST_WAITING = 100;
/** A tab responds at once, unless it is still loading, or frozen, in ms. */
const IS_THERE_MS = 1_000;
const TRIES = 10;
const ANSWERED_MS = 30_000;
/** A part of a streamed answer arrives sooner, if only as a keep-alive, in ms. */
const PART_MS = 10_000;

type HttpAnswer = import("../client/client.ts").HttpAnswer;
type TabHere = import("../client/tab-requests.ts").TabHere;
type TabRequest = import("../client/tab-requests.ts").TabRequest;
type TabAnswer = import("../client/tab-requests.ts").TabAnswer;
const ASKS: import("../client/tab-requests.ts").TabProtocol = "chainlab request 2";

let waiting = 0;

/** The answer of the chain in the most recently used tab. */
async function requestTab(
  request: Request,
  path: string,
  event: ExtendableEvent,
): Promise<Response> {
  if (waiting >= MOST_WAITING) return unavailable(request, "Too many requests wait for a tab.");
  waiting += 1;
  try {
    const body = new Uint8Array(await request.arrayBuffer());
    if (body.length > MOST_BYTES) {
      return refused(request, 413, 8, `expected a body of at most ${MOST_BYTES} bytes`);
    }
    const port = await openTab();
    if (typeof port === "string") return unavailable(request, port);
    const { method, headers } = request;
    const requested = { method, path, headers: Object.fromEntries(headers), body };
    const answer = await answerOf(port, requested, ANSWERED_MS);
    if ("answer" in answer && answer.answer.more) return goingOn(answer.answer, port, event);
    port.close();
    return "answer" in answer
      ? responseOf(request, answer.answer)
      : unavailable(request, answer.problem);
  } finally {
    waiting -= 1;
  }
}

const PLAIN = "text/plain; charset=utf-8";

function responseOf({ method }: Request, { status, headers, body }: HttpAnswer): Response {
  const content = method === "HEAD" ? null : (body as BodyInit);
  return new Response(content, { status, headers: { ...headers } });
}

/** A streamed answer, of which each part is requested on demand: unread parts do not accumulate. */
function goingOn(
  { status, headers, body, more }: HttpAnswer,
  port: MessagePort,
  event: ExtendableEvent,
): Response {
  let rest: string | undefined = more;
  let first: HttpAnswer["body"] | undefined = body;
  let end = (): void => {};
  // The browser would end a service worker without other work.
  event.waitUntil(
    new Promise<void>((resolve) => {
      end = () => {
        port.close();
        resolve();
      };
    }),
  );
  const ask = (method: string, path: string) =>
    answerOf(port, { method, path, headers: {}, body: new Uint8Array() }, PART_MS);
  const nextPart = async (): Promise<HttpAnswer["body"] | undefined> => {
    while (first === undefined || first.length === 0) {
      if (rest === undefined) return undefined;
      const next = await ask("GET", rest);
      if ("problem" in next) throw new Error(next.problem);
      ({ body: first, more: rest } = next.answer);
    }
    const part = first;
    first = undefined;
    return part;
  };
  const parts = new ReadableStream({
    async pull(controller) {
      try {
        const part = await nextPart();
        if (part !== undefined) return controller.enqueue(part);
        controller.close();
      } catch (error) {
        controller.error(error);
      }
      end();
    },
    async cancel() {
      if (rest !== undefined) await ask("DELETE", rest);
      end();
    },
  });
  return new Response(parts, { status, headers: { ...headers } });
}

/** A port to the most recently used responsive tab; otherwise the reason why there is none. */
async function openTab(): Promise<MessagePort | string> {
  for (let tries = 0; tries < TRIES; tries++) {
    const open = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
    const tabs = open.filter(({ url }) => isPage(url));
    if (tabs.length === 0) return `No tab has Chainlab open: open ${page} and ask again.`;
    const reached = (await Promise.all(tabs.map(reach))).flatMap((tab) => tab ?? []);
    const [last, ...others] = reached.sort((a, b) => b.usedAt - a.usedAt);
    for (const { port } of others) port.close();
    if (last) return last.port;
  }
  return "A tab has Chainlab open and does not answer: it is still loading, or the browser has put it to rest. Show it and ask again.";
}

/** True if an address is the page's; other tabs may show answers of the chain. */
const isPage = (url: string): boolean =>
  [page, `${page}index.html`].includes(url.replace(/[?#].*/s, ""));

type Reached = TabHere & { readonly port: MessagePort };

/** Resolves to undefined if a tab does not respond: it is sent nothing then. */
function reach(tab: Client): Promise<Reached | undefined> {
  const { port1: port, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      port.close();
      resolve(undefined);
    }, IS_THERE_MS);
    port.onmessage = ({ data }: MessageEvent<TabHere>) => {
      clearTimeout(timer);
      resolve({ ...data, port });
    };
    tab.postMessage(ASKS, [port2]);
  });
}

function answerOf(port: MessagePort, request: TabRequest, within: number): Promise<TabAnswer> {
  let timer: number;
  return new Promise<TabAnswer>((resolve) => {
    const fail = (problem: string) => () => resolve({ problem });
    timer = setTimeout(fail("The tab with Chainlab does not answer."), within);
    port.addEventListener("close", fail("The tab with Chainlab was closed before it answered."));
    port.onmessage = ({ data }) => resolve(data);
    port.postMessage(request);
  }).finally(() => clearTimeout(timer));
}

/** Reports why there is no answer. */
const unavailable = (request: Request, message: string): Response =>
  refused(request, 503, 14, message);

/** Connect's names of gRPC codes. */
const NAMES = { 8: "resource_exhausted", 14: "unavailable" } as const;

/** Refuses a request in the same way as a node. */
function refused(
  { mode, headers, url }: Request,
  status: number,
  code: keyof typeof NAMES,
  message: string,
): Response {
  const type = headers.get("content-type") ?? "";
  if (type.startsWith("application/grpc-web")) {
    const words = encodeURIComponent(message);
    return new Response(null, {
      headers: { "content-type": type, "grpc-status": `${code}`, "grpc-message": words },
    });
  }
  if (mode === "navigate") {
    return new Response(`${message}\n`, { status, headers: { "content-type": PLAIN } });
  }
  // Connect has the code's name, REST its number.
  const isMethod = METHOD.test(url.slice(page.length));
  const body = { code: isMethod ? NAMES[code] : code, message, details: [] };
  return Response.json(body, { status });
}
