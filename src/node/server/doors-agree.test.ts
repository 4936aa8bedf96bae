import { create, type DescMethod, fromBinary, toBinary } from "@bufbuild/protobuf";
import { Client, credentials } from "@grpc/grpc-js";
import { describe, expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import { type Json, messageFromJson, messageToJson } from "../../api/json.ts";
import { inChain, inCosmos, renameTypes } from "../../api/namespaces.ts";
import { queryJson } from "../../api/query.ts";
import { QUERY_ROUTES } from "../../api/query-routes.ts";
import type { CliContext } from "../../cli/context.ts";
import { main } from "../../cli/main.ts";
import { accAddress } from "../../engine/primitives/bech32.ts";
import { propose, softwareUpgrade } from "../../engine/simulation/testing.ts";
import { createNodeCommands } from "../node-commands.ts";
import { createScenarioLab } from "../scenario-lab.ts";
import { ATTACH_PATH } from "./attached.ts";
import { reached, runChain } from "./chain.testing.ts";
import type { RunningChain } from "./chain.ts";
import { openRest } from "./doors.ts";
import { openGrpc } from "./grpc/server.ts";
import { type Listening, readBind } from "./listen.ts";
import { openRpc } from "./rpc.ts";
import type { Served } from "./served.ts";

const ANY_PORT = readBind("127.0.0.1:0");

interface Asked {
  readonly name: string;
  readonly request?: { readonly [key: string]: string };
  /** The same as a command line. */
  readonly line: readonly string[];
}

const OPERATOR = "the operator of val-0";

/** What is asked at every door. */
const TABLE: readonly Asked[] = [
  {
    name: "chain.bank.v1beta1.Query/Balance",
    request: { address: OPERATOR, denom: "stake" },
    line: ["bank", "balance", OPERATOR, "stake"],
  },
  { name: "chain.bank.v1beta1.Query/TotalSupply", line: ["bank", "total"] },
  { name: "chain.staking.v1beta1.Query/Validators", line: ["staking", "validators"] },
  {
    name: "chain.staking.v1beta1.Query/DelegatorDelegations",
    request: { delegator_addr: OPERATOR },
    line: ["staking", "delegations", OPERATOR],
  },
  { name: "chain.slashing.v1beta1.Query/SigningInfos", line: ["slashing", "signing-infos"] },
  { name: "chain.gov.v1.Query/Proposals", line: ["gov", "proposals"] },
  {
    name: "chain.gov.v1.Query/TallyResult",
    request: { proposal_id: "1" },
    line: ["gov", "tally", "1"],
  },
  { name: "chain.evidence.v1beta1.Query/AllEvidence", line: ["evidence"] },
  { name: "chain.upgrade.v1beta1.Query/ModuleVersions", line: ["upgrade", "module-versions"] },
];

const REFUSED: Asked = {
  name: "chain.evidence.v1beta1.Query/Evidence",
  request: { hash: "AB".repeat(32) },
  line: ["evidence", "AB".repeat(32)],
};

const methodOf = (name: string): DescMethod => {
  const method = QUERY_ROUTES.find((one) => one.name === name)?.method;
  if (method === undefined) throw new Error(`there is no ${name}`);
  return method;
};

const bytesOf = ({ name, request = {} }: Asked): Uint8Array => {
  const { input } = methodOf(name);
  return toBinary(input, messageFromJson(input, request));
};

/** The answer as JSON, with the chain's own names of types. */
const jsonOf = ({ name }: Asked, bytes: Uint8Array): Json => {
  const { output } = methodOf(name);
  const message = create(output, fromBinary(output, bytes));
  return messageToJson(output, renameTypes(output, message, inChain));
};

const ownTypes = (text: string): string => text.replaceAll('"@type":"/cosmos.', '"@type":"/chain.');

/** The path of a query with its parameters. */
function pathOf({ name, request = {} }: Asked): string {
  const [path = ""] = QUERY_ROUTES.find((one) => one.name === name)?.paths ?? [];
  const inPath = path.replace(/\{([^=}]*)[^}]*\}/g, (_, field: string) => request[field] ?? "");
  const rest = Object.entries(request).filter(([field]) => !path.includes(`{${field}`));
  return rest.length === 0 ? inPath : `${inPath}?${new URLSearchParams(rest)}`;
}

interface Doors {
  readonly chain: RunningChain;
  readonly rest: string;
  readonly rpc: string;
  readonly grpc: string;
}

/** A chain with a proposal and evidence, which stands still behind all of its doors. */
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
  const open = async (door: Promise<Listening>): Promise<string> => {
    const listening = await door;
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

/** Asks at a door. Rejects with an Error that has the chain's text where it refuses. */
type Ask = (doors: Doors, asked: Asked) => Promise<Json>;

const rest =
  (rename: (name: string) => string): Ask =>
  async (doors, asked) => {
    const answer = await fetch(`http://${doors.rest}${rename(pathOf(asked))}`);
    const json = JSON.parse(ownTypes(await answer.text()));
    if (!answer.ok) throw new Error(json.message);
    return json;
  };

const rpc =
  (rename: (name: string) => string): Ask =>
  async (doors, asked) => {
    const body = JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "abci_query",
      params: { path: `/${rename(asked.name)}`, data: Buffer.from(bytesOf(asked)).toString("hex") },
    });
    const answer = await fetch(`http://${doors.rpc}`, { method: "POST", body });
    const { response } = (await answer.json()).result;
    if (response.code !== 0) throw new Error(response.log);
    return jsonOf(asked, Buffer.from(response.value ?? "", "base64"));
  };

