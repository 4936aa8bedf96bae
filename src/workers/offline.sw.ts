/**
 * The page's service worker: keeps the files of one build, all of them or none, and answers for them with or without a
 * network. It serves the folder that it lies in.
 */

/** The files by their paths below that folder, with the digests to check them by; the build fills them in. */
declare const FILES: readonly (readonly [path: string, integrity: string])[];
/** A digest of all of them, and of this script. */
declare const VERSION: string;

const worker = globalThis as unknown as ServiceWorkerGlobalScope;
/** The page's address, with a slash at its end. */
const page = worker.registration.scope;
// Other folders of the same host may hold another Chainlab.
const prefix = `chainlab ${page} `;
const cacheName = prefix + VERSION;

worker.addEventListener("install", (event) => event.waitUntil(keepFiles()));
worker.addEventListener("activate", (event) => event.waitUntil(activate()));
worker.addEventListener("message", ({ data }) => {
  if (data === "activate") worker.skipWaiting();
});
worker.addEventListener("fetch", (event) => {
  const { method, url } = event.request;
  if (method === "GET" && url.startsWith(page)) event.respondWith(answer(event.request));
});

/** Fails as a whole when a file is missing or not this build's: the version before stays in charge then. */
async function keepFiles(): Promise<void> {
  const cache = await caches.open(cacheName);
  try {
    await Promise.all(FILES.map(([path, integrity]) => keepFile(cache, path, integrity)));
    // An activation in the meantime may have taken it for a leftover.
    if (!(await caches.has(cacheName))) throw new Error("the files are gone");
  } catch (error) {
    await caches.delete(cacheName);
    throw error;
  }
}

async function keepFile(cache: Cache, path: string, integrity: string): Promise<void> {
  const address = page + path;
  const kept = isHashed(address) ? await caches.match(address) : undefined;
  const found = kept ?? (await fetch(address, { integrity, cache: "no-cache" }));
  if (!found.ok) throw new Error(`${address}: ${found.status}`);
  // A page may not be answered with what was redirected.
  const { status, statusText, headers } = found;
  const response = found.redirected
    ? new Response(found.body, { status, statusText, headers })
    : found;
  await cache.put(address, response);
}

/** Files of other versions go, unless a page that is open beside the one that asked may still need them. */
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

/** The file of this version, a part of an earlier one that an open page still needs, or what the network says. */
async function answer(request: Request): Promise<Response> {
  const address = request.url.replace(/[?#].*/, "");
  const file = address === `${page}index.html` ? page : address;
  return (
    (await caches.match(file, { cacheName })) ??
    (isHashed(file) ? await caches.match(file) : undefined) ??
    fetch(request)
  );
}

/** Whether the name says the content, so that every version means the same by it. */
function isHashed(address: string): boolean {
  return address.startsWith(`${page}assets/`);
}
