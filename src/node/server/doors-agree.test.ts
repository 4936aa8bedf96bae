import { Client, credentials, Metadata } from "@grpc/grpc-js";
import { describe, expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import { accAddress } from "../../base/bech32.ts";
import type { CliContext } from "../../cli/context.ts";
import { main } from "../../cli/main.ts";
import { inCosmos } from "../../engine/framework/codec.ts";
import { propose, softwareUpgrade } from "../../engine/simulation/testing.ts";
import {
  type Asked,
  type AskOver,
  BROKEN,
  BYTES_OVER_HTTP,
  bytesOf,
  EARLIER,
  heightOf,
  jsonOf,
  NO_WORLD,
  OVER_HTTP,
  REFUSED,
  requestOf,
  type Send,
  tableFor,
} from "../../server/agreed.testing.ts";
import type { Json } from "../../view/json.ts";
import { typesInCosmos } from "../../view/namespaces.ts";
import { queryJson } from "../../view/query.ts";
import { createNodeCommands } from "../node-commands.ts";
import { PROGRAM } from "../program.testing.ts";
import { createScenarioLab } from "../scenario-lab.ts";
import { ATTACH_PATH } from "./attached.ts";
import { inTime, reached, runChain } from "./chain.testing.ts";
import type { RunningChain } from "./chain.ts";
import { openRest } from "./doors.ts";
import { openGrpc } from "./grpc/server.ts";
import { type Listening, readBind } from "./listen.ts";
import { openRpc } from "./rpc.ts";
import type { Served } from "./served.ts";

const ANY_PORT = readBind("127.0.0.1:0");

interface Doors {
  readonly chain: RunningChain;
  readonly rest: string;
  readonly rpc: string;
  readonly grpc: string;
}

/** A chain with a proposal and evidence, paused, with all of its servers. */
async function served(): Promise<Doors> {
  const chain = await runChain({ speed: 0 });
  await reached(chain, 5);
  chain.session.player.pause();
  const { sim } = chain.session;
  propose(sim, 1n, softwareUpgrade(sim, "v2", 1000));
  sim.apply({ type: "double_sign", node: "val-2" });
  const height = sim.height + 4;
  chain.session.player.stepBlocks(4);
  chain.session.player.changed();
  await reached(chain, height);
  const options: Served = { chain, namespace: "both", cors: "*" };
  const open = async (server: Promise<Listening>): Promise<string> => {
    const listening = await server;
    onTestFinished(() => listening.close());
    return listening.address;
  };
  return {
    chain,
    rest: await open(openRest(options, ANY_PORT)),
    rpc: await open(openRpc(options, ANY_PORT)),
    grpc: await open(openGrpc(options, ANY_PORT)),
  };
}

/** Sends a request to one server. Rejects with an Error that has the chain's text of a refusal. */
type Ask = (servers: Doors, requested: Asked) => Promise<Json>;

const sendTo =
  (address: string): Send =>
  async (path, { method, headers, body }) => {
    const content = method === "POST" ? { body: Buffer.from(body) } : {};
    const answer = await fetch(`http://${address}${path}`, { method, headers, ...content });
    return {
      status: answer.status,
      body: new Uint8Array(await answer.arrayBuffer()),
      grpcMessage: answer.headers.get("grpc-message") ?? "",
    };
  };

const rpc =
  (rename: (name: string) => string): Ask =>
  async (servers, requested) => {
    const body = JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "abci_query",
      params: {
        path: `/${rename(requested.name)}`,
        data: Buffer.from(bytesOf(requested)).toString("hex"),
        height: String(requested.height ?? 0),
      },
    });
    const answer = await fetch(`http://${servers.rpc}`, { method: "POST", body });
    const { response } = (await answer.json()).result;
    if (response.code !== 0) throw new Error(response.log);
    return jsonOf(requested, Buffer.from(response.value ?? "", "base64"));
  };

const grpc =
  (rename: (name: string) => string): Ask =>
  (servers, requested) => {
    const client = new Client(servers.grpc, credentials.createInsecure());
    onTestFinished(() => client.close());
    const same = (bytes: Buffer): Buffer => bytes;
    const request = Buffer.from(bytesOf(requested));
    const metadata = new Metadata();
    for (const [name, value] of Object.entries(heightOf(requested))) metadata.set(name, value);
    return new Promise((resolve, reject) => {
      const path = `/${rename(requested.name)}`;
      client.makeUnaryRequest(path, same, same, request, metadata, (error, bytes) => {
        if (error) reject(error);
        else resolve(jsonOf(requested, bytes ?? Buffer.alloc(0)));
      });
    });
  };

