/**
 * Asks a node's door in a process of its own, so that what asking costs falls on no block: `load.ts DOOR ADDRESS WIDTH
 * SECONDS [RATE]`. Prints one JSON object.
 */
import { Agent, request } from "node:http";
import { Client, credentials } from "@grpc/grpc-js";
import type { Door, Load } from "./doors.ts";

const QUERY = "cosmos.bank.v1beta1.Query/TotalSupply";

const [door = "", address = "", width = "1", seconds = "1", rate] = process.argv.slice(2);

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

const ASKS: Readonly<Record<Door, () => Ask>> = {
  REST: () => http("/cosmos/bank/v1beta1/supply", "GET", ""),
  gRPC: grpc,
  RPC: () => http("/", "POST", CALL),
};

const ask = ASKS[door as Door]();
// The first request of each connection opens it.
await Promise.all(Array.from({ length: Number(width) }, ask));

const begun = performance.now();
const end = begun + Number(seconds) * 1_000;
const times: number[] = [];
const timed = async (): Promise<void> => {
  const from = performance.now();
  await ask();
  times.push(performance.now() - from);
};

if (rate === undefined) {
  const line = async (): Promise<void> => {
    while (performance.now() < end) await timed();
  };
  await Promise.all(Array.from({ length: Number(width) }, line));
} else {
  // Requests are due at their own times, whether or not those before are answered.
  const asked: Promise<void>[] = [];
  for (let now = begun; now < end; now = performance.now()) {
    const due = Math.floor(((now - begun) / 1_000) * Number(rate));
    while (asked.length < due) asked.push(timed());
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await Promise.all(asked);
}

const took = (performance.now() - begun) / 1_000;
times.sort((a, b) => a - b);
const at = (share: number): number => times[Math.floor(times.length * share)] ?? 0;
const load: Load = { perSecond: times.length / took, p50: at(0.5), p99: at(0.99) };
process.stdout.write(`${JSON.stringify(load)}\n`, () => process.exit(0));
