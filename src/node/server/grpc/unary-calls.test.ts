import {
  type ClientHttp2Session,
  connect,
  constants,
  Http2ServerResponse,
  type ServerHttp2Stream,
} from "node:http2";
import { PassThrough } from "node:stream";
import { gzipSync } from "node:zlib";
import { create, toBinary } from "@bufbuild/protobuf";
import { expect, onTestFinished, test, vi } from "vitest";
import { SERVER } from "../../../base/limits.ts";
import { QueryEvidenceRequestSchema } from "../../../gen/chain/evidence/v1beta1/query_pb.ts";
import { RunStepRequestSchema } from "../../../gen/lab/v1/lab_pb.ts";
import { ByteBudget } from "../byte-budget.ts";
import { reached, runChain } from "../chain.testing.ts";
import { readBind } from "../listen.ts";
import { RequestBytes } from "./request-bytes.ts";
import { openGrpc } from "./server.ts";
import { UnaryCalls } from "./unary-calls.ts";

/** Metadata that do not change the answer. Calls with a timeout are left to the library. */
const NONE = {};
const BY_LIBRARY = { "grpc-timeout": "1H" };
const TYPE = "application/grpc";

const SUPPLY = "/cosmos.bank.v1beta1.Query/TotalSupply";
const VALIDATORS = "/cosmos.staking.v1beta1.Query/Validators";
const EVIDENCE = "/chain.evidence.v1beta1.Query/Evidence";
const RUN_STEP = "/lab.v1.Lab/RunStep";

interface Received {
  readonly headers: object;
  readonly body: string;
  readonly trailers: object;
}

interface Asked {
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Parts of the body, written in sequence; none by default. */
  readonly parts?: readonly Buffer[];
}

/** A message with its prefix. */
function framed(message: Uint8Array, flags = 0, length = message.length): Buffer {
  const prefix = Buffer.alloc(5);
  prefix[0] = flags;
  prefix.writeUInt32BE(length, 1);
  return Buffer.concat([prefix, message]);
}

const EMPTY = framed(Buffer.alloc(0));
const evidence = (hash: string): Buffer =>
  Buffer.from(toBinary(QueryEvidenceRequestSchema, create(QueryEvidenceRequestSchema, { hash })));
const step = (text: string): Buffer =>
  framed(toBinary(RunStepRequestSchema, create(RunStepRequestSchema, { step: text })));

async function serve(token?: string): Promise<ClientHttp2Session> {
  const chain = await runChain({ speed: 0 });
  await reached(chain, 5);
  chain.session.player.pause();
  const served = {
    chain,
    namespace: "both",
    cors: "*",
    ...(token && { token, wrongTokenMs: 0 }),
  } as const;
  const server = await openGrpc(served, readBind("127.0.0.1:0"));
  await server.load();
  const session = connect(`http://${server.address}`);
  onTestFinished(async () => {
    session.destroy();
    await server.close();
  });
  return session;
}

/** Everything that a client receives for a call. */
function received(
  session: ClientHttp2Session,
  metadata: object,
  requested: Asked,
): Promise<Received> {
  const { path, headers = {}, parts = [] } = requested;
  const sent = { ":method": "POST", ":path": path, "content-type": TYPE, te: "trailers" };
  const stream = session.request(
    { ...sent, ...metadata, ...headers },
    { endStream: parts.length === 0 },
  );
  return new Promise((resolve, reject) => {
    let head: object = {};
    let trailers: object = {};
    const body: Buffer[] = [];
    stream.on("error", reject);
    stream.on("response", ({ date: _, ...all }) => {
      head = all;
    });
    stream.on("data", (chunk: Buffer) => body.push(chunk));
    stream.on("trailers", (all) => {
      trailers = { ...all };
    });
    stream.on("close", () =>
      resolve({
        headers: { ...head },
        body: Buffer.concat(body).toString("base64"),
        trailers,
      }),
    );
    // Each is sent after the previous one has arrived, so that it is read separately.
    const write = (left: readonly Buffer[]): void => {
      const [part, ...others] = left;
      if (part === undefined) return void stream.end();
      stream.write(part, () => session.ping(() => write(others)));
    };
    if (parts.length > 0) write(parts);
  });
}

const GZIP = { "grpc-accept-encoding": "identity,deflate,gzip" };
const AT = (height: string) => ({ "x-cosmos-block-height": height });

