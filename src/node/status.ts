/** Queries the status of a home's node, like its clients do. */
import { rpcAddressIn } from "./home.ts";
import { noAnswer } from "./remote.ts";

const TIMEOUT_MS = 2_000;

/**
 * The result of `status` of a node, by its address or its home. Rejects with an Error if it does
 * not answer.
 */
export async function statusOf(home: string, node: string | undefined): Promise<unknown> {
  const address = (node ?? rpcAddressIn(home)).replace(/^(?:tcp:\/\/)?(?!https?:)/, "http://");
  const request = { jsonrpc: "2.0", id: 1, method: "status", params: {} };
  try {
    const { result } = JSON.parse(await posted(address, JSON.stringify(request)));
    if (result !== undefined) return result;
  } catch (error) {
    const { code = "ABORT_ERR" } = Object(error) as NodeJS.ErrnoException;
    if (code !== "ABORT_ERR") throw new Error(`${address}: ${noAnswer({ cause: error }).message}`);
  }
  throw new Error(`${address}: no node answers there`);
}

/**
 * Posts JSON; resolves to the text of the answer. Loading `fetch` would take longer than everything
 * else here.
 */
async function posted(address: string, body: string): Promise<string> {
  const { request } = address.startsWith("https:")
    ? await import("node:https")
    : await import("node:http");
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const headers = { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const requested = request(address, { method: "POST", headers, signal }, (answer) => {
      let text = "";
      answer.setEncoding("utf8");
      answer.on("data", (part: string) => {
        text += part;
      });
      answer.once("end", () => resolve(text));
      answer.once("error", reject);
    });
    requested.once("error", reject);
    requested.end(body);
  });
}
