import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { MemoryStorage } from "./memory-storage.ts";
import { withTimeouts } from "./storage-timeouts.ts";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

const KEYS = 20;

/** A storage that creates its answers, and records them without retaining them. */
class Noting extends MemoryStorage {
  readonly answers: WeakRef<Uint8Array>[] = [];

  override async read(keys: readonly string[]): Promise<readonly Uint8Array[]> {
    return keys.map(() => {
      const answer = new Uint8Array(1000);
      this.answers.push(new WeakRef(answer));
      return answer;
    });
  }
}

describe("a storage that is waited for", () => {
  test("holds no answer until its time is over", async () => {
    const storage = new Noting();
    // Retained by the timeout callbacks, which are never called.
    const times: (() => void)[] = [];
    const delay = () => new Promise<void>((resolve) => times.push(resolve));
    const inTime = withTimeouts(storage, { delay });
    for (let i = 0; i < KEYS; i++) expect((await inTime.read([`key-${i}`]))[0]?.length).toBe(1000);
    await new Promise((resolve) => setImmediate(resolve));
    collectGarbage();
    const held = storage.answers.filter((answer) => answer.deref() !== undefined);
    // The last one may still lie on the stack.
    expect(held.length).toBeLessThanOrEqual(1);
    expect(times).toHaveLength(KEYS);
  });

  test("fails when the time is over before there is an answer, and as the storage does", async () => {
    const silent = new MemoryStorage();
    silent.read = () => new Promise(() => {});
    silent.keys = () => Promise.reject(new Error("no disk"));
    let over = (): void => {};
    const delay = () =>
      new Promise<void>((resolve) => {
        over = resolve;
      });
    const inTime = withTimeouts(silent, { delay });
    const read = expect(inTime.read(["a"])).rejects.toThrow("the storage does not answer");
    over();
    await read;
    await expect(inTime.keys("")).rejects.toThrow("no disk");
  });
});
