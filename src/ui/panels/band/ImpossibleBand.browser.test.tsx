import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, test } from "vitest";
import { page as screen } from "vitest/browser";
import type { Client } from "../../../client/client.ts";
import { createPage, type Page, PageProvider } from "../../store/page.ts";
import { frameOf } from "../../testing.ts";
import ImpossibleBand from "./ImpossibleBand.tsx";

let root: Root;
let page: Page;

beforeEach(() => {
  page = createPage({} as Client);
  root = createRoot(document.body.appendChild(document.createElement("div")));
  root.render(
    <PageProvider value={page}>
      <ImpossibleBand />
    </PageProvider>,
  );
});

afterEach(() => {
  root.unmount();
  document.body.replaceChildren();
});

const CHANGED = {
  ...{ height: 10, store: "staking", key: "21", place: 3, was: 49, is: 57 },
  ...{ appHash: "AA", heldAppHash: "BB" },
};

function show(initialHeight: number): void {
  const chain = { height: 20, initialHeight } as NonNullable<ReturnType<typeof frameOf>["chain"]>;
  page.frames.setState({ frame: frameOf({ chain, tampered: [CHANGED] } as never) });
}

test("a change is shown with its key and with what does not fit since", async () => {
  show(1);
  const band = screen.getByTestId("impossible");
  await expect
    .element(band)
    .toHaveTextContent("a byte of staking was changed by hand after block 10");
  await expect.element(band).toHaveTextContent("which the header of block 11 says");
  await expect.element(screen.getByRole("button", { name: "Show the key" })).toBeVisible();
});

test("a chain that began from such a state says so, and shows no block that it does not have", async () => {
  show(15);
  const band = screen.getByTestId("impossible");
  await expect.element(band).toHaveTextContent("it began from a state that was changed by hand");
  await expect.element(band).toHaveTextContent("Blocks from 15 on fit that state");
  expect(band.getByRole("button").elements()).toHaveLength(0);
});
