/**
 * Asks a node's door in a process of its own, so that what asking costs falls on no block: `load.ts DOOR ADDRESS WIDTH
 * SECONDS [RATE]`. Prints one JSON object.
 */
import { Agent, request } from "node:http";
import { Client, credentials } from "@grpc/grpc-js";
import { askedFor } from "./asking.ts";
import type { NodeDoor } from "./doors.ts";

const QUERY = "cosmos.bank.v1beta1.Query/TotalSupply";

const [server = "", address = "", width = "1", seconds = "1", rate] = process.argv.slice(2);

/** Asks once; rejects if it is refused. */
type Ask = () => Promise<void>;

function http(path: string, method: string, body: string): Ask {
  const agent = new Agent({ keepAlive: true, maxSockets: Number(width) });
  const url = `http://${address}${path}`;
  const headers = body === "" ? {} : { "Content-Type": "application/json" };
  return () =>
    new Promise((resolve, reject) => {
      request(url, { agent, method, headers }, (answer) => {
        answer.resume();
        answer.once("end", () =>
          answer.statusCode === 200 ? resolve() : reject(new Error(`status ${answer.statusCode}`)),
        );
      })
        .once("error", reject)
        .end(body);
    });
}

function grpc(): Ask {
  const client = new Client(address, credentials.createInsecure());
  const same = (bytes: Buffer): Buffer => bytes;
  return () =>
    new Promise((resolve, reject) => {
      client.makeUnaryRequest(`/${QUERY}`, same, same, Buffer.alloc(0), (error) =>
        error ? reject(error) : resolve(),
      );
    });
}

const CALL = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "abci_query",
  params: { path: `/${QUERY}`, data: "" },
});

const ASKS: Readonly<Record<NodeDoor, () => Ask>> = {
  REST: () => http("/cosmos/bank/v1beta1/supply", "GET", ""),
  gRPC: grpc,
  RPC: () => http("/", "POST", CALL),
};

const ask = ASKS[server as NodeDoor]();
const load = await askedFor(ask, {
  width: Number(width),
  seconds: Number(seconds),
  rate: rate === undefined ? undefined : Number(rate),
});
process.stdout.write(`${JSON.stringify(load)}\n`, () => process.exit(0));
