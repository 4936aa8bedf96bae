import { beforeEach, expect, test, vi } from "vitest";
import { openBrowserStorage } from "./browser-storage.ts";
import { readLegacy } from "./indexed-db.ts";

const bytes = (...of: number[]): Uint8Array => new Uint8Array(of);

/** Accesses the database outside the storage, as a page or a browser tool can. */
const settled = (request: IDBRequest): Promise<unknown> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

beforeEach(() => settled(indexedDB.deleteDatabase("chainlab")));

test("what is written is read, by key and by prefix, and what is removed is gone", async () => {
  const storage = openBrowserStorage();
  const puts = new Map([
    ["a/1", bytes(1)],
    ["a/2", bytes(2, 2)],
    ["b/1", bytes()],
  ]);
  await storage.write(puts, []);
  expect(await storage.read(["a/2", "none", "a/1"])).toEqual([bytes(2, 2), undefined, bytes(1)]);
  expect(await storage.keys("a/")).toEqual(["a/1", "a/2"]);
  await storage.write(new Map([["a/3", bytes(3)]]), ["a/1"]);
  expect(await storage.keys("")).toEqual(["a/2", "a/3", "b/1"]);
  expect(await storage.estimate()).toMatchObject({ usage: expect.any(Number) });
});

test("what is acknowledged is on disk, unless the write says that it may be later", async () => {
  const transaction = vi.spyOn(IDBDatabase.prototype, "transaction");
  const storage = openBrowserStorage();
  await storage.write(new Map([["a", bytes(1)]]), []);
  await storage.write(new Map([["b", bytes(1)]]), [], "relaxed");
  const source = transaction.mock.results
    .map(({ value }) => value as IDBTransaction)
    .filter(({ mode }) => mode === "readwrite");
  expect(source.map(({ durability }) => durability)).toEqual(["strict", "relaxed"]);
});

test("a value that is not bytes reads as a record that cannot be sound, not as a missing one", async () => {
  const storage = openBrowserStorage();
  await storage.write(new Map([["a", bytes(1)]]), []);
  const db = (await settled(indexedDB.open("chainlab"))) as IDBDatabase;
  const objects = db.transaction("session", "readwrite").objectStore("session");
  await settled(objects.put({ not: "bytes" }, "a"));
  db.close();
  expect(await storage.read(["a"])).toEqual([new Uint8Array(16)]);
});

test("a database that is deleted while it is open is empty afterwards, and is written again", async () => {
  const storage = openBrowserStorage();
  await storage.write(new Map([["a", bytes(1)]]), []);
  await settled(indexedDB.deleteDatabase("chainlab"));
  expect(await storage.read(["a"])).toEqual([undefined]);
  await storage.write(new Map([["a", bytes(2)]]), []);
  expect(await openBrowserStorage().read(["a"])).toEqual([bytes(2)]);
});

/** Creates the database without the storage's object store. */
async function empty(): Promise<void> {
  await settled(indexedDB.deleteDatabase("chainlab"));
  ((await settled(indexedDB.open("chainlab"))) as IDBDatabase).close();
}

test("a database without its object store, as any script of the page can leave it, gets one", async () => {
  await empty();
  const storage = openBrowserStorage();
  expect(await storage.read(["a"])).toEqual([undefined]);
  await storage.write(new Map([["a", bytes(1)]]), []);
  await empty();
  expect(await storage.read(["a"])).toEqual([undefined]);
  await storage.write(new Map([["a", bytes(2)]]), []);
  expect(await openBrowserStorage().read(["a"])).toEqual([bytes(2)]);
  await settled(indexedDB.deleteDatabase("chainlab"));
});

test("what earlier versions have saved is looked for in a database without its object store too", async () => {
  await empty();
  expect(await readLegacy(["a"])).toEqual([undefined]);
  await settled(indexedDB.deleteDatabase("chainlab"));
});

test("a browser that has no database is said to have none, and is asked again", async () => {
  const storage = openBrowserStorage();
  vi.stubGlobal("indexedDB", undefined);
  await expect(storage.read(["a"])).rejects.toThrow(/^this browser has no database$/);
  vi.unstubAllGlobals();
  expect(await storage.read(["a"])).toEqual([undefined]);
});

test("that the storage is full is said in our words, and known by the browser's name for it", async () => {
  const storage = openBrowserStorage();
  vi.spyOn(IDBDatabase.prototype, "transaction").mockImplementation(() => {
    throw new DOMException("The quota has been exceeded.", "QuotaExceededError");
  });
  await expect(storage.write(new Map([["a", bytes(1)]]), [])).rejects.toMatchObject({
    name: "QuotaExceededError",
    message: "the storage is full",
  });
  vi.restoreAllMocks();
});

test("what the browser says of an error is not said to a person, but its name is", async () => {
  const storage = openBrowserStorage();
  vi.spyOn(IDBDatabase.prototype, "transaction").mockImplementation(() => {
    throw new DOMException("Failed to execute 'transaction' on 'IDBDatabase'", "NotFoundError");
  });
  await expect(storage.read(["a"])).rejects.toThrow(
    /^the browser’s storage cannot be used \(NotFoundError\)$/,
  );
  vi.restoreAllMocks();
});
