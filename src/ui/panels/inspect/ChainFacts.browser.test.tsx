import { createRoot, type Root } from "react-dom/client";
import { afterEach, expect, test } from "vitest";
import { page as screen } from "vitest/browser";
import type { Client } from "../../../client/client.ts";
import { createPage, PageProvider } from "../../store/page.ts";
import { frameOf } from "../../testing.ts";
import { ChainFacts } from "./ChainFacts.tsx";

let root: Root;

afterEach(() => {
  root.unmount();
  document.body.replaceChildren();
});

test.each([
  [{ playing: false, busy: false }, "none: it is paused"],
  // A story paused after its beat, or a running step: it makes blocks without playing.
  [{ playing: false, busy: true }, "2 blocks per second"],
  [{ playing: true, busy: false }, "2 blocks per second"],
])("the block rate of a chain with %o is %s", async (player, text) => {
  const page = createPage({} as unknown as Client);
  page.frames.setState({ frame: frameOf({ chain: {}, player: { ...player, rate: 2 } }) });
  root = createRoot(document.body.appendChild(document.createElement("div")));
  root.render(
    <PageProvider value={page}>
      <ChainFacts />
    </PageProvider>,
  );
  await expect.element(screen.getByText(text, { exact: true })).toBeVisible();
});
