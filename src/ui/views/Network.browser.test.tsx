import { create } from "@bufbuild/protobuf";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, expect, test } from "vitest";
import { page as screen } from "vitest/browser";
import type { Client } from "../../client/client.ts";
import { ChainSchema, ValidatorSchema } from "../../gen/lab/v1/lab_pb.ts";
import { createPage, PageProvider } from "../store/page.ts";
import { frameOf } from "../testing.ts";
import { Network } from "./Network.tsx";

let root: Root;

afterEach(() => {
  root.unmount();
  document.body.replaceChildren();
});

/** Renders the last block's caption for validators: [part in that block, power in the next set]. */
function show(...parts: readonly (readonly ["signed" | "absent" | "outside", number])[]) {
  const page = createPage({} as Client);
  page.frames.setState({
    frame: frameOf({
      chain: create(ChainSchema, { height: 28, initialHeight: 1 }),
      validators: parts.map(([part, power], i) =>
        create(ValidatorSchema, {
          ...{ name: `val-${i}`, power, signed: part === "signed", absent: part === "absent" },
        }),
      ),
    }),
  });
  root = createRoot(document.body.appendChild(document.createElement("div")));
  root.render(
    <PageProvider value={page}>
      <Network />
    </PageProvider>,
  );
  return screen.getByText(/the last block/);
}

test("one that signed the last block in its set for the last time is counted", async () => {
  const text = show(["signed", 100], ["signed", 100], ["signed", 100], ["signed", 0]);
  await expect.element(text).toHaveTextContent("All 4 validators signed the last block.");
});

test("one that joins the next set is not said to have been missing", async () => {
  const text = show(["signed", 100], ["signed", 100], ["outside", 99]);
  await expect.element(text).toHaveTextContent("Both validators signed the last block.");
});

test("one of the set that did not sign is named", async () => {
  const text = show(["signed", 100], ["absent", 100]);
  await expect.element(text).toHaveTextContent("val-1 did not sign the last block.");
});
