import type { Host, Storage } from "./storage.ts";

/** Timeout of the storage, in ms: a busy disk takes seconds. */
const TIMEOUT_MS = 30_000;

/** A pending request; `fail` rejects it at the timeout, and is undefined once it is settled. */
interface Waiting {
  fail: ((error: Error) => void) | undefined;
}

/** A storage whose promises reject when they are not settled in time. */
export function withTimeouts(storage: Storage, { delay }: Pick<Host, "delay">): Storage {
  // A separate object, so that the timer does not retain the answer: a branch reads more meanwhile
  // than fits in memory.
  const failLate = (waiting: Waiting): void => {
    void delay(TIMEOUT_MS).then(() => waiting.fail?.(new Error("the storage does not answer")));
  };
  const inTime = <T>(answer: Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      const waiting: Waiting = { fail: reject };
      failLate(waiting);
      void answer.then(resolve, reject).then(() => {
        waiting.fail = undefined;
      });
    });
  return {
    read: (keys) => inTime(storage.read(keys)),
    keys: (prefix) => inTime(storage.keys(prefix)),
    write: (...write) => inTime(storage.write(...write)),
    estimate: () => inTime(storage.estimate()),
    writtenMs: () => inTime(Promise.resolve(storage.writtenMs?.())),
  };
}
