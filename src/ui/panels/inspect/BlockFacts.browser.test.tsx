import { create } from "@bufbuild/protobuf";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, expect, test } from "vitest";
import { page as screen } from "vitest/browser";
import type { Client } from "../../../client/client.ts";
import { BlockSchema } from "../../../gen/lab/v1/lab_pb.ts";
import { createPage, PageProvider } from "../../store/page.ts";
import { frameOf } from "../../testing.ts";
import { BlockFacts } from "./BlockFacts.tsx";

let root: Root;

afterEach(() => {
  root.unmount();
  document.body.replaceChildren();
});

test("until the next block is read, what stands there is marked as another's", async () => {
  const read: (() => void)[] = [];
  const getBlock = ({ height = 0 }) =>
    new Promise((resolve) => {
      read.push(() => resolve(create(BlockSchema, { height, proposer: `val-${height}` })));
    });
  const page = createPage({ lab: { getBlock } } as unknown as Client);
  page.frames.setState({ frame: frameOf({}) });
  root = createRoot(document.body.appendChild(document.createElement("div")));
  const show = (height: number): void =>
    root.render(
      <PageProvider value={page}>
        <BlockFacts height={height} />
      </PageProvider>,
    );
  const busy = (): string | null | undefined =>
    document.querySelector("[aria-busy]")?.getAttribute("aria-busy");
  show(1);
  await expect.poll(() => read.length).toBe(1);
  read[0]?.();
  await expect.element(screen.getByText("val-1")).toBeVisible();
  expect(busy()).toBe("false");
  show(2);
  await expect.poll(() => read.length).toBe(2);
  expect(busy()).toBe("true");
  read[1]?.();
  await expect.element(screen.getByText("val-2")).toBeVisible();
  expect(busy()).toBe("false");
});

test("a block that is not there yet is asked for again as the chain grows", async () => {
  let newest = 6;
  const getBlock = ({ height = 0 }) =>
    height <= newest
      ? Promise.resolve(create(BlockSchema, { height, proposer: `val-${height}` }))
      : Promise.reject(new Error(`no block ${height}: the chain is at height ${newest}`));
  const page = createPage({ lab: { getBlock } } as unknown as Client);
  const grow = (height: number): void => {
    newest = height;
    page.frames.setState({ frame: frameOf({ chain: { height } }) });
  };
  grow(6);
  root = createRoot(document.body.appendChild(document.createElement("div")));
  root.render(
    <PageProvider value={page}>
      <BlockFacts height={12} />
    </PageProvider>,
  );
  await expect.element(screen.getByText("the chain is at height 6")).toBeVisible();
  grow(11);
  await expect.element(screen.getByText("the chain is at height 11")).toBeVisible();
  grow(12);
  await expect.element(screen.getByText("val-12")).toBeVisible();
});

test("a transaction is from the validator or account whose name is known", async () => {
  const [known, unknown] = [`chain1${"q".repeat(38)}`, `chain1${"p".repeat(38)}`];
  const txs = [known, unknown].map((signer) => ({ hash: signer, messages: ["MsgSend"], signer }));
  const getBlock = () => Promise.resolve(create(BlockSchema, { height: 1, txs }));
  const page = createPage({ lab: { getBlock } } as unknown as Client);
  page.frames.setState({ frame: frameOf({ accounts: [{ name: "alice", address: known }] }) });
  root = createRoot(document.body.appendChild(document.createElement("div")));
  root.render(
    <PageProvider value={page}>
      <BlockFacts height={1} />
    </PageProvider>,
  );
  await expect.element(screen.getByText("from alice")).toBeVisible();
  await expect.element(screen.getByText(`from ${unknown}`)).toBeVisible();
});
