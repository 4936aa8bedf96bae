import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, expect, test } from "vitest";
import { page as screen } from "vitest/browser";
import type { Client } from "../../../client/client.ts";
import { NodeSchema, SidecarSchema, SidecarsSchema } from "../../../gen/lab/v1/lab_pb.ts";
import { createPage, PageProvider } from "../../store/page.ts";
import { frameOf } from "../../testing.ts";
import { Sidecars } from "./Sidecars.tsx";

let root: Root;

afterEach(() => {
  root.unmount();
  document.body.replaceChildren();
  location.hash = "";
});

const FAILED = {
  node: "val-3",
  state: "failed",
  plan: "v2",
  height: 20,
  because: "binary not present, downloading disabled",
  steps: [
    { step: "watch", state: "done" },
    { step: "backup", state: "done", lines: ["backup completed"], at: "2026-01-01T00:01:40Z" },
    { step: "binary", state: "failed", lines: ["binary not present, downloading disabled"] },
    { step: "download", state: "left_out", note: "downloads are off" },
    { step: "restart", state: "later" },
  ],
};

const WATCHING = { node: "val-0", state: "watching", because: "It has switched to v2." };

/**
 * The panel over a fake engine; returns the queries and steps, and a function that shows the next
 * frame.
 */
function show(
  sidecars: MessageInitShape<typeof SidecarsSchema>,
  one: MessageInitShape<typeof SidecarSchema> = {},
) {
  const limits: number[] = [];
  const steps: string[] = [];
  const lab = {
    getSidecars: async ({ limit }: { limit: number }) => {
      limits.push(limit);
      return create(SidecarsSchema, sidecars);
    },
    getSidecar: async () => create(SidecarSchema, one),
    runStep: async ({ step }: { step: string }) => {
      steps.push(step);
      return { ok: true, message: "", path: "", height: 0, value: "" };
    },
  };
  const page = createPage({ lab } as unknown as Client);
  const picture = (revision: number) =>
    page.frames.setState({
      frame: frameOf({ revision, nodes: [create(NodeSchema, { name: "val-0" })] }),
    });
  picture(1);
  root = createRoot(document.body.appendChild(document.createElement("div")));
  root.render(
    <PageProvider value={page}>
      <Sidecars />
    </PageProvider>,
  );
  return { limits, steps, picture };
}

test("one that failed is opened: at which step, why in its own words, and what helps", async () => {
  const step = '{"nodes":{"which":["val-3"],"binary":"v2"}}';
  const { steps } = show(
    {
      lines: [FAILED, WATCHING],
      counts: [
        { state: "failed", nodes: 1 },
        { state: "watching", nodes: 1 },
      ],
      without: 2,
    },
    {
      line: FAILED,
      remedies: [{ label: "Switch val-3 to v2", step }],
      settings: [{ name: "DAEMON_RESTART_DELAY", value: "45s", meaning: "waits", changed: true }],
      files: [{ path: "cosmovisor/current", content: "genesis" }],
      log: [{ height: 19, text: "binary not present, downloading disabled", level: "error" }],
    },
  );
  const panel = screen.getByRole("region", { name: "Sidecars (Cosmovisor)" });
  await expect.element(panel).toHaveTextContent("1 failed, 1 watching and 2 nodes without");
  const details = screen.getByRole("region", { name: "Sidecar of val-3" });
  await expect.element(details).toHaveTextContent("Finds the binary failed");
  await expect.element(details).toHaveTextContent("Downloads it left out downloads are off");
  await expect.element(details).toHaveTextContent("DAEMON_RESTART_DELAY=45s");
  await expect.element(details).toHaveTextContent("cosmovisor/currentgenesis");
  const link = screen.getByRole("link", { name: "block 20" }).element();
  expect(link.getAttribute("href")).toMatch(/block\/20$/);
  await screen.getByRole("button", { name: "Switch val-3 to v2" }).click();
  await expect.poll(() => steps).toEqual([step]);
});

test("where no node has one it says so, and gives every node one", async () => {
  const { steps } = show({ without: 4 });
  const panel = screen.getByRole("region", { name: "Sidecars (Cosmovisor)" });
  await expect.element(panel).toHaveTextContent("No node has one");
  await screen.getByLabelText("Give every node a sidecar").selectOptions("staged");
  await expect.poll(() => steps).toEqual(['{"nodes":{"which":"all","sidecar":{"mode":"staged"}}}']);
});

test("of many only those are listed that come first, until more are asked for", async () => {
  const { limits } = show({
    lines: [WATCHING],
    counts: [{ state: "watching", nodes: 1000 }],
  });
  await screen.getByRole("button", { name: "999 more sidecars" }).click();
  await expect.element(screen.getByText("and 999 more")).toBeVisible();
  expect(limits[0]).toBeLessThan(10);
  expect(limits.at(-1)).toBeGreaterThan(10);
});

test("it is asked again when the picture of the world has changed, and not before", async () => {
  const { limits, picture } = show({
    lines: [WATCHING],
    counts: [{ state: "watching", nodes: 1 }],
  });
  await expect.element(screen.getByText("val-0")).toBeVisible();
  expect(limits).toHaveLength(1);
  picture(1);
  picture(2);
  await expect.poll(() => limits.length).toBe(2);
});
