/** Timeout of an answer, in ms. */
export const TIMEOUT_MS = 30_000;

/** @param address with or without a scheme */
const httpUrl = (address: string): string => {
  const text = address.replace(/^tcp:\/\//, "http://");
  return /^https?:\/\//.test(text) ? text : `http://${text}`;
};

export const isAddress = (address: string): boolean => URL.canParse(httpUrl(address));

/** Parses an address as a URL. Throws an Error with an example. */
export function urlOf(address: string, example: string): string {
  if (isAddress(address)) return httpUrl(address);
  throw new Error(`expected an address such as ${example}`);
}

const REASONS: Readonly<Record<string, string>> = {
  "bad port": "clients of HTTP may not use its port",
};

/** Reason of a failed request: the system's, which fetch stores as the cause. */
export function noAnswer(error: unknown): Error {
  const { cause, message = "" } = Object(error) as Failure;
  const reason = cause?.code ?? cause?.message ?? message;
  return new Error(`no node answers there: ${REASONS[reason] ?? reason}`);
}

interface Failure {
  readonly message?: string;
  readonly cause?: { readonly code?: string; readonly message?: string };
}

/**
 * Sends a query in REST's JSON format; height 0 is the newest. Rejects with an Error that has the
 * node's message.
 */
export type RemoteQuery = (name: string, request: unknown, height: number) => Promise<unknown>;
