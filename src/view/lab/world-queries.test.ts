import { describe, expect, test } from "vitest";
import { toHex } from "../../base/bytes.ts";
import { Simulation } from "../../engine/simulation/simulation.ts";
import {
  install,
  pass,
  runRounds,
  runTo,
  softwareUpgrade,
  worldSpec,
} from "../../engine/simulation/testing.ts";
import { queryJson } from "../query.ts";
import { QUERY_ROUTES } from "../query-routes.ts";
import { handleRest } from "../rest.ts";
import { lazyObserver } from "./frame/observed.ts";
import { atOnce } from "./reading.ts";
import { isSessionQuery } from "./session-queries.ts";
import { WorldQueries } from "./world-queries.ts";

/**
 * Four nodes that stopped at block 20 for an upgrade; `val-0` has the new binary. Block 1 contained
 * unknown evidence.
 */
function halted() {
  const sim = Simulation.create(worldSpec());
  const { time } = sim;
  sim.apply({ type: "misbehavior", kind: 9, validator: "val-0", height: 1, time });
  const queries = new WorldQueries(sim, lazyObserver(sim));
  pass(sim, softwareUpgrade(sim, "v2", 20));
  runRounds(sim, 30);
  install(sim, "v2", "val-0");
  const get = (path: string, height?: number) =>
    handleRest(
      queries,
      "GET",
      `/lab/v1/${path}`,
      height ? { "x-cosmos-block-height": `${height}` } : {},
    );
  return { sim, queries, get };
}

const INFO = '{"name":"v2","time":"0001-01-01T00:00:00Z","height":20}';
const NEEDED = 'UPGRADE "v2" NEEDED at height: 20: ';

describe("the nodes of a world", () => {
  test("each with its process and reason, binary, applied height, faults and the names of its files", () => {
    const { sim, get } = halted();
    sim.apply({ type: "fault", node: "val-1", kind: "mute", for: 4 });
    const { nodes } = get("nodes").body as { nodes: unknown[] };
    expect(nodes).toHaveLength(4);
    expect(nodes.slice(0, 2)).toMatchObject([
      { name: "val-0", process: "running", binary: "v2", height: 20, reason: "", faults: [] },
      {
        name: "val-1",
        process: "exited",
        binary: "v1",
        height: 19,
        reason: expect.stringContaining(NEEDED),
        faults: [{ kind: "mute", from: 21, to: 24 }],
        files: ["data/priv_validator_state.json", "data/upgrade-info.json"],
      },
    ]);
    expect(get("nodes/val-1").body).toEqual(nodes[1]);
  });

  test("the faults that were injected, planned ones included, and chaos", () => {
    const { sim, get } = halted();
    sim.apply({ type: "fault", node: "val-1", kind: "mute", for: 4 });
    sim.apply({ type: "fault", kind: "partition", groups: [["val-0"]], at: 30 });
    sim.apply({ type: "chaos", level: 2, for: 10 });
    expect(get("faults").body).toEqual({
      faults: [
        { kind: "mute", node: "val-1", sides: [], from: 21, to: 24, planned: false },
        {
          kind: "partition",
          node: "",
          sides: [{ nodes: ["val-0"] }],
          from: 30,
          to: 0,
          planned: true,
        },
      ],
      chaos: { level: 2, to: 30 },
    });
  });

  test("a disk with its files, one file, and the newest lines of a log", () => {
    const { get } = halted();
    const info = { path: "data/upgrade-info.json", content: INFO };
    expect(get("nodes/val-1/files").body).toMatchObject({ files: [{}, info] });
    expect(get("nodes/val-1/files/data/upgrade-info.json").body).toEqual(info);
    const { lines } = get("nodes/val-1/logs?limit=2").body as { lines: { text: string }[] };
    expect(lines).toHaveLength(2);
    const all = get("nodes/val-1/logs").body as { lines: { text: string }[] };
    expect(all.lines.slice(-2)).toEqual(lines);
    expect(all.lines.some(({ text }) => text.includes(NEEDED))).toBe(true);
  });

  test("a file in a picture of the whole world is not named: pictures are drawn many times a second", () => {
    const { sim } = halted();
    const { frames } = lazyObserver(sim)();
    expect(frames.build({}).nodes.flatMap(({ files }) => files)).toEqual([]);
  });
});

describe("what happened", () => {
  test("a block by height and by hash, its commit and its rounds", () => {
    const { get } = halted();
    const block = get("blocks/7").body as { hash: string };
    expect(block).toMatchObject({ height: 7, header: { height: "7" } });
    expect(get(`blocks/by_hash/${block.hash.toLowerCase()}`).body).toEqual(block);
    expect(get("blocks/0").body).toMatchObject({ height: 19 });
    expect(get("blocks/7/commit").body).toMatchObject({
      height: "7",
      block_id: { hash: block.hash },
      signatures: [{ block_id_flag: 2 }, {}, {}, {}],
    });
    expect(get("rounds/7").body).toMatchObject({ height: 7, rounds: [{ outcome: "decided" }] });
    expect(get("rounds/0").body).toMatchObject({ height: 21 });
  });

  test("why the chain stands still, who is missing, and what would help", () => {
    const { get } = halted();
    const { remedies } = get("chain_status").body as { remedies: { step: string }[] };
    expect(get("chain_status").body).toMatchObject({
      state: "halted",
      voting_power: "100",
      total_power: "400",
      needed_power: "267",
      missing: [{ nodes: ["val-1", "val-2", "val-3"], reason: expect.stringContaining(NEEDED) }],
    });
    expect(remedies.map(({ step }) => JSON.parse(step))).toContainEqual({
      nodes: { which: ["val-1", "val-2", "val-3"], binary: "v2" },
    });
  });

  test("in which keys two nodes differ: of stores that the new binary's migration wrote", () => {
    const { get } = halted();
    const { total, differences } = get("divergence/val-1/val-0").body as {
      total: number;
      differences: { store: string; name: string }[];
    };
    expect(total).toBe(differences.length);
    expect(differences).toContainEqual(
      expect.objectContaining({ store: "upgrade", name: "done v2" }),
    );
    expect(get("forks").body).toEqual({ forks: [] });
    expect(get("faults").body).toEqual({ faults: [], chaos: null });
  });

  test("where an upgrade was applied, also as of a past height", () => {
    const { sim, get } = halted();
    install(sim, "v2", "val-1", "val-2");
    runTo(sim, 22);
    expect(get("applied_upgrades/v2").body).toMatchObject({
      height: 20,
      meta: { header: { height: "20" } },
    });
    expect(get("applied_upgrades/v2", 19).body).toEqual({ height: 0, meta: null });
    expect(get("applied_upgrades/v9").body).toEqual({ height: 0, meta: null });
  });
});

