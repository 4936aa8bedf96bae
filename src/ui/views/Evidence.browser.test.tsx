import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, test } from "vitest";
import { page as screen } from "vitest/browser";
import type { Client } from "../../client/client.ts";
import { EvidenceLineSchema, EvidencePieceSchema, StorySchema } from "../../gen/lab/v1/lab_pb.ts";
import { createPage, type Page, PageProvider } from "../store/page.ts";
import { frameOf } from "../testing.ts";
import Evidence from "./Evidence.tsx";

let root: Root;
let page: Page;
let lines: ReturnType<typeof line>[];
let pieces: Map<string, MessageInitShape<typeof EvidencePieceSchema>>;

const ALICE = "chain1alice0000000000000000000000000000000000";
const HASH_A = "7F8B604B".padEnd(60, "0").concat("A0A9");
const HASH_B = "00989B13".padEnd(60, "0").concat("4C66");

const line = (input: MessageInitShape<typeof EvidenceLineSchema>) =>
  create(EvidenceLineSchema, {
    ...{ id: "b7-1", block: 7, kind: "duplicate vote", source: "consensus", height: 6 },
    ...{ validators: ["val-2"], outcome: "punished", burned: "5000000", hash: "EF88" },
    ...input,
  });

const PUNISHED: MessageInitShape<typeof EvidencePieceSchema> = {
  line: line({}),
  votes: [
    { type: "precommit", height: 6, round: 0, blockHash: HASH_A, onChain: true },
    { type: "precommit", height: 6, round: 0, blockHash: HASH_B, onChain: false },
  ],
  notice: { height: 6, nodes: ["val-0"], more: 2 },
  checks: [{ what: "age", found: "5s of 1814400000 ns", outcome: "ok", module: "evidence" }],
  slash: {
    ...{ power: 100, stake: "100000000", fraction: "0.05", amount: "5000000", since: 5 },
    parts: [
      { kind: "unbonding", delegator: ALICE, height: 6, entries: 1, stake: "25000000" },
      { kind: "redelegation", delegator: ALICE, to: "val-1", height: 6, entries: 1 },
      { kind: "validator", entries: 1, stake: "60000000", owed: "3000000", burned: "3000000" },
    ].map((part, i) => ({
      ...{ stake: "15000000", owed: "750000", burned: "750000", ...part },
      ...(i === 0 && { owed: "1250000", burned: "1250000" }),
    })),
    burned: "5000000",
  },
};

beforeEach(() => {
  location.hash = "";
  lines = [line({})];
  pieces = new Map([["b7-1", PUNISHED]]);
  const getEvidence = async () => ({ lines });
  const getEvidencePiece = async ({ id }: { id: string }) =>
    create(EvidencePieceSchema, pieces.get(id) ?? {});
  page = createPage({ lab: { getEvidence, getEvidencePiece } } as unknown as Client);
  page.frames.setState({ frame: frameOf({ accounts: [{ name: "alice", address: ALICE }] }) });
  root = createRoot(document.body.appendChild(document.createElement("div")));
});

afterEach(() => {
  root.unmount();
  document.body.replaceChildren();
});

const show = () =>
  root.render(
    <PageProvider value={page}>
      <Evidence />
    </PageProvider>,
  );

const region = () =>
  screen.getByRole("region", { name: "Evidence, and what the chain did with it" });

test("a piece that is alone is open: both votes with their hashes, who had both, and the block", async () => {
  show();
  await expect
    .element(region())
    .toHaveTextContent("slashed and tombstonedval-2 double-signed at block 6");
  for (const text of [
    "Aprecommit of val-27F8B604B…A0A9this is block 6",
    "Bprecommit of val-200989B13…4C66no such block on this chain",
    "same key · height 6 · round 0",
    "val-0 and 2 others had both votes when block 6 was committed",
    "carried by block 7",
  ]) {
    await expect.element(region()).toHaveTextContent(text);
  }
});

test("the parts of a slash stand under the stake, and their sum below", async () => {
  show();
  await expect.element(screen.getByRole("table")).toBeVisible();
  const rows = Array.from(document.querySelectorAll("table tbody tr, table tfoot tr"), (row) =>
    [...row.querySelectorAll("th, td:not([aria-hidden])")].map((cell) => cell.textContent),
  );
  expect(rows.map(([who, much]) => [who, much])).toEqual([
    ["Stood behind val-2 at 6", "100,000,000"],
    [expect.stringContaining("part, leaving since 6"), "1,250,000"],
    [expect.stringContaining("at val-1 since 6"), "750,000"],
    ["val-2 itself", "3,000,000"],
    ["Burned in block 7", "5,000,000"],
  ]);
  expect(rows.at(-1)?.[2]).toContain("The slash event says 3,000,000");
  await expect.element(screen.getByText(/^Red bars are magnified 20×/)).toBeVisible();
});

