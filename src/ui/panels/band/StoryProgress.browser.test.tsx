import { create } from "@bufbuild/protobuf";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, expect, test } from "vitest";
import { page as screen } from "vitest/browser";
import type { Client } from "../../../client/client.ts";
import { ChainStatusSchema, StorySchema } from "../../../gen/lab/v1/lab_pb.ts";
import { createPage, PageProvider } from "../../store/page.ts";
import { frameOf } from "../../testing.ts";
import Band from "./Band.tsx";

let root: Root;

afterEach(() => {
  root.unmount();
  document.body.replaceChildren();
});

const HALTED = "the chain is halted at block 20: 0 of 400 power votes";

test("a story whose chain is halted says why its step failed, and what was checked", async () => {
  const page = createPage({} as Client);
  page.frames.setState({
    frame: frameOf({
      chainStatus: create(ChainStatusSchema, { state: "halted" }),
      story: create(StorySchema, {
        ...{ name: "n", title: "T", state: "failed", beat: 0 },
        beats: [{ sentence: "Nothing moves any more.", first: 0, end: 2, state: "failed" }],
        steps: [
          { index: 0, verb: "expect", state: "ok", expected: "chain: halted" },
          { index: 1, verb: "run", state: "failed", does: "makes 3 blocks", message: HALTED },
        ],
      }),
    }),
  });
  root = createRoot(document.body.appendChild(document.createElement("div")));
  root.render(
    <PageProvider value={page}>
      <Band />
    </PageProvider>,
  );
  const story = screen.getByRole("region", { name: "Story" });
  await expect.element(story.getByText("Stopped: a step or check failed.")).toBeVisible();
  const text = story.getByText(HALTED);
  // The first is in the list of beats, which is collapsed.
  await expect.element(text.last()).toBeVisible();
  await expect.element(text.first()).not.toBeVisible();
  await story.getByText("1 check passed").click();
  await expect.element(story.getByText("chain: halted")).toBeVisible();
});