const CASES: Readonly<Record<string, Asked>> = {
  "an answer": { path: SUPPLY, parts: [EMPTY] },
  "an answer under the chain's own name": {
    path: SUPPLY.replace("cosmos", "chain"),
    parts: [EMPTY],
  },
  "a long answer": { path: VALIDATORS, parts: [EMPTY] },
  "a long answer that may be compressed": { path: VALIDATORS, headers: GZIP, parts: [EMPTY] },
  "a short answer that may be compressed": { path: SUPPLY, headers: GZIP, parts: [EMPTY] },
  "brotli alone": {
    path: VALIDATORS,
    headers: { "grpc-accept-encoding": "br" },
    parts: [EMPTY],
  },
  "compressions that are not known": {
    path: VALIDATORS,
    headers: { "grpc-accept-encoding": "snappy,zstd" },
    parts: [EMPTY],
  },
  "a request that is not compressed and says so": {
    path: SUPPLY,
    headers: { "grpc-encoding": "identity" },
    parts: [EMPTY],
  },
  "a compressed request": {
    path: EVIDENCE,
    headers: { "grpc-encoding": "gzip" },
    parts: [framed(gzipSync(evidence("AB")), 1)],
  },
  "a request compressed in a way that is not known": {
    path: SUPPLY,
    headers: { "grpc-encoding": "zstd" },
    parts: [EMPTY],
  },
  "a request that is compressed without saying so": {
    path: EVIDENCE,
    parts: [framed(gzipSync(evidence("AB")), 1)],
  },
  "an earlier height": { path: SUPPLY, headers: AT("3"), parts: [EMPTY] },
  "height 0": { path: SUPPLY, headers: AT("0"), parts: [EMPTY] },
  "a height that is none": { path: SUPPLY, headers: AT("x"), parts: [EMPTY] },
  "a height in the future": { path: SUPPLY, headers: AT("999999"), parts: [EMPTY] },
  "a negative height": { path: SUPPLY, headers: AT("-1"), parts: [EMPTY] },
  "no text for a height": { path: SUPPLY, headers: AT(""), parts: [EMPTY] },
  "an error that has data": { path: EVIDENCE, parts: [framed(evidence("CD"))] },
  "an error with letters beyond ASCII": { path: EVIDENCE, parts: [framed(evidence("é%\n☃"))] },
  "an error longer than headers": { path: EVIDENCE, parts: [framed(evidence("a".repeat(9_000)))] },
  "bytes that are no message": { path: EVIDENCE, parts: [framed(Buffer.of(255))] },
  "an unknown method": { path: "/cosmos.bank.v1beta1.Query/Nothing", parts: [EMPTY] },
  "an unknown service": { path: "/cosmos.nothing.Query/Nothing", parts: [EMPTY] },
  "no body": { path: SUPPLY },
  "a body without bytes": { path: SUPPLY, parts: [Buffer.alloc(0)] },
  "a part of a prefix": { path: SUPPLY, parts: [Buffer.of(0, 0)] },
  "a part of a message": { path: EVIDENCE, parts: [framed(evidence("AB")).subarray(0, 7)] },
  "a prefix and its message apart": {
    path: EVIDENCE,
    parts: [framed(evidence("AB")).subarray(0, 5), evidence("AB")],
  },
  "a message byte by byte": {
    path: EVIDENCE,
    parts: [...framed(evidence("AB"))].map((byte) => Buffer.of(byte)),
  },
  "two messages at once": { path: SUPPLY, parts: [Buffer.concat([EMPTY, EMPTY])] },
  "two messages one after the other": { path: SUPPLY, parts: [EMPTY, EMPTY] },
  "a byte after the message": { path: SUPPLY, parts: [EMPTY, Buffer.of(0)] },
  "a message of many frames": {
    path: EVIDENCE,
    parts: [framed(evidence("AB".repeat(40_000)))],
  },
  "a message that says it is too long": {
    path: SUPPLY,
    parts: [framed(Buffer.alloc(3), 0, SERVER.callBytes + 1)],
  },
  "flags that are not known": { path: SUPPLY, parts: [framed(Buffer.alloc(0), 4)] },
  "time enough": { path: SUPPLY, headers: { "grpc-timeout": "9S" }, parts: [EMPTY] },
  "no time that can be read": { path: SUPPLY, headers: { "grpc-timeout": "9" }, parts: [EMPTY] },
  // Without a command, so that a repetition has the same answer.
  "a step": { path: RUN_STEP, parts: [step('{"expect":{"height":5,"chain":"running"}}')] },
  "a step that is none": { path: RUN_STEP, parts: [step("{")] },
  JSON: {
    path: SUPPLY,
    headers: { "content-type": "application/grpc+json" },
    parts: [framed(Buffer.from("{}"))],
  },
  "another type": { path: SUPPLY, headers: { "content-type": "text/plain" }, parts: [EMPTY] },
  "another method of HTTP": { path: SUPPLY, headers: { ":method": "PUT" }, parts: [EMPTY] },
};

test("calls are answered alike, byte for byte, on the stream itself and by the library", async () => {
  const session = await serve();
  for (const [name, requested] of Object.entries(CASES)) {
    const own = await received(session, NONE, requested);
    expect(own, name).toEqual(await received(session, BY_LIBRARY, requested));
    expect(Object.keys(own.headers).length, name).toBeGreaterThan(0);
  }
});