test("a piece is folded and opened by hand, with its checks and what they found", async () => {
  show();
  await expect.element(region()).toHaveTextContent("5s of 1,814,400,000 ns");
  await screen.getByText("val-2 double-signed at block 6").click();
  await expect.element(region()).not.toHaveTextContent("5s of");
  await screen.getByText("val-2 double-signed at block 6").click();
  await expect.element(region()).toHaveTextContent("5s of");
});

test("of many pieces one finds those of a validator, and those of an outcome", async () => {
  lines = Array.from({ length: 100 }, (_, i) =>
    line({
      ...{ id: `b${i}-1`, validators: [`val-${i}`], burned: "0" },
      ...{ outcome: i % 2 === 0 ? "ignored" : "punished" },
    }),
  );
  show();
  await expect.poll(() => document.querySelectorAll("details").length).toBe(100);
  await screen.getByLabelText("Outcome").selectOptions("ignored");
  await expect.poll(() => document.querySelectorAll("details").length).toBe(50);
  await screen.getByLabelText("Find evidence").fill("val-42 ");
  await expect.poll(() => document.querySelectorAll("details").length).toBe(1);
  await screen.getByLabelText("Find evidence").fill("val-43");
  await expect.element(region()).toHaveTextContent("None of 100 pieces is like that.");
});

test("what was handed to the app without votes says so", async () => {
  lines = [line({ source: "app" })];
  pieces.set("b7-1", { line: line({ source: "app" }), power: "100" });
  show();
  await expect
    .element(region())
    .toHaveTextContent("the evidence says that val-2 misbehaved at height 6 with power 100");
});

test("while a story is told the newest piece is open, and folded when another comes or is selected", async () => {
  const story = create(StorySchema, { state: "running", beats: [{}] });
  const tell = (evidenceDecided: number) =>
    page.frames.setState({ frame: frameOf({ story, evidenceDecided }) });
  const open = () =>
    [...document.querySelectorAll("details[open] summary")].map(
      ({ textContent }) => textContent?.match(/val-\d/)?.[0],
    );
  const [second, third] = [2, 3].map((i) =>
    line({ id: `b8-${i}`, hash: `EF8${i}`, validators: [`val-${i + 1}`] }),
  );
  tell(1);
  show();
  await expect.poll(open).toEqual(["val-2"]);
  lines = [second, ...lines].flatMap((one) => one ?? []);
  tell(2);
  await expect.poll(open).toEqual(["val-3"]);
  lines = [third, ...lines].flatMap((one) => one ?? []);
  tell(3);
  await expect.poll(open).toEqual(["val-4"]);
  location.hash = "#/evidence/evidence/EF88";
  await expect.poll(open).toEqual(["val-2"]);
});

test("while a story is told what was punished is open before what the same block made nothing of", async () => {
  const story = create(StorySchema, { state: "running", beats: [{}] });
  lines = [
    line({ id: "b7-2", validators: ["val-3"], outcome: "ignored", hash: "" }),
    line({}),
    line({ id: "b6-1", block: 6, outcome: "ignored", hash: "" }),
  ];
  const tell = (height: number) =>
    page.frames.setState({ frame: frameOf({ story, chain: { height } }) });
  const open = () =>
    [...document.querySelectorAll("details[open] summary")].map(({ textContent }) => textContent);
  tell(7);
  show();
  await expect.poll(open).toEqual([expect.stringMatching(/tombstoned.*val-2/)]);
  tell(6);
  await expect.poll(open).toEqual([expect.stringMatching(/ignored.*block 6/)]);
});

test("while a story is told what the newest block carries is open before what waits for the next", async () => {
  const story = create(StorySchema, { state: "running", beats: [{}] });
  lines = [line({ id: "next-1", block: 0, outcome: "waiting", hash: "" }), line({})];
  const tell = (height: number) =>
    page.frames.setState({ frame: frameOf({ story, chain: { height } }) });
  const open = () =>
    [...document.querySelectorAll("details[open] summary")].map(
      ({ textContent }) => textContent?.match(/block 7|next block/)?.[0],
    );
  tell(7);
  show();
  await expect.poll(open).toEqual(["block 7"]);
  tell(8);
  await expect.poll(open).toEqual(["next block"]);
});

test("where no block has decided yet, what is stored came with the genesis", async () => {
  lines = [];
  page.frames.setState({ frame: frameOf({ evidence: [{ hash: "EF88", validator: "val-2" }] }) });
  show();
  await expect.element(region()).toHaveTextContent("What is stored came with its genesis.");
});
