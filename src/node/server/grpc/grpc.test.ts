import { connect } from "node:http2";
import { text } from "node:stream/consumers";
import {
  create,
  type DescMessage,
  fromBinary,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from "@bufbuild/protobuf";
import {
  Client,
  credentials,
  type Metadata,
  Metadata as NewMetadata,
  type ServiceError,
} from "@grpc/grpc-js";
import { expect, onTestFinished, test, vi } from "vitest";
import { accAddress } from "../../../base/bech32.ts";
import { packInit } from "../../../engine/framework/codec.ts";
import { MsgSendSchema } from "../../../gen/chain/bank/v1beta1/tx_pb.ts";
import {
  type ServerReflectionRequest,
  ServerReflectionRequestSchema,
  type ServerReflectionResponse,
  ServerReflectionResponseSchema,
} from "../../../gen/grpc/reflection/v1/reflection_pb.ts";
import {
  type Block,
  BlockSchema,
  type Frame,
  FrameSchema,
  RunStepRequestSchema,
  StepResultSchema,
} from "../../../gen/lab/v1/lab_pb.ts";
import {
  WatchBlocksRequestSchema,
  WatchEventsRequestSchema,
  WatchedEventSchema,
  WatchFramesRequestSchema,
} from "../../../gen/lab/v1/watch_pb.ts";
import { registry } from "../../../gen/registry.ts";
import { makeBlocks, reached, runChain } from "../chain.testing.ts";
import { openRest } from "../doors.ts";
import { readBind } from "../listen.ts";
import type { Served } from "../served.ts";
import { openGrpc } from "./server.ts";

const ANY_PORT = readBind("127.0.0.1:0");
const HEIGHT = "x-cosmos-block-height";
const CODE = {
  cancelled: 1,
  invalidArgument: 3,
  notFound: 5,
  exhausted: 8,
  unimplemented: 12,
  internal: 13,
  unauthenticated: 16,
};

async function serve(over: Partial<Served> = {}) {
  const chain = over.chain ?? (await runChain());
  const served: Served = { chain, namespace: "both", cors: "*", ...over };
  const server = await openGrpc(served, ANY_PORT);
  const client = new Client(server.address, credentials.createInsecure());
  onTestFinished(() => {
    client.close();
    return server.close();
  });
  return { chain, client, served, address: server.address };
}

/** A call with raw bytes, as from a client in any language. */
function call(client: Client, path: string, request: Uint8Array, metadata: object = {}) {
  const sent = new NewMetadata();
  for (const [name, value] of Object.entries(metadata)) sent.set(name, String(value));
  return new Promise<{ bytes: Buffer; headers: Metadata }>((resolve, reject) => {
    let headers = new NewMetadata();
    const same = (bytes: Buffer): Buffer => bytes;
    client
      .makeUnaryRequest(path, same, same, Buffer.from(request), sent, (error, bytes) => {
        if (error) reject(error);
        else resolve({ bytes: bytes as Buffer, headers });
      })
      .on("metadata", (received: Metadata) => {
        headers = received;
      });
  });
}

const schemaOf = (name: string) => {
  const schema = registry.getMessage(name);
  if (schema === undefined) throw new Error(`there is no ${name}`);
  return schema;
};
const SUPPLY = schemaOf("chain.bank.v1beta1.QueryTotalSupplyResponse");
const NOTHING = new Uint8Array();

test.each(["chain", "cosmos"])(
  "%s.* answers at the height that the metadata names",
  async (root) => {
    const chain = await runChain({ speed: 0 });
    await reached(chain, 5);
    chain.session.player.pause();
    const { client } = await serve({ chain });
    const path = `/${root}.bank.v1beta1.Query/TotalSupply`;
    const { bytes, headers } = await call(client, path, NOTHING, { [HEIGHT]: 3 });
    expect(headers.get(HEIGHT)).toEqual(["3"]);
    expect(fromBinary(SUPPLY, bytes)).toMatchObject({ supply: [{ denom: "stake" }] });
    const newest = await call(client, path, NOTHING);
    expect(newest.headers.get(HEIGHT)).toEqual([String(chain.session.sim.height)]);
    await expect(call(client, path, NOTHING, { [HEIGHT]: "x" })).rejects.toMatchObject({
      code: CODE.invalidArgument,
      details: expect.stringContaining("invalid height header"),
    });
  },
);

test("the types within answers have the names that were asked by", async () => {
  const { client } = await serve();
  const { bytes } = await call(client, "/cosmos.staking.v1beta1.Query/Validators", NOTHING);
  expect(bytes.toString("latin1")).toContain("/cosmos.crypto.ed25519.PubKey");
  expect(bytes.toString("latin1")).not.toContain("/chain.crypto");
});

test("an unknown service, and one of another namespace, are refused as gRPC does", async () => {
  const { client } = await serve({ namespace: "chain" });
  for (const service of ["cosmos.nothing.Query", "cosmos.evidence.v1beta1.Query"]) {
    await expect(call(client, `/${service}/X`, NOTHING)).rejects.toMatchObject({
      code: CODE.unimplemented,
      details: `unknown service ${service}`,
    });
  }
  await call(client, "/cosmos.bank.v1beta1.Query/TotalSupply", NOTHING);
});

test("an unknown method of a known service is refused as that", async () => {
  const { client } = await serve();
  for (const service of ["chain.bank.v1beta1.Query", "cosmos.bank.v1beta1.Query", "lab.v1.Watch"]) {
    await expect(call(client, `/${service}/Nothing`, NOTHING)).rejects.toMatchObject({
      code: CODE.unimplemented,
      details: `unknown method Nothing for service ${service}`,
    });
  }
});

test("what is no gRPC is answered over HTTP/2 as REST answers what is not there", async () => {
  const { address } = await serve();
  const session = connect(`http://${address}`);
  onTestFinished(() => session.destroy());
  const stream = session.request({ ":path": "/cosmos/bank/v1beta1/supply" });
  const status = new Promise((resolve) =>
    stream.once("response", (headers) => resolve(headers[":status"])),
  );
  expect(JSON.parse(await text(stream))).toEqual({
    code: CODE.unimplemented,
    message: "Not Implemented",
    details: [],
  });
  expect(await status).toBe(501);
});

test("an error that repeats what was asked is as long as headers may be", async () => {
  const { client } = await serve();
  const schema = schemaOf("chain.evidence.v1beta1.QueryEvidenceRequest");
  const request = toBinary(schema, create(schema, { hash: "a".repeat(70_000) }));
  await expect(
    call(client, "/chain.evidence.v1beta1.Query/Evidence", request),
  ).rejects.toMatchObject({ details: expect.stringMatching(/a{500,1000}…$/i) });
  const nowhere = `/${"a".repeat(10_000)}/X`;
  await expect(call(client, nowhere, NOTHING)).rejects.toMatchObject({
    code: CODE.unimplemented,
    details: expect.stringMatching(/^unknown service a{500,1000}…$/),
  });
});

test("errors have their code and text; bytes that are no message are refused", async () => {
  const { client } = await serve();
  const request = toBinary(
    schemaOf("chain.evidence.v1beta1.QueryEvidenceRequest"),
    create(schemaOf("chain.evidence.v1beta1.QueryEvidenceRequest"), { hash: "CD" }),
  );
  await expect(
    call(client, "/chain.evidence.v1beta1.Query/Evidence", request),
  ).rejects.toMatchObject({ code: CODE.notFound, details: "evidence CD not found" });
  await expect(
    call(client, "/chain.evidence.v1beta1.Query/Evidence", Uint8Array.of(255)),
  ).rejects.toMatchObject({ code: CODE.internal, details: expect.stringContaining("parse") });
  await expect(
    call(client, "/chain.bank.v1beta1.Query/TotalSupply", new Uint8Array(5_000_000)),
  ).rejects.toMatchObject({ code: CODE.exhausted });
});

const RUN = toBinary(RunStepRequestSchema, create(RunStepRequestSchema, { step: '{"run":2}' }));

test("control needs the token where there is one", async () => {
  const { client, chain } = await serve({ token: "otter", wrongTokenMs: 0 });
  const before = chain.session.sim.height;
  for (const [metadata, details] of [
    [{}, "control needs the chain's token: authorization: Bearer TOKEN"],
    [{ authorization: "Bearer other" }, "This is not the token of this chain."],
  ] as const) {
    await expect(call(client, "/lab.v1.Lab/RunStep", RUN, metadata)).rejects.toMatchObject({
      code: CODE.unauthenticated,
      details,
    });
  }
  expect(chain.session.sim.height).toBe(before);
  const { bytes } = await call(client, "/lab.v1.Lab/RunStep", RUN, {
    authorization: "Bearer otter",
  });
  expect(fromBinary(StepResultSchema, bytes)).toMatchObject({ ok: true, height: before + 2 });
});

test("blocks are sent as they are made, one by one from the height that is named", async () => {
  const { client, chain } = await serve();
  const request = create(WatchBlocksRequestSchema, { from: 1 });
  const stream = client.makeServerStreamRequest(
    "/lab.v1.Watch/Blocks",
    () => Buffer.from(toBinary(WatchBlocksRequestSchema, request)),
    (bytes: Buffer): Block => fromBinary(BlockSchema, bytes),
    undefined,
  );
  stream.on("error", ({ code }: ServiceError) => expect(code).toBe(1));
  const heights: number[] = [];
  const enough = new Promise<void>((resolve) =>
    stream.on("data", ({ height }: Block) => heights.push(height) === 20 && resolve()),
  );
  chain.session.player.pace.speed = 0;
  chain.session.player.play();
  chain.session.player.changed();
  await enough;
  stream.cancel();
  expect(heights.slice(0, 20)).toEqual(Array.from({ length: 20 }, (_, i) => i + 1));
});

/**
 * The messages of a stream of lab.v1.Watch, up to the first that satisfies a condition; then it is
 * cancelled.
 */
function watched<I extends DescMessage, O extends DescMessage>(
  client: Client,
  method: string,
  request: readonly [I, MessageInitShape<I>],
  output: O,
  isEnough: (seen: readonly MessageShape<O>[]) => boolean,
): Promise<readonly MessageShape<O>[]> {
  const [input, fields] = request;
  const stream = client.makeServerStreamRequest(
    `/lab.v1.Watch/${method}`,
    () => Buffer.from(toBinary(input, create(input, fields))),
    (bytes: Buffer) => fromBinary(output, bytes),
    undefined,
  );
  const seen: MessageShape<O>[] = [];
  return new Promise((resolve, reject) => {
    stream.on("error", (error: ServiceError) => {
      if (error.code !== CODE.cancelled) reject(error);
    });
    stream.on("data", (message: MessageShape<O>) => {
      seen.push(message);
      if (!isEnough(seen)) return;
      stream.cancel();
      resolve(seen);
    });
  });
}

const STEER = toBinary(
  RunStepRequestSchema,
  create(RunStepRequestSchema, { step: '{"nodes":{"which":["val-2"],"stop":true}}' }),
);

test("events are sent with their heights, of one type where one is named", async () => {
  const { client, chain } = await serve();
  const name = chain.session.sim.spec.accounts[0]?.name ?? "val-0";
  const from = accAddress(chain.session.sim.account(name) ?? new Uint8Array());
  const send = packInit(MsgSendSchema, {
    fromAddress: from,
    toAddress: from,
    amount: [{ denom: "stake", amount: "1" }],
  });
  chain.session.sim.apply({ type: "tx", signer: name, messages: [send] });
  const { initialHeight } = chain.session.sim;
  const received = watched(
    client,
    "Events",
    [WatchEventsRequestSchema, { from: initialHeight, type: "transfer" }],
    WatchedEventSchema,
    (seen) => seen.length === 1,
  );
  await makeBlocks(chain, 3);
  const [event] = await received;
  expect(event?.event?.type).toBe("transfer");
  expect(chain.session.sim.block(event?.height ?? 0)?.txs).toHaveLength(1);
});

test("frames are sent when they have changed, and show what was steered meanwhile", async () => {
  const { client } = await serve();
  const isStopped = (frame: Frame | undefined): boolean =>
    frame?.nodes.find(({ name }) => name === "val-2")?.process === "stopped";
  let steering: Promise<unknown> | undefined;
  const received = watched(
    client,
    "Frames",
    [WatchFramesRequestSchema, {}],
    FrameSchema,
    (seen) => {
      steering ??= call(client, "/lab.v1.Lab/RunStep", STEER);
      return isStopped(seen.at(-1));
    },
  );
  const frames = await received;
  await steering;
  expect(isStopped(frames[0])).toBe(false);
  const revisions = frames.map(({ revision }) => revision);
  expect(revisions).toEqual([...new Set(revisions)].sort((a, b) => a - b));
});

test.each(["v1", "v1alpha"])(
  "reflection %s lists services, and gives files of types in Any",
  async (version) => {
    const { client } = await serve();
    const stream = client.makeBidiStreamRequest(
      `/grpc.reflection.${version}.ServerReflection/ServerReflectionInfo`,
      (ask: ServerReflectionRequest) => Buffer.from(toBinary(ServerReflectionRequestSchema, ask)),
      (bytes: Buffer) => fromBinary(ServerReflectionResponseSchema, bytes),
    );
    const answers: ServerReflectionResponse[] = [];
    const ended = new Promise<void>((resolve) => stream.on("end", resolve));
    stream.on("data", (answer: ServerReflectionResponse) => answers.push(answer));
    const ask = (messageRequest: ServerReflectionRequest["messageRequest"]) =>
      stream.write(create(ServerReflectionRequestSchema, { messageRequest }));
    ask({ case: "listServices", value: "*" });
    ask({ case: "fileContainingSymbol", value: "cosmos.evidence.v1beta1.Equivocation" });
    ask({ case: "fileByFilename", value: "chain/gov/v1/gov.proto" });
    ask({ case: "allExtensionNumbersOfType", value: "chain.bank.v1beta1.MsgSend" });
    ask({ case: "fileContainingSymbol", value: "no.such.Thing" });
    stream.end();
    await ended;
    const [list, ...others] = answers.map(({ messageResponse }) => messageResponse);
    const names =
      list?.case === "listServicesResponse" ? list.value.service.map(({ name }) => name) : [];
    expect(names).toEqual(
      expect.arrayContaining([
        "chain.upgrade.v1beta1.Query",
        "cosmos.upgrade.v1beta1.Query",
        "lab.v1.Lab",
        "lab.v1.Watch",
        "grpc.reflection.v1.ServerReflection",
        "grpc.reflection.v1alpha.ServerReflection",
      ]),
    );
    expect(others.map(({ case: kind }) => kind)).toEqual([
      "fileDescriptorResponse",
      "fileDescriptorResponse",
      "allExtensionNumbersResponse",
      "errorResponse",
    ]);
  },
);

test("Connect and gRPC-web answer beside REST; pages of other origins query, and never steer", async () => {
  const { served } = await serve();
  const server = await openRest(served, ANY_PORT);
  onTestFinished(() => server.close());
  const origin = `http://${server.address}`;
  const post = (
    path: string,
    type: string,
    body: string | Uint8Array<ArrayBuffer>,
    from?: string,
  ) =>
    fetch(origin + path, {
      method: "POST",
      headers: { "Content-Type": type, ...(from && { Origin: from }) },
      body,
    });
  const connect = await post(
    "/cosmos.staking.v1beta1.Query/Validators",
    "application/json",
    "{}",
    "https://a.example",
  );
  expect(connect.headers.get("access-control-allow-origin")).toBe("*");
  expect(await connect.text()).toContain('/cosmos.crypto.ed25519.PubKey"');
  const web = await post(
    "/chain.bank.v1beta1.Query/TotalSupply",
    "application/grpc-web+proto",
    Uint8Array.of(0, 0, 0, 0, 0),
  );
  expect(web.headers.get("content-type")).toBe("application/grpc-web+proto");
  const [flags, a = 0, b = 0, c = 0, d = 0, ...rest] = new Uint8Array(await web.arrayBuffer());
  const size = ((a * 256 + b) * 256 + c) * 256 + d;
  expect(flags).toBe(0);
  expect(fromBinary(SUPPLY, Uint8Array.from(rest.slice(0, size)))).toMatchObject({
    supply: [{ denom: "stake" }],
  });
  const steer = await post(
    "/lab.v1.Lab/RunStep",
    "application/json",
    '{"step":"{}"}',
    "https://a.example",
  );
  expect(steer.headers.get("access-control-allow-origin")).toBeNull();
  expect(await steer.json()).toEqual({
    code: "permission_denied",
    message: "pages of other origins cannot control this chain",
  });
  const own = await post(
    "/lab.v1.Lab/RunStep",
    "application/json",
    '{"step":"{\\"run\\":1}"}',
    origin,
  );
  expect(await own.json()).toMatchObject({ ok: true });
  const wrong = await post("/lab.v1.Lab/RunStep", "application/json", "{");
  expect(wrong.status).toBe(400);
});

test("reflection is answered for as long as it is used, and a call that never becomes whole is ended", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const { address } = await serve();
  const session = connect(`http://${address}`);
  onTestFinished(() => session.destroy());
  const stream = session.request({
    ":method": "POST",
    ":path": "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo",
    "content-type": "application/grpc",
  });
  const ended = new Promise((resolve) => stream.once("close", resolve));
  stream.on("error", () => {});
  const requested = toBinary(
    ServerReflectionRequestSchema,
    create(ServerReflectionRequestSchema, {
      messageRequest: { case: "listServices", value: "*" },
    }),
  );
  for (let i = 0; i < 4; i++) {
    const answered = new Promise((resolve) => stream.once("data", resolve));
    stream.write(Buffer.concat([Buffer.of(0, 0, 0, 0, requested.length), requested]));
    await answered;
    vi.advanceTimersByTime(20_000);
  }
  expect(stream.closed).toBe(false);
  vi.advanceTimersByTime(20_000);
  await ended;
});
