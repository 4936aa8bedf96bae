/** The heap of a page's worker, as Chromium's own tools see it. */
import type { CDPSession, Page } from "@playwright/test";

/** One sample for about so many bytes. */
const SAMPLING_INTERVAL = 1024;

/** Allocation profile of a function: bytes of its own objects, and the functions that it called. */
interface Allocating {
  readonly selfSize: number;
  readonly children: readonly Allocating[];
}

/** Bytes that the one worker of a page allocates on its heap during some work, whether they are collected or not. */
export async function allocatedBy(page: Page, work: () => Promise<void>): Promise<number> {
  const session = await page.context().newCDPSession(page);
  const call = await workerOf(session);
  await call("HeapProfiler.enable");
  await call("HeapProfiler.startSampling", {
    samplingInterval: SAMPLING_INTERVAL,
    includeObjectsCollectedByMajorGC: true,
    includeObjectsCollectedByMinorGC: true,
  });
  await work();
  const { profile } = (await call("HeapProfiler.stopSampling")) as {
    profile: { readonly head: Allocating };
  };
  await session.detach();
  return sizeOf(profile.head);
}

const sizeOf = ({ selfSize, children }: Allocating): number =>
  children.reduce((sum, child) => sum + sizeOf(child), selfSize);

type Call = (method: string, params?: object) => Promise<unknown>;

/** Resolves to what calls a method of the worker's own tools: their messages go through the page's. */
async function workerOf(session: CDPSession): Promise<Call> {
  const attached = new Promise<string>((resolve) => {
    session.on("Target.attachedToTarget", ({ sessionId, targetInfo }) => {
      if (targetInfo.type === "worker") resolve(sessionId);
    });
  });
  const answers = new Map<number, (result: unknown) => void>();
  session.on("Target.receivedMessageFromTarget", ({ message }) => {
    const { id, result } = JSON.parse(message) as { id?: number; result?: unknown };
    if (id !== undefined) answers.get(id)?.(result);
  });
  const wanted = { autoAttach: true, waitForDebuggerOnStart: false, flatten: false };
  await session.send("Target.setAutoAttach", wanted);
  const sessionId = await attached;
  let requested = 0;
  return async (method, params = {}) => {
    requested += 1;
    const id = requested;
    const answered = new Promise<unknown>((resolve) => answers.set(id, resolve));
    const message = JSON.stringify({ id, method, params });
    await session.send("Target.sendMessageToTarget", { sessionId, message });
    return answered;
  };
}
