import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, test } from "vitest";
import { page as screen } from "vitest/browser";
import type { Client } from "../../client/client.ts";
import {
  BallotsSchema,
  ProposalCourseSchema,
  ProposalPeriodSchema,
  ProposalViewSchema,
} from "../../gen/lab/v1/lab_pb.ts";
import { createPage, type Page, PageProvider } from "../store/page.ts";
import { frameOf } from "../testing.ts";
import Governance from "./Governance.tsx";

let root: Root;
let page: Page;
let proposals: ReturnType<typeof course>[];
let requested: { proposal: number; height: number }[];
let times: number;

const ALICE = "chain1acece000000000000000000000000000000000";

const course = (
  id: number,
  { proposal = {}, ...input }: MessageInitShape<typeof ProposalCourseSchema> = {},
) =>
  create(ProposalCourseSchema, {
    ...{ proposer: ALICE, minimum: "10000000", lost: "0", ended: id * 10 + 12 },
    periods: [
      create(ProposalPeriodSchema, { kind: "voting", from: id * 10, to: id * 10 + 12, over: true }),
    ],
    ...input,
    proposal: create(ProposalViewSchema, {
      ...{ id, title: `Text ${id}`, status: "passed", deposit: "10000000" },
      ...proposal,
    }),
  });

const CONVERTED = course(2, {
  expedited: true,
  ended: 32,
  periods: [
    { kind: "expedited", from: 20, to: 26, over: true },
    { kind: "voting", from: 26, to: 32, over: true },
  ],
  counts: [
    {
      ...{ height: 26, outcome: "converted", failedBy: "threshold" },
      tally: { yes: 2 / 3, threshold: 0.667 },
    },
    {
      height: 32,
      outcome: "rejected",
      failedBy: "quorum",
      tally: { turnout: 0.25, quorum: 0.334 },
    },
  ],
  proposal: { title: "In a hurry", status: "rejected" },
});

beforeEach(() => {
  location.hash = "";
  proposals = [];
  requested = [];
  times = 0;
  const getGovernance = async () => {
    times += 1;
    return { proposals };
  };
  const getBallots = async (request: { proposal: number; height: number }) => {
    requested.push(request);
    return create(BallotsSchema, {
      deposits: [{ depositor: ALICE, amount: "10000000", returned: "10000000", lost: "0" }],
      votes: [
        {
          ...{ voter: ALICE, own: "70", inherited: "30" },
          ...{ yes: 0.7, veto: 0.3 },
        },
      ],
    });
  };
  page = createPage({ lab: { getGovernance, getBallots } } as unknown as Client);
  page.frames.setState({ frame: frameAt(30) });
  root = createRoot(document.body.appendChild(document.createElement("div")));
});

afterEach(() => {
  root.unmount();
  document.body.replaceChildren();
});

const frameAt = (height: number) =>
  frameOf({
    chain: { height, denom: "stake", votingSeconds: 60 },
    accounts: [{ name: "alice", address: ALICE }],
  });

const show = () =>
  root.render(
    <PageProvider value={page}>
      <Governance />
    </PageProvider>,
  );

const axis = () => screen.getByRole("region", { name: "Proposals in the course of time" });

test("without a proposal there is neither an axis nor a list", async () => {
  show();
  await expect.element(screen.getByText("Nothing has been proposed")).toBeVisible();
  expect(axis().query()).toBeNull();
});

test("proposals lie on one axis, with how each ended; an expedited one that failed has two periods", async () => {
  proposals = [CONVERTED, course(1)];
  show();
  await expect
    .element(axis())
    .toHaveTextContent("2. In a hurryrejected in block 32: below the quorum");
  await expect.element(axis()).toHaveTextContent("1. Text 1passed in block 22");
  const [expedited, voting] = axis().element().querySelectorAll<HTMLElement>("[data-kind]");
  expect(expedited?.dataset.kind).toBe("expedited");
  // From block 10 to 32: the second half of the axis.
  expect(Number.parseFloat(expedited?.style.left ?? "")).toBeCloseTo((10 / 22) * 100);
  expect(Number.parseFloat(voting?.style.left ?? "")).toBeCloseTo((16 / 22) * 100);
  const card = screen.getByRole("article", { name: "Proposal 2" });
  await expect
    .element(card)
    .toHaveTextContent("more than 66.7 % is needed. It continues as an ordinary one");
  await expect.element(card).toHaveTextContent("Rejected in block 32. Turnout is 25 %");
  await expect.element(card).toHaveTextContent("Proposed by alice in block 20");
});

test("the same stands in a table", async () => {
  proposals = [CONVERTED, course(1)];
  show();
  await axis().getByRole("button", { name: "As a table" }).click();
  await expect
    .element(axis().getByRole("row", { name: /^2. In a hurry alice 20 – 26 26 – 32 Rejected/ }))
    .toBeVisible();
});

test("votes are asked for when they are opened, those of an earlier count by its height", async () => {
  proposals = [CONVERTED];
  show();
  const card = screen.getByRole("article", { name: "Proposal 2" });
  await card.getByText("Deposits and votes").click();
  await expect
    .element(card.getByRole("row", { name: "alice yes 70 %, no with veto 30 % 70 30" }))
    .toBeVisible();
  await expect.element(card.getByRole("row", { name: "alice 10,000,000 refunded" })).toBeVisible();
  await card.getByText("Votes on it as an expedited proposal").click();
  await expect.element(card.getByText("Counted in block 26")).toBeVisible();
  expect(requested).toEqual([
    { proposal: 2, height: 0 },
    { proposal: 2, height: 26 },
  ]);
});

test("500 proposals are shown 20 at a time, and one that is chosen is on the page shown", async () => {
  proposals = Array.from({ length: 500 }, (_, i) => course(500 - i));
  proposals[495] = course(5, { proposal: { title: "A garden for alice" } });
  show();
  await expect.element(screen.getByText("1 to 20 of 500, newest first")).toBeVisible();
  expect(screen.getByRole("article").all()).toHaveLength(20);
  await screen.getByRole("button", { name: "Older" }).click();
  await expect.element(screen.getByText("21 to 40 of 500")).toBeVisible();
  location.hash = "#/governance/proposal/13";
  await expect.element(screen.getByText("481 to 500 of 500")).toBeVisible();
  await expect
    .element(axis().getByRole("link", { name: "13. Text 13" }))
    .toHaveAttribute("aria-current");
  await screen.getByLabelText("Search proposals").fill("garden");
  await expect
    .element(screen.getByRole("article", { name: "Proposal 5", exact: true }))
    .toBeVisible();
  expect(screen.getByRole("article").all()).toHaveLength(1);
});

test("it is asked again with every block while a proposal is open, and not when none is", async () => {
  proposals = [course(1)];
  show();
  await expect.element(axis()).toBeVisible();
  page.frames.setState({ frame: frameAt(31) });
  const open = { id: 1, status: "voting" };
  expect(times).toBe(1);
  page.frames.setState({
    frame: { ...frameAt(32), ...frameOf({ chain: { height: 32 }, proposals: [open] }) },
  });
  await expect.poll(() => times).toBe(2);
  page.frames.setState({ frame: frameOf({ chain: { height: 33 }, proposals: [open] }) });
  await expect.poll(() => times).toBe(3);
});