test("a codec of any name but JSON is protobuf, as with the SDK's own client", async () => {
  const session = await serve();
  const requested = { path: SUPPLY, parts: [EMPTY] };
  const expected = await received(session, NONE, requested);
  expect(expected.trailers).toMatchObject({ "grpc-status": "0" });
  for (const type of [
    "application/grpc+cosmos-sdk-grpc-codec",
    "application/grpc+gogoproto",
    "application/grpc; charset=utf-8",
    "application/grpc+proto; charset=utf-8",
  ]) {
    for (const metadata of [NONE, BY_LIBRARY])
      expect(
        await received(session, { ...metadata, "content-type": type }, requested),
        type,
      ).toEqual(expected);
  }
});

test("a client that may not steer is refused alike", async () => {
  const session = await serve("otter");
  const parts = [step('{"run":1}')];
  for (const headers of [{}, { authorization: "Bearer other" }, { origin: "https://a.example" }]) {
    const requested = { path: RUN_STEP, headers, parts };
    const own = await received(session, NONE, requested);
    expect(own).toEqual(await received(session, BY_LIBRARY, requested));
    expect(own.trailers).toMatchObject({ "grpc-status": expect.stringMatching(/^(7|16)$/) });
  }
});

test("usual calls of one message need nothing of the library", async () => {
  const session = await serve();
  const made = vi.spyOn(Http2ServerResponse.prototype, "writeHead");
  onTestFinished(() => made.mockRestore());
  const height = { path: SUPPLY, headers: { ...GZIP, ...AT("3") }, parts: [EMPTY] };
  const missing = { path: EVIDENCE, parts: [framed(evidence("CD"))] };
  for (const type of [TYPE, "application/grpc+proto"]) {
    for (const requested of [height, missing])
      await received(session, { "content-type": type }, requested);
  }
  expect(made).not.toHaveBeenCalled();
  await received(session, BY_LIBRARY, height);
  expect(made).toHaveBeenCalledOnce();
});

test("a call that its client gives up harms no other", async () => {
  const session = await serve();
  for (const parts of [[], [EMPTY.subarray(0, 2)], [EMPTY]]) {
    const stream = session.request({ ":method": "POST", ":path": SUPPLY, "content-type": TYPE });
    stream.on("error", () => {});
    for (const part of parts) stream.write(part);
    const closed = new Promise((resolve) => stream.once("close", resolve));
    stream.close();
    await closed;
  }
  const { trailers } = await received(session, NONE, { path: SUPPLY, parts: [EMPTY] });
  expect(trailers).toMatchObject({ "grpc-status": "0" });
});

test("calls that are reset together with their headers are passed over, whatever they call", async () => {
  const failed = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  onTestFinished(() => failed.mockRestore());
  const session = await serve();
  for (const path of [SUPPLY, RUN_STEP, "/cosmos.nothing.Query/Nothing", "/lab.v1.Watch/Blocks"]) {
    for (const headers of [
      { "content-type": TYPE },
      BY_LIBRARY,
      { "content-type": "text/plain" },
    ]) {
      const stream = session.request({ ":method": "POST", ":path": path, ...headers });
      stream.on("error", () => {});
      stream.close(constants.NGHTTP2_CANCEL);
    }
  }
  const { trailers } = await received(session, NONE, { path: SUPPLY, parts: [EMPTY] });
  expect(trailers).toMatchObject({ "grpc-status": "0" });
  expect(failed).not.toHaveBeenCalled();
});

test("calls that were given up count until the chain has answered them", async () => {
  const message = framed(Buffer.alloc(4_000_000));
  const most = Math.floor(SERVER.requestBytes / message.length);
  const answers: (() => void)[] = [];
  const handOn = vi.fn();
  const calls = new UnaryCalls({
    has: () => true,
    forward: () => new Promise((resolve) => answers.push(() => resolve({}))),
    bytes: new RequestBytes(new ByteBudget()),
    handOn,
  });
  const giveUp = (): Promise<void> =>
    new Promise((resolve) => {
      const stream = new PassThrough();
      stream.once("close", () => setImmediate(resolve));
      stream.end(message);
      const headers = { ":method": "POST", ":path": SUPPLY, "content-type": TYPE };
      calls.answer([stream as unknown as ServerHttp2Stream, headers, 0, []]);
      handOn.mockImplementationOnce(() => stream.destroy());
    });
  for (let i = 0; i < most; i++) await giveUp();
  expect([answers.length, handOn.mock.calls.length]).toEqual([most, 0]);
  await giveUp();
  expect([answers.length, handOn.mock.calls.length]).toEqual([most, 1]);
  for (const answer of answers) answer();
  await giveUp();
  expect(answers.length).toBe(most + 1);
});
