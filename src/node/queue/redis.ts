/** Connections to the Redis or Valkey of a queue, and descriptions of its errors. */
import type { Redis } from "ioredis";
import { errorText } from "../../base/error-text.ts";

/** Delays of a queue in ms. */
export interface QueueDelays {
  /** Between two attempts to reach a Redis that does not answer. */
  readonly retryMs: number;
  /** Between two checks of silent jobs. */
  readonly lookMs: number;
  /** Lock duration of a job, which its worker renews. */
  readonly lockMs: number;
}

export const DELAYS: QueueDelays = { retryMs: 500, lookMs: 2_000, lockMs: 5_000 };

/** Attempts before giving up: half a minute, enough for a restart. */
export const TRIES = 60;
/** Attempts at the start, when it may be starting at the same time. */
const FIRST_TRIES = 10;

/** A queue that cannot be used; its message is for users. */
export class QueueError extends Error {}

/** The modules of a queue, loaded on demand: most users have neither Redis nor Valkey. */
export async function loadQueue() {
  try {
    const [{ Queue, QueueEvents, UnrecoverableError, Worker }, { Redis: Client }] =
      await Promise.all([import("bullmq"), import("ioredis")]);
    return { Queue, QueueEvents, UnrecoverableError, Worker, Client };
  } catch (error) {
    if (!/MODULE_NOT_FOUND$/.test((error as NodeJS.ErrnoException).code ?? "")) throw error;
    throw new QueueError(
      "--queue needs the packages bullmq and ioredis, which were not installed: npm install bullmq ioredis",
    );
  }
}

export type QueueParts = Awaited<ReturnType<typeof loadQueue>>;

/** Parses the address of a Redis. Throws a QueueError if it is invalid. */
export function readRedisUrl(text: string): URL {
  const expected = "expected the address of a Redis such as redis://127.0.0.1:6379";
  if (!URL.canParse(text)) throw new QueueError(`${expected}, found "${text}"`);
  const url = new URL(text);
  if (url.protocol !== "redis:" && url.protocol !== "rediss:") {
    throw new QueueError(`${expected}, found one that begins with ${url.protocol}//`);
  }
  if (url.hostname === "") throw new QueueError(`${expected}, found one without a host`);
  return url;
}

/** The address without secrets. */
export function shownAddress(url: URL): string {
  const shown = new URL(url);
  shown.password = "";
  shown.search = "";
  return shown.href;
}

/**
 * Connects, and reconnects up to a number of consecutive attempts.
 * @param waits true if commands wait for the connection; otherwise they fail without one
 * @param retryMs delay between two attempts, in ms
 */
export async function connect(
  { Client }: QueueParts,
  url: URL,
  {
    waits,
    tries,
    retryMs,
  }: { readonly waits: boolean; readonly tries: number; readonly retryMs: number },
): Promise<Redis> {
  let isUp = false;
  const redis = new Client(url.href, {
    lazyConnect: true,
    enableOfflineQueue: waits,
    maxRetriesPerRequest: waits ? null : 0,
    retryStrategy: (times) => (times < (isUp ? tries : FIRST_TRIES) ? retryMs : null),
  });
  let last: unknown;
  redis.on("error", (error) => {
    last = error;
  });
  await new Promise<void>((resolve, reject) => {
    redis.once("ready", resolve);
    redis.once("end", () => reject(new QueueError(`${troubleOf(last, url)}; nothing was begun`)));
    // It keeps trying; the event handlers above report the result.
    redis.connect().catch((error) => {
      last ??= error;
      if (isRefusal(error)) redis.disconnect();
    });
  });
  isUp = true;
  return redis;
}

/** Describes what prevents a Redis from executing commands. */
export function troubleOf(error: unknown, url: URL): string {
  const place = `the Redis at ${shownAddress(url)}`;
  const text = error === undefined ? "it closed the connection" : errorMessage(error);
  if (isFull(error)) return `${place} is full: ${text}`;
  if (isRefusal(error)) return `${place} refuses: ${text}`;
  if (/LOADING|READONLY|MISCONF|CLUSTERDOWN/.test(text)) return `${place} is not ready: ${text}`;
  return `${place} does not answer: ${text}`;
}

const isFull = (error: unknown): boolean => error instanceof Error && /\bOOM\b/.test(error.message);

/** True if a retry would not help. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof Error && /NOAUTH|WRONGPASS|NOPERM|invalid DB index/i.test(error.message);

/**
 * Describes the error without option names of a library. Messages of the Redis itself are
 * unchanged.
 */
function errorMessage(error: unknown): string {
  // Node's error for several failed addresses has no message of its own.
  const [first = error]: readonly unknown[] = error instanceof AggregateError ? error.errors : [];
  const code = (first as NodeJS.ErrnoException).code ?? "";
  const text = errorText(first);
  const known = BY_CODE[code] ?? LOST.find(([words]) => text.startsWith(words))?.[1];
  return known ?? text;
}

/** Texts of connection errors by their code. */
const BY_CODE: Readonly<Record<string, string>> = {
  ECONNREFUSED: "the connection was refused",
  ECONNRESET: "the connection broke",
  EPIPE: "the connection broke",
  ETIMEDOUT: "no connection came about in time",
  EHOSTUNREACH: "there is no way to that host",
  ENETUNREACH: "there is no way to that network",
  ENOTFOUND: "there is no host of that name",
  EAI_AGAIN: "the name of the host could not be looked up",
};

/** First words of ioredis' errors without a connection. */
const LOST: readonly (readonly [begins: string, words: string])[] = [
  ["Connection is closed", "the connection is closed"],
  ["Stream isn't writeable", "the connection is closed"],
  ["Reached the max retries per request limit", "the connection is closed"],
  ["Command timed out", "no answer came in time"],
  ["connect ETIMEDOUT", "no connection came about in time"],
];
