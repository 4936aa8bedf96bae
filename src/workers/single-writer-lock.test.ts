import { expect, test } from "vitest";
import { takeSingleWriterLock } from "./single-writer-lock.ts";

type Locks = Parameters<typeof takeSingleWriterLock>[0];
type Request = (name: string, options: { signal: AbortSignal }, hold: () => unknown) => unknown;

const locks = (request: Request): Locks => ({ request: request as LockManager["request"] });

test("the tab that is given the lock may write, and keeps it", async () => {
  let held: unknown;
  const asked: string[] = [];
  const manager = locks(async (name, _, hold) => {
    asked.push(name);
    held = hold();
  });
  expect(await takeSingleWriterLock(manager, "chainlab")).toBe(true);
  expect(asked).toEqual(["chainlab"]);
  expect(await Promise.race([held, Promise.resolve("still held")])).toBe("still held");
});

test("a tab that does not get the lock in time may not", async () => {
  const aborted = AbortSignal.abort();
  const manager = locks((_, { signal }) => Promise.reject(signal.reason));
  expect(await takeSingleWriterLock(manager, "chainlab", aborted)).toBe(false);
});

test("where there are no locks every tab may write", async () => {
  expect(await takeSingleWriterLock(undefined, "chainlab")).toBe(true);
});
