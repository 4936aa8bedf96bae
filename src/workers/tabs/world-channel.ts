/**
 * Messages between tabs that show one world: watching tabs call, the playing tab answers. Every tab
 * of the browser receives them, even of another build, so each message is checked.
 */
import { type Answer, type Call, isHeight } from "../../session/call.ts";

/** The used part of a BroadcastChannel. */
export type Channel = Pick<BroadcastChannel, "postMessage" | "onmessage" | "close">;

/** Opens the channel with this name; undefined in a browser without channels. */
export type OpenChannel = ((name: string) => Channel) | undefined;

/**
 * Changed whenever the messages below or the content of frames change: messages of tabs with other
 * builds are ignored.
 */
const FORMAT = 1;

export const channelName = (world: string): string => `chainlab world ${world}`;

/** A call of the tab `from`, as posted. */
export const calling = (from: string, call: Call): object => ({ ...call, format: FORMAT, from });

/** An answer to the tab `to`, as posted. */
export const answering = (to: string, answer: Answer): object => ({
  ...answer,
  format: FORMAT,
  to,
});

/** Parses a message as a call; undefined if it is none. */
export function readCall(data: unknown): (Call & { readonly from: string }) | undefined {
  const { format, from, call, method, request, height } = Object(data) as Record<string, unknown>;
  const sound =
    format === FORMAT &&
    typeof from === "string" &&
    typeof call === "number" &&
    typeof method === "string" &&
    typeof request === "object" &&
    request !== null &&
    isHeight(height);
  return sound ? { from, call, method, request, height } : undefined;
}

/** Parses a message as an answer to the tab `me`; undefined if it is none. */
export function readAnswer(data: unknown, me: string): Answer | undefined {
  const { format, to, call, response, error } = Object(data) as Record<string, unknown>;
  if (format !== FORMAT || to !== me || typeof call !== "number") return undefined;
  if (error === undefined) return response === undefined ? undefined : { call, response };
  const { code, message, path } = Object(error) as Record<string, unknown>;
  const sound = typeof code === "number" && typeof message === "string" && typeof path === "string";
  return sound ? { call, error: { code, message, path } } : undefined;
}