describe("refused, each with its code and its reason", () => {
  const { sim, queries, get } = halted();

  test.each([
    ["nodes/val-9", 404, 5, "there is no node val-9"],
    ["nodes/val-9/logs", 404, 5, "there is no node val-9"],
    ["nodes/val-9/files", 404, 5, "there is no node val-9"],
    ["nodes/val-0/files/data/x", 404, 5, "there is no file data/x on the disk of val-0"],
    ["sidecars/val-0", 404, 5, "val-0 has no sidecar"],
    ["divergence/val-0/val-9", 404, 5, "there is no node val-9"],
    ["blocks/20", 404, 5, "there is no block 20: the chain is at height 19"],
    ["blocks/20/commit", 404, 5, "there is no block 20: the chain is at height 19"],
    ["blocks/by_hash/00", 404, 5, "there is no block 00"],
    ["blocks/by_hash/xyz", 400, 3, "encoding/hex: invalid byte: U+0078 'x'"],
    ["rounds/22", 404, 5, "height 22 has not begun: height 21 is being decided"],
    [
      "blocks/seven",
      400,
      3,
      'type mismatch, parameter: height, error: strconv.ParseUint: parsing "seven": invalid syntax',
    ],
    ["nodes/val-0/logs?limit=-1", 400, 3, 'strconv.ParseUint: parsing "-1": invalid syntax'],
    ["frame", 501, 12, "Not Implemented"],
  ])("%s", (path, status, code, message) => {
    expect(get(path)).toEqual({ status, body: { code, message, details: [] } });
  });

  test("a past height, for which node states are not kept; the newest may be named", () => {
    expect(get("nodes", 7)).toMatchObject({
      status: 400,
      body: { code: 3, message: "the lab is known as it is now, at height 19, and at no other" },
    });
    expect(get("nodes", 19).status).toBe(200);
  });

  test("nothing that has a path is left without an answer, by name as by path", () => {
    const action = { kind: "sidecar", sidecar: { mode: "staged" } } as const;
    sim.apply({ type: "node", node: "val-1", action });
    for (const { name, method } of QUERY_ROUTES) {
      if (!name.startsWith("lab.")) continue;
      const fields = Object.fromEntries(
        method.input.fields.flatMap(({ name: field }) => {
          const value = {
            node: "val-1",
            before: "val-0",
            after: "val-1",
            height: 7,
            proposal: 1,
            id: "b1-1",
            validator: "val-1",
            store: "staking",
            // Its parameters.
            key: "51",
          }[field];
          return value === undefined ? [] : [[field, value]];
        }),
      );
      const request = {
        ...fields,
        ...(name.endsWith("File") ? { path: "data/upgrade-info.json" } : {}),
        ...(name.endsWith("StateDiff") ? { before: 5, after: 7 } : {}),
        ...(name.endsWith("Explanation") ? { kind: "validator", id: "val-1" } : {}),
      };
      const answered = () => atOnce(queryJson(queries, name, request, 0));
      if (isSessionQuery(method.localName)) expect(answered).toThrow("where worlds are kept");
      else expect(answered(), name).toBeTypeOf("object");
    }
  });
});

test("the chain as a genesis file, also as it was after an earlier height", () => {
  const { get } = halted();
  const begins = (height?: number) => {
    const { file } = get("genesis", height).body as { file: string };
    return (JSON.parse(file) as { initial_height: string }).initial_height;
  };
  expect([begins(), begins(10)]).toEqual(["20", "11"]);
});

test("a block that was let go and is in no storage is not searched by its hash, and the answer says so", () => {
  const tiny = {
    blocks: { pageBlocks: 4, pageBytes: 500, residentBytes: 1 },
    results: { pageBytes: 500, residentBytes: 1 },
    states: { count: 4, bytes: 1, inKeyframe: 1 },
  };
  const sim = Simulation.create(worldSpec(), {}, tiny);
  sim.advance();
  const hash = toHex(sim.block(1)?.hash ?? new Uint8Array());
  runTo(sim, 60);
  const queries = new WorldQueries(sim, lazyObserver(sim));
  expect(handleRest(queries, "GET", `/lab/v1/blocks/by_hash/${hash}`)).toMatchObject({
    status: 404,
    body: { message: expect.stringContaining("others are not searched") },
  });
  expect(handleRest(queries, "GET", "/lab/v1/blocks/1")).toMatchObject({ status: 200 });
});
