import type { Serve } from "../../session/call.ts";
import { answering, type Channel, readCall } from "./world-channel.ts";

/**
 * Answers a call of a tab that watches this one's world; other messages are not answered. Never
 * rejects.
 */
export async function answerWatcher(channel: Channel, data: unknown, serve: Serve): Promise<void> {
  const read = readCall(data);
  if (read === undefined) return;
  const { from, ...call } = read;
  try {
    await serve(call, (answer) => channel.postMessage(answering(from, answer)));
  } catch {
    // The channel was closed meanwhile: the tab that plays the world next is called then.
  }
}
