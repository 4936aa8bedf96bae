import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readTrace } from "../view/lab/export/trace.testing.ts";
import { chainlab } from "./command-line.testing.ts";
import { dataOf, layOut, writeClientConfig } from "./home.ts";
import { makeBlocks, newFolder } from "./server/chain.testing.ts";
import { RunningChain } from "./server/chain.ts";
import { openGrpc } from "./server/grpc/server.ts";
import { readBind } from "./server/listen.ts";
import { openRpc } from "./server/rpc.ts";

const STORY = "public/scenarios/upgrade-halts-and-recovers.yaml";
const ANY_PORT = readBind("127.0.0.1:0");

test("a scenario's chain becomes a trace in which every node halts for the upgrade and runs the next binary", async () => {
  const folder = newFolder();
  const file = join(folder, "story.json");
  expect(await chainlab("trace", STORY, "-o", file)).toEqual({ status: 0, stdout: "", stderr: "" });
  expect(readdirSync(folder)).toEqual(["story.json"]);
  const events = readTrace(readFileSync(file, "utf8"));
  const halts = events.filter(({ name, ph }) => name === "halt" && ph === "i");
  expect(halts.map(({ args }) => args?.reason)).toContain('UPGRADE "v2" NEEDED at height: 20: ');
  expect(new Set(halts.map(({ pid }) => pid)).size).toBe(4);
  expect(events.filter(({ name, ph }) => name === "v2" && ph === "B")).toHaveLength(4);
  expect(events.filter(({ name }) => name === "upgrade")).toHaveLength(1);
  // Standard output is the same, and may replace its own file.
  expect((await chainlab("trace", STORY)).stdout).toBe(readFileSync(file, "utf8"));
  expect((await chainlab("trace", STORY, "--from", "3", "-o", file)).status).toBe(0);
});

test("tables are printed and written for a range of heights", async () => {
  const { status, stdout } = await chainlab("csv", "blocks", STORY, "--from", "19", "--to", "21");
  expect(status).toBe(0);
  const rows = stdout.trimEnd().split("\r\n");
  expect(rows.map((row) => row.split(",")[0])).toEqual(["height", "19", "20", "21"]);
  const events = await chainlab("csv", "events", STORY, "--from", "16", "--to", "16");
  expect(events.stdout).toContain("active_proposal,proposal_result,proposal_passed\r\n");
});

test("another file, heights that there are not and two places are refused, and leave nothing behind", async () => {
  const folder = newFolder();
  const other = join(folder, "mine.txt");
  writeFileSync(other, "mine");
  const taken = await chainlab("trace", STORY, "-o", other);
  expect(taken.status).toBe(2);
  expect(taken.stderr).toContain("there is a file already, which is not one of this kind");
  expect(readFileSync(other, "utf8")).toBe("mine");
  const late = await chainlab("csv", "blocks", STORY, "--from", "99", "-o", join(folder, "late"));
  expect([late.status, existsSync(join(folder, "late"))]).toEqual([1, false]);
  expect(late.stderr).toContain("there is no block 99");
  expect(readdirSync(folder)).toEqual(["mine.txt"]);
  expect((await chainlab("trace", STORY, "--home", folder)).status).toBe(2);
  expect((await chainlab("trace", "--world-file", other)).status).toBe(2);
});

test("a home gives the same files while its node runs and when it does not, and so does its world as a file", async () => {
  const home = newFolder();
  layOut(home);
  const chain = await RunningChain.open(dataOf(home), "this-build", { speed: "paused" });
  const how = { chain, namespace: "both", cors: "*" } as const;
  const rpc = await openRpc(how, ANY_PORT);
  const grpc = await openGrpc(how, ANY_PORT);
  writeClientConfig(home, { chainId: "lab-1", rpc: rpc.address, rest: "", grpc: grpc.address });
  let ended: Promise<unknown> | undefined;
  const end = (): Promise<unknown> => {
    ended ??= Promise.all([rpc.close(), grpc.close()]).then(() => chain.close());
    return ended;
  };
  onTestFinished(async () => void (await end()));
  await makeBlocks(chain, 6);
  const lines = [
    ["trace", "--from", "2"],
    ["csv", "events"],
    ["csv", "blocks", "--to", "4"],
  ];
  const files = (...where: readonly string[]) =>
    Promise.all(
      lines.map(async (line) => {
        const { status, stdout, stderr } = await chainlab(...line, ...where);
        expect([status, stderr]).toEqual([0, ""]);
        return stdout;
      }),
    );
  const running = await files("--home", home);
  readTrace(running[0] ?? "");
  expect(await files("--grpc-addr", grpc.address)).toEqual(running);
  await end();
  const stopped: string[] = [];
  for (const line of lines) stopped.push((await chainlab(...line, "--home", home)).stdout);
  expect(stopped).toEqual(running);
  const world = join(newFolder(), "home.chainlab");
  expect((await chainlab("worlds", "export", world, "--data", dataOf(home))).status).toBe(0);
  expect(await files("--world-file", world)).toEqual(running);
});