const commandLine: Ask = async (servers, { line, height = 0 }) => {
  const written = { stdout: "", stderr: "" };
  const to = (stream: keyof typeof written) => ({
    write(text: string) {
      written[stream] += text;
    },
  });
  const context: CliContext = {
    stdout: to("stdout"),
    stderr: to("stderr"),
    readFile: async () => "",
    writeFile: async () => {},
    checkWritable: async () => {},
    scenarios: async () => createScenarioLab(PROGRAM),
    nodes: createNodeCommands(PROGRAM, async () => "this-build"),
  };
  const at = height === 0 ? [] : ["--height", String(height)];
  await main(["query", ...line, ...at, "--node", servers.rpc, "--output", "json"], context);
  if (written.stderr !== "") throw new Error(written.stderr);
  return JSON.parse(written.stdout);
};

/** The page's client: the messages of a port, over a WebSocket. */
const page: Ask = async (servers, requested) => {
  const { name, height = 0 } = requested;
  const request = requestOf(requested);
  const socket = new WebSocket(`ws://${servers.rest}${ATTACH_PATH}`);
  onTestFinished(() => socket.terminate());
  const answering = new Promise<{ response?: Json; error?: { message: string } }>(
    (resolve, reject) => {
      socket.on("error", reject);
      socket.on("message", (data) => {
        const message = JSON.parse(data.toString());
        const call = { call: 1, method: "query", request: { name, request, height } };
        if ("ready" in message) socket.send(JSON.stringify(call));
        else if (message.call === 1) resolve(message);
      });
    },
  );
  const answer = await inTime(answering, `the page's answer to ${name}`);
  if (answer.response === undefined) throw new Error(answer.error?.message);
  return answer.response;
};

const same = <T>(value: T): T => value;

const overHttp = ([name, ask]: readonly [string, AskOver]): readonly [string, Ask] => [
  name,
  (servers, requested) => ask(sendTo(servers.rest), requested),
];

/** The node's other servers, all of which accept bytes. */
const OTHERS: readonly (readonly [string, Ask])[] = [
  ["gRPC", grpc(same)],
  ["gRPC under cosmos", grpc(inCosmos)],
  ["abci_query", rpc(same)],
  ["abci_query under cosmos", rpc(inCosmos)],
];

test.each([...BYTES_OVER_HTTP.map(overHttp), ...OTHERS])(
  "%s refuses bytes that are no message in the words that every door has for them",
  async (_, ask) => {
    const servers = await served();
    for (const broken of BROKEN)
      await expect(ask(servers, broken)).rejects.toThrow("parse binary: premature EOF");
  },
);

describe.each<readonly [string, Ask, (json: Json) => Json]>([
  ...[...OVER_HTTP.map(overHttp), ...OTHERS].map(([name, ask]) => [name, ask, same] as const),
  // It prints the names that the node serves.
  ["the command line", commandLine, typesInCosmos],
  ["the page's client", page, same],
])("%s", (_, ask, named) => {
  test("gives the answers that every door gives, and refuses in the same words", async () => {
    const servers = await served();
    const { sim } = servers.chain.session;
    const operator = accAddress(sim.account("val-0") ?? new Uint8Array());
    for (const requested of tableFor(operator)) {
      const expected = await servers.chain.session.query((queries) =>
        queryJson(queries, requested.name, requestOf(requested), 0),
      );
      expect([requested.name, await ask(servers, requested)]).toEqual([
        requested.name,
        named(expected),
      ]);
    }
    const then = await ask(servers, EARLIER);
    expect(then).toMatchObject({ name: "val-0", height: EARLIER.height });
    expect(await ask(servers, { ...EARLIER, height: 0 })).toMatchObject({ height: sim.height });
    for (const refused of [REFUSED, NO_WORLD]) {
      const requested = servers.chain.session.query((queries) =>
        queryJson(queries, refused.name, requestOf(refused), 0),
      );
      const text = await requested.catch(({ message }: Error) => message);
      expect(text).toMatch(/not found|there is no world gone/);
      await expect(ask(servers, refused)).rejects.toThrow(String(text));
    }
  });
});
