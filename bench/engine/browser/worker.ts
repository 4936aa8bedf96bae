/** Measures in a worker, where the chain runs in the page too. */
import { measure } from "../cases.ts";
import type { FromWorker, ToWorker } from "./messages.ts";

const post = (message: FromWorker): void => postMessage(message);

let answer: (bytes: number | undefined) => void = () => {};
const usedBytes = (): Promise<number | undefined> =>
  new Promise((resolve) => {
    answer = resolve;
    post({ type: "used-bytes" });
  });

addEventListener("message", ({ data }: MessageEvent<ToWorker>) => {
  if (data.type === "used-bytes") {
    answer(data.bytes);
    return;
  }
  measure(data.plan, { usedBytes, progress: (text) => post({ type: "progress", text }) }).then(
    (result) => post({ type: "done", result }),
    (error: unknown) => post({ type: "failed", reason: String(error) }),
  );
});
post({ type: "ready" });
