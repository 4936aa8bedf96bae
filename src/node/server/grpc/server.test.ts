import type { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { STATUS } from "../../../engine/framework/errors.ts";
import { runChain } from "../chain.testing.ts";
import { readBind } from "../listen.ts";
import type { ToChain, ToFront } from "./front.ts";
import { openGrpc } from "./server.ts";
import type { UnaryAnswer } from "./unary-calls.ts";

test("a question that was given up before the services are loaded is not answered any further", async () => {
  const chain = await runChain({ speed: "paused" });
  let tell = (_: ToChain): void => {};
  let answered = (_: UnaryAnswer): void => {};
  const answer = new Promise<UnaryAnswer>((resolve) => {
    answered = resolve;
  });
  const front = {
    on: (_: "message", listener: (said: ToChain) => void) => {
      tell = listener;
    },
    postMessage(said: ToFront) {
      if ("listen" in said) tell({ listening: { address: "127.0.0.1:1", port: 1 } });
      else if ("answer" in said) answered(said.answer);
    },
  };
  const served = { chain, namespace: "both", cors: "*" } as const;
  await openGrpc(served, readBind("127.0.0.1:0"), front as unknown as Worker);
  const path = "/lab.v1.Lab/CompareWorlds";
  tell({
    call: 1,
    asked: { path, message: new Uint8Array(), headers: { "x-cosmos-block-height": undefined } },
  });
  tell({ gone: 1 });
  expect((await answer).trailers).toMatchObject({ "grpc-status": String(STATUS.cancelled) });
});
