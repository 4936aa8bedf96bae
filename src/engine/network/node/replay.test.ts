import { beforeEach, describe, expect, test, vi } from "vitest";
import type { App, BlockOutcome } from "../../app/app.ts";
import { V1 } from "../../app/binary.ts";
import type { HaltCause } from "../../framework/halt.ts";
import { StoreVersionError } from "../../store/store-upgrades.ts";
import type { Ledger } from "../chain/ledger.ts";
import { SharedRecords } from "../shared-records.ts";
import { appliedAt, decide, ledgerOf, nodesOf, setOf } from "../testing.ts";
import type { ExecutionContext } from "./apply-block.ts";
import type { Node } from "./node.ts";
import { openStores, replayNext } from "./replay.ts";

const LINE = { level: "info", module: "app", text: "done" } as const;
const state = { storeNames: ["bank"], appHash: new Uint8Array(32).fill(5) };
const notes = { logs: [LINE], files: [{ path: "x", content: "1" }], steps: [] };
const APPLIED = {
  kind: "applied",
  state,
  txResults: [],
  events: [],
  validatorUpdates: [],
  ...notes,
} as unknown as BlockOutcome;
const STEPS = [{ kind: "transaction" }] as never;
const CAUSE: HaltCause = { kind: "application_error", error: "no" };

const finalizeBlock = vi.fn<App["finalizeBlock"]>();
const loadStores = vi.fn<App["loadStores"]>();
let node: Node;
let ledger: Ledger;
let records: SharedRecords;
let context: ExecutionContext;

beforeEach(() => {
  [node] = nodesOf(1) as [Node];
  ledger = ledgerOf(setOf([node]));
  records = new SharedRecords([node]);
  const app = (name: string): App => {
    const kind = name === "random" ? "nondeterministic" : "none";
    return { binary: { ...V1, name, migration: { kind } }, finalizeBlock, loadStores } as never;
  };
  context = { ledger, records, appOf: app };
  finalizeBlock.mockReset().mockReturnValue(APPLIED);
  loadStores.mockReset().mockImplementation((onDisk) => onDisk);
});

/** Commits blocks up to a height, each applied with a binary. */
function commitTo(height: number, binary: (height: number) => string = () => "v1"): void {
  while (ledger.decided < height) {
    decide(ledger);
    ledger.commit({ ...appliedAt(ledger.decided), binary: binary(ledger.decided) });
  }
}

/** A node that has applied blocks up to a height since its process started. */
function at(height: number): void {
  node.setApplied(appliedAt(height));
  node.finishStart();
}

describe("a node's stores", () => {
  test("that fit leave it as it is", () => {
    const { applied } = node;
    expect(openStores(context, node, "plan")).toBe(true);
    expect(node.applied).toBe(applied);
    expect(loadStores).toHaveBeenCalledWith(applied.state, 0, undefined, 1);
  });

  test("that are upgraded give it their state at the same height", () => {
    node.setApplied(appliedAt(4));
    const upgraded = { storeNames: ["bank", "oracle"] };
    loadStores.mockReturnValue(upgraded as never);
    expect(openStores(context, node, "plan")).toBe(true);
    expect(node.applied).toEqual({ ...appliedAt(4), state: upgraded });
  });

  test("that do not fit end its process", () => {
    node.setApplied(appliedAt(4));
    loadStores.mockImplementation(() => {
      throw new StoreVersionError("mismatch");
    });
    expect(openStores(context, node, "plan")).toBe(false);
    expect(node.process).toBe("exited");
    const cause = { kind: "store_version_mismatch", error: "mismatch" };
    expect(records.halts.since(0)).toMatchObject([{ height: 5, nodes: [node], cause }]);
  });

  test("let a bug of the simulator surface", () => {
    loadStores.mockImplementation(() => {
      throw new RangeError("bug");
    });
    expect(() => openStores(context, node, "plan")).toThrow(RangeError);
    expect(node.process).toBe("running");
  });
});

