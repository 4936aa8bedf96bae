/** What the node of a home says of itself, asked as its clients ask it. */
import { rpcAddressIn } from "./home.ts";
import { noAnswer } from "./remote.ts";

const PATIENCE_MS = 2_000;

/** The result of `status` of a node, by its address or its home. Rejects with an Error if it does not answer. */
export async function statusOf(home: string, node: string | undefined): Promise<unknown> {
  const address = (node ?? rpcAddressIn(home)).replace(/^(?:tcp:\/\/)?(?!https?:)/, "http://");
  const request = { jsonrpc: "2.0", id: 1, method: "status", params: {} };
  try {
    const answer = await fetch(address, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(request),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const { result } = (await answer.json()) as { readonly result?: unknown };
    if (result !== undefined) return result;
  } catch (error) {
    const { cause } = Object(error) as { readonly cause?: unknown };
    if (cause !== undefined) throw new Error(`${address}: ${noAnswer(error).message}`);
  }
  throw new Error(`${address}: no node answers there`);
}
