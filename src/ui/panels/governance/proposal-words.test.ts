import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { ProposalCourseSchema, ProposalViewSchema } from "../../../gen/lab/v1/lab_pb.ts";
import {
  besides,
  brief,
  conversionOf,
  depositFate,
  endOf,
  nextOf,
  outcomeOf,
  reasonOf,
  standingText,
} from "./proposal-words.ts";
import type { Course } from "./use-governance.ts";

const TALLY = {
  ...{ bonded: "400", turnout: 0.25, quorum: 0.334 },
  ...{ veto: 0.5, vetoThreshold: 0.334, yes: 0.5, threshold: 0.5 },
};

const course = ({
  proposal = {},
  ...input
}: MessageInitShape<typeof ProposalCourseSchema> = {}): Course => ({
  ...create(ProposalCourseSchema, { minimum: "10000000", lost: "0", ...input }),
  proposal: create(ProposalViewSchema, { deposit: "10000000", ...proposal }),
});

const rejected = (failedBy: string): Course =>
  course({
    ended: 16,
    counts: [{ height: 16, outcome: "rejected", failedBy, tally: TALLY }],
    proposal: { status: "rejected", failedReason: "proposal did not get enough votes to pass" },
  });

test("a share and its limit are told apart by as many decimals as it takes", () => {
  expect(besides(0.25, 0.334)).toEqual(["25 %", "33.4 %"]);
  expect(besides(2 / 3, 0.667)).toEqual(["66.67 %", "66.7 %"]);
  expect(besides(0.5, 0.5)).toEqual(["50 %", "50 %"]);
  expect(besides(0.333_999_999, 0.334)).toEqual(["33.4 %", "33.4 %"]);
});

test.each([
  ["quorum", "Turnout is 25 % of bonded stake, the quorum is 33.4 %."],
  ["veto", "It is vetoed: 50 % of the votes are no with veto, and more than 33.4 % rejects."],
  [
    "threshold",
    "Too few yes votes: 50 % of the votes that do not abstain, more than 50 % is needed.",
  ],
  ["abstained", "All votes abstain, so that none is for it."],
  ["nothing_bonded", "Nothing is bonded, so that no vote has any power."],
])("a proposal that failed by %s says so with its numbers", (failedBy, words) => {
  expect(outcomeOf(rejected(failedBy))).toBe(`Rejected in block 16. ${words}`);
});

test("a count that is not remembered leaves the chain's own words", () => {
  const { counts: _, ...forgotten } = rejected("veto");
  expect(outcomeOf({ ...forgotten, counts: [] })).toBe(
    "Rejected in block 16. proposal did not get enough votes to pass.",
  );
});

test("a proposal that passed and failed, one without its deposit, and one that was withdrawn", () => {
  const failed = course({
    ended: 16,
    counts: [{ outcome: "failed" }],
    proposal: { status: "failed", failedReason: "upgrade cannot be scheduled in the past" },
  });
  expect(outcomeOf(failed)).toBe(
    "Passed in block 16, but its messages failed: upgrade cannot be scheduled in the past.",
  );
  const dropped = course({ ended: 9, proposal: { status: "dropped", deposit: "1000000" } });
  expect(outcomeOf(dropped)).toBe(
    "Its deposit period ended in block 9 with 1,000,000 of 10,000,000: it is deleted.",
  );
  expect(outcomeOf(course({ ended: 9, proposal: { status: "withdrawn" } }))).toBe(
    "Withdrawn by its proposer in block 9.",
  );
});

test("what became of the deposit is said when it is known", () => {
  expect(depositFate(course(), "stake")).toBe("");
  expect(depositFate(rejected("quorum"), "stake")).toBe("The deposit is refunded.");
  expect(depositFate({ ...rejected("veto"), lost: "10000000" }, "stake")).toBe(
    "Its deposit of 10,000,000 stake is burned.",
  );
  const withdrawn = course({ ended: 9, lost: "5000000", proposal: { status: "withdrawn" } });
  expect(depositFate(withdrawn, "stake")).toBe(
    "5,000,000 stake of its deposit are lost, the rest is refunded.",
  );
});

test("an expedited proposal that goes on says what it lacked", () => {
  const count = {
    ...{ $typeName: "lab.v1.ProposalCount" as const, height: 10 },
    ...{ outcome: "converted", failedBy: "threshold" },
    tally: { $typeName: "lab.v1.TallyView" as const, ...TALLY, yes: 2 / 3, threshold: 0.667 },
  };
  expect(conversionOf([count])).toBe(
    "In block 10 it failed as an expedited proposal. Too few yes votes: 66.67 % of the votes that do not " +
      "abstain, more than 66.7 % is needed. It continues as an ordinary one, and votes are cast again.",
  );
  expect(standingText(count)).toMatch(/^It would fail now\. .*continue as an ordinary one\.$/);
  expect(reasonOf({ failedBy: "", tally: count.tally })).toBe("");
});

test("what is open says when it ends, and what ends next of several", () => {
  const open = (id: number, kind: string, to: number) =>
    course({
      periods: [{ kind, from: 4, to, end: "2026-01-01T00:01:15Z", over: false }],
      proposal: { id, status: kind === "deposit" ? "deposit" : "voting" },
    });
  const voting = open(1, "voting", 16);
  expect(endOf(voting.periods, 12, "2026-01-01T00:00:00Z")).toBe(
    "Voting until block 16, 4 blocks ahead, 00:01:15.",
  );
  expect(brief(voting)).toBe("voting until block 16");
  expect(brief(rejected("veto"))).toBe("rejected in block 16: vetoed");
  expect(nextOf([open(3, "deposit", 16), open(2, "expedited", 16), voting])).toBe(
    "Next: voting on 1 and 2 and the deposit period of 3 end in block 16.",
  );
  expect(nextOf([rejected("veto")])).toBe("");
});
