import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";
import { expect, test } from "vitest";
import type { Client } from "../../client/client.ts";
import { createPage, PageProvider } from "../store/page.ts";
import { Modal, useCloseDialog } from "./Dialog.tsx";

test("Escape closes a dialog at once, also where what had the focus is gone: the next key is for the page", () => {
  const page = createPage({} as unknown as Client);
  page.dialog.setState({ name: "stories" });
  const root = createRoot(document.body.appendChild(document.createElement("div")));
  flushSync(() =>
    root.render(
      <PageProvider value={page}>
        <Modal>
          <button type="button">Check and run</button>
        </Modal>
      </PageProvider>,
    ),
  );
  const pressed = new KeyboardEvent("keydown", { key: "Escape", bubbles: true, cancelable: true });
  document.body.dispatchEvent(pressed);
  expect(page.dialog.getState().name).toBeUndefined();
  expect(pressed.defaultPrevented).toBe(true);
  root.unmount();
  document.body.replaceChildren();
});

test("an answer that comes late closes its own dialog, and no other that is open by then", () => {
  const page = createPage({} as unknown as Client);
  const closes: (() => void)[] = [];
  const Form = () => {
    closes.push(useCloseDialog());
    return null;
  };
  const root = createRoot(document.body.appendChild(document.createElement("div")));
  const open = (name: "stories" | "worlds"): void => {
    page.dialog.setState({ name });
    flushSync(() =>
      root.render(
        <PageProvider value={page}>
          <Modal>
            <Form key={name} />
          </Modal>
        </PageProvider>,
      ),
    );
  };
  open("stories");
  open("worlds");
  closes[0]?.();
  expect(page.dialog.getState().name).toBe("worlds");
  closes.at(-1)?.();
  expect(page.dialog.getState().name).toBeUndefined();
  root.unmount();
  document.body.replaceChildren();
});
