import { describe, expect, test } from "vitest";
import { toHex } from "../../../base/bytes.ts";
import { fromHex } from "../../../base/from-hex.ts";
import { Bitset } from "../../consensus/bitset.ts";
import type { ValidatorList } from "../../consensus/validator-list.ts";
import type { Node } from "../node/node.ts";
import { type AbsenceCause, absenceCause, absencesFrom, absenceText } from "./absence.ts";
import type { VotingGroup } from "./voting-groups.ts";

const HEIGHT = 9;
const applied = (appHash: string, height = HEIGHT, resultsHash = "11") => ({
  height,
  appHash: fromHex(appHash),
  resultsHash: fromHex(resultsHash),
});

/** A node that runs, has the newest block and agrees, unless overridden. */
const node = (fields: object = {}): Node =>
  ({
    process: "running",
    partition: 0,
    consensusAddress: fromHex("01"),
    applied: applied("aa"),
    ...fields,
  }) as unknown as Node;

const signers = new Bitset(3);
signers.set(0, true);
const group = {
  groups: [{ partition: 0, applied: applied("aa") }],
  signers,
} as unknown as VotingGroup;
const chain = (nodes: readonly Node[], forked: readonly Node[] = []) =>
  ({
    nodes,
    ledger: { decided: HEIGHT },
    otherForks: { nodes: forked, common: 5 },
  }) as unknown as Parameters<typeof absenceCause>[2];

describe("why a node is not in the voting group", () => {
  const halt = { kind: "halt_height", height: 8, time: 0 } as const;

  test.each<[string, object, AbsenceCause | undefined]>([
    ["stopped", { process: "stopped" }, { kind: "stopped" }],
    ["halted", { process: "halted", haltCause: halt }, halt],
    ["exited", { process: "exited", haltCause: halt }, halt],
    ["behind", { applied: applied("aa", 8) }, { kind: "behind" }],
    ["in another partition", { partition: 1 }, { kind: "partitioned" }],
    [
      "with another app hash",
      { applied: applied("bb") },
      { kind: "diverged", mismatch: { kind: "wrong_app_hash", expected: "BB", got: "AA" } },
    ],
    [
      "with other results",
      { applied: applied("aa", HEIGHT, "22") },
      {
        kind: "diverged",
        mismatch: { kind: "wrong_last_results_hash", expected: "22", got: "11" },
      },
    ],
    ["that agrees", {}, undefined],
  ])("%s", (_, fields, cause) => {
    expect(absenceCause(node(fields), group, chain([]))).toEqual(cause);
  });

  test("it is on another fork, whatever it holds", () => {
    const forked = node({ applied: applied("bb", 8) });
    const other = { kind: "other_fork", since: 5 };
    expect(absenceCause(forked, group, chain([], [forked]))).toEqual(other);
  });

  test("no group at all: nothing reaches it", () => {
    expect(absenceCause(node(), undefined, chain([]))).toEqual({ kind: "partitioned" });
  });
});

describe("the validators without a node in the voting group", () => {
  const validators = {
    size: 3,
    indexOf: (address: Uint8Array) => ["01", "02", "03"].indexOf(toHex(address)),
  } as unknown as ValidatorList;
  const of = (address: string, fields: object = {}): Node =>
    node({ consensusAddress: fromHex(address), ...fields });

  test("are named once each, with the cause of their first node", () => {
    const nodes = [
      of("01"),
      of("02", { process: "stopped" }),
      of("02", { partition: 1 }),
      of("04", { process: "stopped" }),
    ];
    const forked = [of("03", { partition: 2 })];
    expect(absencesFrom(group, validators, chain(nodes, forked))).toEqual([
      { index: 1, cause: { kind: "stopped" }, refuses: false },
      { index: 2, cause: { kind: "other_fork", since: 5 }, refuses: false },
    ]);
  });

  test("refuse the proposal if it reaches them in time", () => {
    const refuses = (fields: object): boolean | undefined =>
      absencesFrom(group, validators, chain([of("02", fields)]))[0]?.refuses;
    expect(refuses({ applied: applied("bb") })).toBe(true);
    expect(refuses({ applied: applied("bb", 8) })).toBe(false);
    expect(refuses({ applied: applied("bb"), partition: 1 })).toBe(false);
    expect(refuses({ applied: applied("bb"), process: "halted" })).toBe(false);
  });

  test("are all of them where there is no group", () => {
    expect(absencesFrom(undefined, validators, chain([of("01")]))).toHaveLength(1);
    expect(signers.get(1)).toBe(false);
  });
});

test.each<[AbsenceCause, string]>([
  [{ kind: "stopped" }, "stopped by its operator"],
  [{ kind: "other_fork", since: 5 }, "partitioned since height 5: it is on another fork"],
  [{ kind: "behind" }, "partitioned: the newest block does not reach it"],
  [{ kind: "partitioned" }, "partitioned: it does not reach the others"],
  [
    { kind: "diverged", mismatch: { kind: "wrong_app_hash", expected: "A", got: "B" } },
    "wrong Block.Header.AppHash.  Expected A, got B (holds another app hash than the others)",
  ],
  [
    { kind: "diverged", mismatch: { kind: "wrong_last_results_hash", expected: "A", got: "B" } },
    "wrong Block.Header.LastResultsHash.  Expected A, got B",
  ],
  [{ kind: "fault", fault: "slow" }, "slow: its proposals and votes come too late"],
  [{ kind: "halt_height", height: 8, time: 0 }, "halt per configuration height 8 time 0"],
])("the sentence for %j", (cause, text) => {
  expect(absenceText(cause)).toBe(text);
});