const grpc =
  (rename: (name: string) => string): Ask =>
  (doors, asked) => {
    const client = new Client(doors.grpc, credentials.createInsecure());
    onTestFinished(() => client.close());
    const same = (bytes: Buffer): Buffer => bytes;
    const request = Buffer.from(bytesOf(asked));
    return new Promise((resolve, reject) => {
      client.makeUnaryRequest(`/${rename(asked.name)}`, same, same, request, (error, bytes) => {
        if (error) reject(error);
        else resolve(jsonOf(asked, bytes ?? Buffer.alloc(0)));
      });
    });
  };

/** A frame of gRPC-web: flags, length, content. */
const FRAME = 5;

const grpcWeb: Ask = async (doors, asked) => {
  const request = bytesOf(asked);
  const head = Buffer.alloc(FRAME);
  head.writeUInt32BE(request.length, 1);
  const answer = await fetch(`http://${doors.rest}/${asked.name}`, {
    method: "POST",
    headers: { "content-type": "application/grpc-web+proto", "x-grpc-web": "1" },
    body: Buffer.concat([head, request]),
  });
  const all = Buffer.from(await answer.arrayBuffer());
  const length = all.length < FRAME ? 0 : all.readUInt32BE(1);
  const [content, trailers] = [all.subarray(FRAME, FRAME + length), all.subarray(FRAME + length)];
  if (all[0] === 0 && /grpc-status: ?0/.test(trailers.toString())) return jsonOf(asked, content);
  throw new Error(decodeURIComponent(`${all}${answer.headers.get("grpc-message") ?? ""}`));
};

const connect: Ask = async (doors, asked) => {
  const answer = await fetch(`http://${doors.rest}/${inCosmos(asked.name)}`, {
    method: "POST",
    headers: { "content-type": "application/proto" },
    body: Buffer.from(bytesOf(asked)),
  });
  if (!answer.ok) throw new Error((await answer.json()).message);
  return jsonOf(asked, new Uint8Array(await answer.arrayBuffer()));
};

const commandLine: Ask = async (doors, { line }) => {
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
    scenarios: createScenarioLab(),
    nodes: createNodeCommands(async () => "this-build"),
  };
  await main(["query", ...line, "--node", doors.rpc, "--output", "json"], context);
  if (written.stderr !== "") throw new Error(written.stderr);
  return JSON.parse(written.stdout);
};

/** The page's client: the messages of a port, over a WebSocket. */
const page: Ask = async (doors, { name, request = {} }) => {
  const socket = new WebSocket(`ws://${doors.rest}${ATTACH_PATH}`);
  onTestFinished(() => socket.terminate());
  const answer = await new Promise<{ response?: Json; error?: { message: string } }>(
    (resolve, reject) => {
      socket.on("error", reject);
      socket.on("message", (data) => {
        const message = JSON.parse(data.toString());
        const call = { call: 1, method: "query", request: { name, request, height: 0 } };
        if ("ready" in message) socket.send(JSON.stringify(call));
        else if (message.call === 1) resolve(message);
      });
    },
  );
  if (answer.response === undefined) throw new Error(answer.error?.message);
  return answer.response;
};

const same = (name: string): string => name;
const pathInCosmos = (path: string): string => inCosmos(path);

describe.each<readonly [string, Ask]>([
  ["REST", rest(same)],
  ["REST under cosmos", rest(pathInCosmos)],
  ["gRPC", grpc(same)],
  ["gRPC under cosmos", grpc(inCosmos)],
  ["gRPC-web", grpcWeb],
  ["Connect under cosmos", connect],
  ["abci_query", rpc(same)],
  ["abci_query under cosmos", rpc(inCosmos)],
  ["the command line", commandLine],
  ["the page's client", page],
])("%s", (_, ask) => {
  test("gives the answers that every door gives, and refuses in the same words", async () => {
    const doors = await served();
    const { sim } = doors.chain.session;
    const operator = accAddress(sim.account("val-0") ?? new Uint8Array());
    const filled = ({ name, request = {}, line }: Asked): Asked => ({
      name,
      request: Object.fromEntries(
        Object.entries(request).map(([field, text]) => [field, text.replace(OPERATOR, operator)]),
      ),
      line: line.map((text) => text.replace(OPERATOR, operator)),
    });
    for (const asked of TABLE.map(filled)) {
      const expected = await doors.chain.session.ask((queries) =>
        queryJson(queries, asked.name, asked.request, 0),
      );
      expect([asked.name, await ask(doors, asked)]).toEqual([asked.name, expected]);
    }
    const refused = doors.chain.session.ask((queries) =>
      queryJson(queries, REFUSED.name, REFUSED.request, 0),
    );
    const text = await refused.catch(({ message }: Error) => message);
    await expect(ask(doors, REFUSED)).rejects.toThrow(String(text));
  });
});
