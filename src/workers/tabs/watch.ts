import { STATUS, StatusError } from "../../engine/framework/errors.ts";
import type { Frame } from "../../gen/lab/v1/lab_plain.ts";
import type { Call } from "../../session/call.ts";
import { type Channel, calling, readAnswer } from "./world-channel.ts";

/** A tab that plays a world answers within milliseconds; a frozen one does not. */
const TIMEOUT_MS = 4000;

interface Pending {
  resolve(response: unknown): void;
  reject(error: StatusError): void;
  readonly timer: ReturnType<typeof setTimeout>;
}

/** The view of a world that another tab plays: every call goes to that tab. */
export class Watch {
  readonly #channel: Channel;
  readonly #me: string;
  readonly #waiting = new Map<number, Pending>();
  #calls = 0;

  /** @param me id of this tab */
  constructor(channel: Channel, me: string) {
    this.#channel = channel;
    this.#me = me;
    channel.onmessage = ({ data }: MessageEvent) => this.#answered(data);
  }

  /** Rejects with a StatusError if the other tab refuses or does not answer. */
  async call(method: string, request: object, height?: number): Promise<unknown> {
    const response = await this.#call({ method, request, height });
    return method === "lab.getFrame" ? watched(response as Frame) : response;
  }

  #call(requested: Omit<Call, "call">): Promise<unknown> {
    this.#calls += 1;
    const call = this.#calls;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(call);
        const text = "the tab that plays this world does not answer";
        reject(new StatusError(STATUS.deadlineExceeded, text));
      }, TIMEOUT_MS);
      this.#waiting.set(call, { resolve, reject, timer });
      this.#channel.postMessage(calling(this.#me, { ...requested, call }));
    });
  }

  #answered(data: unknown): void {
    const answer = readAnswer(data, this.#me);
    if (answer === undefined) return;
    const pending = this.#waiting.get(answer.call);
    if (pending === undefined) return;
    this.#waiting.delete(answer.call);
    clearTimeout(pending.timer);
    if ("error" in answer) pending.reject(new StatusError(answer.error.code, answer.error.message));
    else pending.resolve(answer.response);
  }

  /** Ends it; pending calls are rejected. */
  close(): void {
    this.#channel.close();
    for (const { reject, timer } of this.#waiting.values()) {
      clearTimeout(timer);
      reject(new StatusError(STATUS.unavailable, "the world is not watched any more"));
    }
    this.#waiting.clear();
  }
}

const watched = (frame: Frame): Frame =>
  frame.player?.kept
    ? { ...frame, player: { ...frame.player, kept: { ...frame.player.kept, role: "watching" } } }
    : frame;
