import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";
import { expect, test } from "vitest";
import { page as screen } from "vitest/browser";
import type { Client } from "../../client/client.ts";
import { createPage, PageProvider, useDialog } from "../store/page.ts";
import { frameOf } from "../testing.ts";
import { Modal } from "../widgets/Dialog.tsx";
import Palette from "./Palette.tsx";

const lab = { listWorlds: async () => ({ worlds: [] }) };

/** Replaces the page's dialogs: the palette, or a field for any other. */
function Opened() {
  const name = useDialog((dialog) => dialog.name);
  return (
    name && (
      <Modal key={name}>
        {name === "palette" ? <Palette /> : <h2 id="dialog-title">{name}</h2>}
      </Modal>
    )
  );
}

test("what the palette leads to is done before the next key, and has the focus", async () => {
  const page = createPage({
    lab,
    query: async () => ({ number: 0 }),
  } as unknown as Client);
  page.frames.setState({ frame: frameOf({ chain: { height: 9, initialHeight: 1 } }) });
  page.dialog.setState({ name: "palette" });
  const button = document.body.appendChild(document.createElement("button"));
  button.focus();
  const root = createRoot(document.body.appendChild(document.createElement("div")));
  flushSync(() =>
    root.render(
      <PageProvider value={page}>
        <Opened />
      </PageProvider>,
    ),
  );
  const field = screen.getByRole("combobox");
  await field.fill("share");
  await expect.element(screen.getByRole("option").first()).toHaveAttribute("aria-selected", "true");
  const press = new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true });
  field.element().dispatchEvent(press);
  await Promise.resolve();
  expect(page.dialog.getState().name).toBe("share");
  await expect.element(screen.getByRole("dialog", { name: "share" })).toHaveFocus();
  root.unmount();
  document.body.replaceChildren();
});
