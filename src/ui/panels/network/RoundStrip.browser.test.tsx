import "../../styles/tokens.css";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { createRoot } from "react-dom/client";
import { expect, test } from "vitest";
import { page as screen } from "vitest/browser";
import type { Client } from "../../../client/client.ts";
import { type NodeSchema, RoundsSchema, type VoteViewSchema } from "../../../gen/lab/v1/lab_pb.ts";
import { createPage, PageProvider } from "../../store/page.ts";
import { frameOf } from "../../testing.ts";
import RoundStrip from "./RoundStrip.tsx";

interface Shown {
  readonly votes: MessageInitShape<typeof VoteViewSchema>[];
  readonly decided?: boolean;
  readonly nodes?: MessageInitShape<typeof NodeSchema>[];
}

/** Renders the round of a halted chain of four validators; returns a function that unmounts it. */
function show({ votes, decided = false, nodes = [] }: Shown): () => void {
  const round = { proposer: "val-2", outcome: decided ? "decided" : "no-proposal" };
  const getRounds = async () =>
    create(RoundsSchema, { height: 6, rounds: [{ ...round, neededPower: 267, votes }] });
  const page = createPage({ lab: { getRounds } } as unknown as Client);
  const chain = { initialHeight: 1, height: 5, decidedHeight: decided ? 6 : 5, round: 3 };
  page.frames.setState({
    frame: frameOf({ chain, chainStatus: { state: "halted" }, nodes, player: { playing: true } }),
  });
  const root = createRoot(document.body.appendChild(document.createElement("div")));
  root.render(
    <PageProvider value={page}>
      <RoundStrip />
    </PageProvider>,
  );
  return () => {
    root.unmount();
    document.body.replaceChildren();
  };
}

test("votes for no block are said as such, not as none", async () => {
  const vote = { power: 100, prevote: "nil", precommit: "nil" };
  const silent = { power: 100, prevote: "none", precommit: "none" };
  const votes = [
    { node: "val-0", ...vote },
    { node: "val-1", ...vote },
    { node: "val-2", ...silent },
    { node: "val-3", ...silent },
  ];
  const remove = show({ votes });
  await expect.element(screen.getByText("nil 50 %").first()).toBeVisible();
  expect(document.querySelectorAll("dd")).toHaveLength(2);
  remove();
});

test("the nodes that have applied a block come first, so that their share does not look as if it passed the mark", async () => {
  const names = ["val-0", "val-1", "val-2", "val-3"];
  const remove = show({
    votes: names.map((node) => ({ node, power: 100, prevote: "block", precommit: "block" })),
    decided: true,
    nodes: names.map((name, i) => ({ name, validator: name, height: i < 2 ? 5 : 6 })),
  });
  await expect.element(screen.getByText("50 %")).toBeVisible();
  const bar = [...document.querySelectorAll("[data-bar]")].at(-1);
  const looks = [...(bar?.children ?? [])].slice(0, 4).map(({ className }) => className);
  expect(new Set(looks.slice(0, 2)).size).toBe(1);
  expect(looks[0]).toMatch(/yes/);
  expect(looks.slice(2).join()).not.toMatch(/yes/);
  remove();
});
