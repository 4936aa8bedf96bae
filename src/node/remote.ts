/** How long an answer may take. */
export const PATIENCE_MS = 30_000;

/** The address as a URL. Throws an Error that shows how one looks. @param address with or without a scheme */
export function urlOf(address: string, example: string): string {
  const written = address.replace(/^tcp:\/\//, "http://");
  const url = /^https?:\/\//.test(written) ? written : `http://${written}`;
  if (URL.canParse(url)) return url;
  throw new Error(`expected an address such as ${example}`);
}

/** Asks a query in the JSON shape of REST; height 0 is the newest. Rejects with an Error in the node's words. */
export type AskRemote = (name: string, request: unknown, height: number) => Promise<unknown>;