describe("a node takes the state that most power holds instead of executing", () => {
  test("if nothing can make a difference", () => {
    commitTo(3);
    at(1);
    replayNext(context, node);
    expect(node.applied).toBe(ledger.head);
    expect(finalizeBlock).not.toHaveBeenCalled();
  });

  test("if its binary applied all blocks that it has missed", () => {
    commitTo(3, (height) => (height < 3 ? "v0" : "v1"));
    at(2);
    replayNext(context, node);
    expect(finalizeBlock).not.toHaveBeenCalled();
    at(1);
    replayNext(context, node);
    expect(finalizeBlock).toHaveBeenCalledOnce();
    expect(node.applied.height).toBe(2);
  });

  test.each<[string, () => void]>([
    ["has executed nothing since its start", () => node.startProcess()],
    ["cannot write to its disk", () => node.setDiskWritable(false)],
    ["has a skip flag", () => node.setSkipFlag([], new Set([9]))],
    ["has a halt height", () => node.setHaltHeight(9)],
    ["runs another binary", () => node.install("other")],
    [
      "has other stores",
      () =>
        node.setApplied({ ...appliedAt(1), state: { storeNames: ["bank", "oracle"] } as never }),
    ],
  ])("but not if it %s", (_, change) => {
    commitTo(3);
    at(1);
    change();
    replayNext(context, node);
    expect(finalizeBlock).toHaveBeenCalledOnce();
    expect(node.applied.height).toBe(2);
  });

  test("but not if its binary's results depend on the node", () => {
    commitTo(3, () => "random");
    at(1);
    node.install("random");
    replayNext(context, node);
    expect(finalizeBlock).toHaveBeenCalledOnce();
  });

  test("but not from genesis", () => {
    commitTo(3);
    at(0);
    replayNext(context, node);
    expect(finalizeBlock).toHaveBeenCalledOnce();
  });

  test("but not at a decided block that is not committed", () => {
    commitTo(2);
    decide(ledger);
    at(2);
    replayNext(context, node);
    expect(finalizeBlock).toHaveBeenCalledOnce();
    expect(node.applied.height).toBe(3);
  });
});

describe("a replayed block", () => {
  beforeEach(() => commitTo(3));

  test("is executed on the node's state with its settings, and gives state, logs and files", () => {
    node.setHaltHeight(9);
    const own = node.applied.state;
    replayNext(context, node);
    const [before, request, settings, record] = finalizeBlock.mock.calls[0] ?? [];
    expect(before).toBe(own);
    expect(request).toMatchObject({ chainId: "lab-1", height: 1 });
    expect(settings).toMatchObject({ name: "val-0", haltHeight: 9, firstBlock: true });
    expect(record?.timeAt(1)).toBe(1n);
    expect(record?.timeAt(2)).toBeUndefined();
    expect(node.applied).toMatchObject({ height: 1, binary: "v1", defaultFlags: false });
    expect(node.applied.appHash).toEqual(state.appHash);
    expect(node.fresh).toBe(false);
    expect(records.log.since(0)).toEqual([{ ...LINE, seq: 1, height: 1, nodes: [node] }]);
    expect(node.files.get("x")).toBe("1");
  });

  test("is not executed on a state whose hash the header does not carry", () => {
    node.setApplied(appliedAt(1, 9));
    replayNext(context, node);
    expect(finalizeBlock).not.toHaveBeenCalled();
    const cause = { kind: "wrong_app_hash", expected: "09".repeat(32), got: "01".repeat(32) };
    expect(records.halts.since(0)).toMatchObject([{ height: 2, nodes: [node], cause }]);
    expect(node).toMatchObject({ process: "halted", applied: { height: 1 } });
  });

  test("that fails first after a start ends the process: the handshake has failed", () => {
    finalizeBlock.mockReturnValue({ kind: "halted", cause: CAUSE, ...notes, steps: STEPS });
    replayNext(context, node);
    const cause = { ...CAUSE, onReplay: true };
    expect(records.halts.since(0)).toMatchObject([
      { height: 1, nodes: [node], cause, steps: STEPS },
    ]);
    expect(node).toMatchObject({ process: "exited", fresh: true, applied: { height: 0 } });
    expect(node.files.get("x")).toBe("1");
  });

  test("that fails later ends consensus only", () => {
    node.finishStart();
    finalizeBlock.mockReturnValue({ kind: "halted", cause: CAUSE, ...notes, steps: STEPS });
    replayNext(context, node);
    expect(records.halts.since(0)).toMatchObject([{ height: 1, nodes: [node], steps: STEPS }]);
    expect(records.halts.since(0)[0]?.cause).toEqual(CAUSE);
    expect(node).toMatchObject({ process: "halted", haltCause: CAUSE, applied: { height: 0 } });
  });
});
