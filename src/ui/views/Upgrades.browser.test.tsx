import { create } from "@bufbuild/protobuf";
import { createRoot } from "react-dom/client";
import { expect, test } from "vitest";
import { page as screen } from "vitest/browser";
import type { Client } from "../../client/client.ts";
import { ProposalViewSchema, SidecarsSchema } from "../../gen/lab/v1/lab_pb.ts";
import { createPage, PageProvider } from "../store/page.ts";
import { frameOf } from "../testing.ts";
import Upgrades from "./Upgrades.tsx";

test("while an upgrade is voted on, its name, its height and the end of the vote are said", async () => {
  const getSidecars = async () => create(SidecarsSchema, { without: 4 });
  const page = createPage({ lab: { getSidecars } } as unknown as Client);
  const votingEnd = "2026-01-01T00:01:05Z";
  const voted = { id: 1, status: "voting", planName: "v2", planHeight: 60, votingEnd };
  page.frames.setState({ frame: frameOf({ proposals: [create(ProposalViewSchema, voted)] }) });
  const root = createRoot(document.body.appendChild(document.createElement("div")));
  root.render(
    <PageProvider value={page}>
      <Upgrades />
    </PageProvider>,
  );
  await expect.element(screen.getByText("No upgrade is planned yet")).toBeVisible();
  await expect
    .element(screen.getByText(/voting until .*00:01:05, proposal 1/))
    .toHaveTextContent(/^v2 at 60/);
  root.unmount();
  document.body.replaceChildren();
});
