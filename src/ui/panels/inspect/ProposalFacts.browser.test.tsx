import { create } from "@bufbuild/protobuf";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, test } from "vitest";
import { page as screen } from "vitest/browser";
import type { Client } from "../../../client/client.ts";
import { ProposalCourseSchema } from "../../../gen/lab/v1/lab_pb.ts";
import { createPage, PageProvider } from "../../store/page.ts";
import { frameOf } from "../../testing.ts";
import { ProposalFacts } from "./ProposalFacts.tsx";

let root: Root;

const DELETED = create(ProposalCourseSchema, {
  ...{ minimum: "10000000", lost: "1000000", ended: 34_565 },
  proposal: { id: 3, title: "Not paid for", status: "dropped", deposit: "1000000" },
});

beforeEach(() => {
  const getGovernance = async () => ({ proposals: [DELETED] });
  const page = createPage({ lab: { getGovernance } } as unknown as Client);
  page.frames.setState({ frame: frameOf({ chain: { denom: "stake" } }) });
  root = createRoot(document.body.appendChild(document.createElement("div")));
  root.render(
    <PageProvider value={page}>
      <section aria-label="deleted">
        <ProposalFacts id={3} />
      </section>
      <section aria-label="never made">
        <ProposalFacts id={4} />
      </section>
    </PageProvider>,
  );
});

afterEach(() => {
  root.unmount();
  document.body.replaceChildren();
});

test("of a proposal that is deleted it says what became of it", async () => {
  const deleted = screen.getByRole("region", { name: "deleted" });
  await expect.element(deleted).toHaveTextContent("Not paid for");
  await expect
    .element(deleted)
    .toHaveTextContent("Its deposit period ended in block 34,565 with 1,000,000 of 10,000,000");
  await expect.element(deleted).toHaveTextContent("Its deposit of 1,000,000 stake is burned.");
});

test("of a proposal that was never made it says so", async () => {
  const never = screen.getByRole("region", { name: "never made" });
  await expect.element(never).toHaveTextContent("There is no proposal 4 on this chain.");
});
