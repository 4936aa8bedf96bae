import "../../styles/tokens.css";
import { create } from "@bufbuild/protobuf";
import { createRoot } from "react-dom/client";
import { expect, test } from "vitest";
import { page as screen } from "vitest/browser";
import type { Client } from "../../../client/client.ts";
import { RoundsSchema } from "../../../gen/lab/v1/lab_pb.ts";
import { createPage, PageProvider } from "../../store/page.ts";
import { frameOf } from "../../testing.ts";
import RoundStrip from "./RoundStrip.tsx";

test("votes for no block are said as such, not as none", async () => {
  const vote = { power: 100, prevote: "nil", precommit: "nil" };
  const silent = { power: 100, prevote: "none", precommit: "none" };
  const votes = [
    { node: "val-0", ...vote },
    { node: "val-1", ...vote },
    { node: "val-2", ...silent },
    { node: "val-3", ...silent },
  ];
  const getRounds = async () =>
    create(RoundsSchema, {
      height: 6,
      rounds: [{ proposer: "val-2", outcome: "no-proposal", neededPower: 267, votes }],
    });
  const page = createPage({ lab: { getRounds } } as unknown as Client);
  const chain = { initialHeight: 1, height: 5, decidedHeight: 5, round: 3 };
  page.frames.setState({
    frame: frameOf({ chain, chainStatus: { state: "halted" }, player: { playing: true } }),
  });
  const root = createRoot(document.body.appendChild(document.createElement("div")));
  root.render(
    <PageProvider value={page}>
      <RoundStrip />
    </PageProvider>,
  );
  await expect.element(screen.getByText("nil 50 %").first()).toBeVisible();
  expect(document.querySelectorAll("dd")).toHaveLength(2);
  root.unmount();
  document.body.replaceChildren();
});
