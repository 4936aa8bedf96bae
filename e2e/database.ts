/** The browser's database beside the page: what is in it is read, damaged and put back while no page runs. */
import type { Page } from "@playwright/test";

/** Leaves the page for one of the same origin on which nothing runs, so that nothing writes any more. */
export async function leave(page: Page): Promise<void> {
  const body = '<!doctype html><link rel="icon" href="data:,">';
  await page.route("**/quiet", (route) => route.fulfill({ contentType: "text/html", body }));
  await page.goto("/quiet");
}

/** Ways to damage a record. */
export const DAMAGE = {
  "cut in half": (record: number[]) => record.slice(0, record.length / 2),
  "cut by a byte": (record: number[]) => record.slice(0, -1),
  empty: () => [],
  "with a flipped bit in its middle": (record: number[]) => flipped(record, record.length >> 1),
  "with a flipped bit in its first byte": (record: number[]) => flipped(record, 0),
  "with a flipped bit in its last byte": (record: number[]) => flipped(record, record.length - 1),
  "with bytes after its end": (record: number[]) => [...record, 1, 2, 3],
  "all zeros": (record: number[]) => record.map(() => 0),
  "of a version to come": (record: number[]) => withFormat(record, 99),
  "not bytes at all": () => "a text",
  missing: () => undefined,
} as const satisfies Record<string, (record: number[]) => number[] | string | undefined>;

export type DamageKind = keyof typeof DAMAGE;

/** Records as numbers, by their keys. */
export type Records = Readonly<Record<string, number[]>>;

const flipped = (record: number[], at: number): number[] =>
  record.map((byte, i) => (i === at ? byte ^ 4 : byte));

/** The same record as a later version would write it: its format is another, its checksum is true. */
function withFormat(record: number[], format: number): number[] {
  const changed = record.map((byte, i) => (i === 5 ? format : byte));
  const checksum = crc32c([...changed.slice(0, 12), ...changed.slice(16)]);
  return changed.map((byte, i) => (i >= 12 && i < 16 ? (checksum >>> (8 * (15 - i))) & 255 : byte));
}

function crc32c(bytes: readonly number[]): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
  }
  return ~crc >>> 0;
}

/** Leaves the page and reads all records. */
export async function readRecords(page: Page): Promise<Records> {
  await leave(page);
  // As text, which the protocol to the browser takes whole, and not number by number.
  const texts = await page.evaluate(
    () =>
      new Promise<[key: string, base64: string][]>((resolve, reject) => {
        const open = indexedDB.open("chainlab");
        open.onerror = () => reject(open.error);
        open.onsuccess = () => {
          const objects = open.result.transaction("session").objectStore("session");
          const keys = objects.getAllKeys();
          const values = objects.getAll();
          objects.transaction.oncomplete = () => {
            open.result.close();
            const textOf = (bytes: Uint8Array): string =>
              btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
            resolve(keys.result.map((key, i) => [String(key), textOf(values.result[i])]));
          };
        };
      }),
  );
  return Object.fromEntries(
    texts.map(([key, base64]) => [key, [...Buffer.from(base64, "base64")]] as const),
  );
}

/** Puts these records, and nothing else, into the database while no page runs. */
export async function writeRecords(
  page: Page,
  records: Readonly<Record<string, number[] | string | undefined>>,
): Promise<void> {
  await leave(page);
  await page.evaluate(
    (given) =>
      new Promise<void>((resolve, reject) => {
        const open = indexedDB.open("chainlab");
        open.onupgradeneeded = () => open.result.createObjectStore("session");
        open.onerror = () => reject(open.error);
        open.onsuccess = () => {
          const objects = open.result.transaction("session", "readwrite").objectStore("session");
          objects.clear();
          for (const { key, text, base64 } of given)
            objects.put(text ?? Uint8Array.from(atob(base64), (c) => c.charCodeAt(0)), key);
          objects.transaction.oncomplete = () => {
            open.result.close();
            resolve();
          };
        };
      }),
    Object.entries(records).flatMap(([key, value]) => {
      if (value === undefined) return [];
      const isText = typeof value === "string";
      return [
        {
          key,
          text: isText ? value : undefined,
          base64: isText ? "" : Buffer.from(value).toString("base64"),
        },
      ];
    }),
  );
}
