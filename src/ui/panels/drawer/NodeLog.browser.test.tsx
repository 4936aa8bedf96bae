import { create } from "@bufbuild/protobuf";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, test } from "vitest";
import { page as screen } from "vitest/browser";
import type { Client } from "../../../client/client.ts";
import { NodeLogSchema, NodeSchema } from "../../../gen/lab/v1/lab_pb.ts";
import { createPage, PageProvider } from "../../store/page.ts";
import { goTo } from "../../store/route.ts";
import { frameOf } from "../../testing.ts";
import NodeLog from "./NodeLog.tsx";

let root: Root;

beforeEach(() => {
  location.hash = "";
  const getNodeLog = async ({ node = "" }) => {
    const texts = Array.from({ length: 60 }, (_, i) => `${node} line ${i}`);
    if (node === "val-halted") texts.push(`CONSENSUS FAILURE!!! ${"CFFE8740".repeat(400)}`);
    return create(NodeLogSchema, { lines: texts.map((text) => ({ level: "info", text })) });
  };
  const page = createPage({ lab: { getNodeLog } } as unknown as Client);
  const nodes = ["val-0", "val-1", "val-2", "val-halted"].map((name) =>
    create(NodeSchema, { name }),
  );
  page.frames.setState({ frame: frameOf({ nodes }) });
  const box = document.body.appendChild(document.createElement("div"));
  box.style.height = "300px";
  root = createRoot(box);
  root.render(
    <PageProvider value={page}>
      <NodeLog />
    </PageProvider>,
  );
});

afterEach(() => {
  root.unmount();
  document.body.replaceChildren();
  location.hash = "";
});

const line = (text: string) => screen.getByText(text, { exact: false });

test("the newest lines of a node's log are those in sight", async () => {
  await expect.element(line("val-0 line 59")).toBeInViewport({ ratio: 0.9 });
  expect(line("val-0 line 0 ").query()).not.toBeNull();
  await expect.element(line("val-0 line 0 ")).not.toBeInViewport();
});

test("a node that is selected after another was chosen is the one that is read", async () => {
  await screen.getByRole("combobox").selectOptions("val-1");
  await expect.element(line("val-1 line 59")).toBeInViewport({ ratio: 0.9 });
  goTo({ selection: { kind: "node", id: "val-2" } });
  await expect.element(line("val-2 line 59")).toBeInViewport({ ratio: 0.9 });
});

test("a newest line that is higher than the list is shown from its beginning, and stays so", async () => {
  await screen.getByRole("combobox").selectOptions("val-halted");
  const list = screen.getByRole("list");
  const hidden = (): number => {
    const [newest, box] = [list.element().lastElementChild, list.element()];
    return box.getBoundingClientRect().top - (newest?.getBoundingClientRect().top ?? 0);
  };
  await expect.element(line("CONSENSUS FAILURE!!!")).toBeInTheDocument();
  await expect.poll(hidden).toBeCloseTo(0, 0);
  (document.body.firstElementChild as HTMLElement).style.height = "200px";
  await expect.poll(hidden).toBeCloseTo(0, 0);
});
