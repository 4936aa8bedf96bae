import { Suspense } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { page as screen } from "vitest/browser";
import { lazyPart } from "./lazy-part.tsx";

let root: Root;
let online: boolean;

const load = async () => {
  if (!online) throw new TypeError("Failed to fetch");
  return { default: ({ height = 0 }: { height?: number }) => <p>Block {height}</p> };
};

beforeEach(() => {
  online = false;
  // React logs errors that a boundary has caught.
  vi.spyOn(console, "error").mockImplementation(() => {});
  root = createRoot(document.body.appendChild(document.createElement("div")));
});

afterEach(() => {
  root.unmount();
  document.body.replaceChildren();
  vi.restoreAllMocks();
});

const alerts = screen.getByRole("alert");

test("a part that could not be loaded says so, and comes when it is tried again", async () => {
  const Charts = lazyPart("Charts", load);
  const Table = lazyPart("The table", load);
  const Silent = lazyPart("", load);
  root.render(
    <Suspense>
      <p>The chain</p>
      <Charts height={3} />
      <Table height={4} />
      <Silent height={5} />
    </Suspense>,
  );
  await expect.element(alerts.first()).toHaveTextContent("Charts could not be loaded.");
  await expect.element(alerts.nth(1)).toHaveTextContent("The table could not be loaded.");
  await expect.element(alerts.nth(2)).not.toBeInTheDocument();
  await expect.element(screen.getByText("The chain")).toBeVisible();

  await screen.getByRole("button", { name: "Try again" }).first().click();
  await expect.element(alerts.first()).toHaveTextContent("Charts could not be loaded.");

  online = true;
  await screen.getByRole("button", { name: "Try again" }).first().click();
  for (const height of [3, 4, 5])
    await expect.element(screen.getByText(`Block ${height}`)).toBeVisible();
  await expect.element(alerts).not.toBeInTheDocument();
});

test("a part comes by itself when the network is back", async () => {
  const Charts = lazyPart("Charts", load);
  root.render(
    <Suspense>
      <Charts height={7} />
    </Suspense>,
  );
  await expect.element(alerts).toBeVisible();
  online = true;
  dispatchEvent(new Event("online"));
  await expect.element(screen.getByText("Block 7")).toBeVisible();
});

test("a part that fails while it is drawn leaves what is beside it", async () => {
  const Broken = lazyPart("Charts", async () => ({
    default: () => {
      throw new Error("no such series");
    },
  }));
  root.render(
    <Suspense>
      <p>The chain</p>
      <Broken />
    </Suspense>,
  );
  await expect.element(alerts).toHaveTextContent("Charts cannot be shown: no such series");
  await expect.element(screen.getByText("The chain")).toBeVisible();
});

test("a part that covers the page can be closed when it could not be loaded", async () => {
  const Stories = lazyPart("The stories", load);
  const onClose = vi.fn();
  root.render(
    <Suspense>
      <Stories onClose={onClose} />
    </Suspense>,
  );
  await screen.getByRole("button", { name: "Close" }).click();
  expect(onClose).toHaveBeenCalled();
});

test("a part is drawn anew only when what it is given changes", async () => {
  const drawn: number[] = [];
  const Table = lazyPart("The table", async () => ({
    default: ({ height }: { height: number }) => {
      drawn.push(height);
      return <p>Block {height}</p>;
    },
  }));
  const page = (view: string, height: number) => (
    <Suspense>
      <h1>{view}</h1>
      <Table height={height} />
    </Suspense>
  );
  root.render(page("Charts", 3));
  await expect.element(screen.getByText("Block 3")).toBeVisible();
  root.render(page("Network", 3));
  await expect.element(screen.getByText("Network")).toBeVisible();
  root.render(page("Network", 4));
  await expect.element(screen.getByText("Block 4")).toBeVisible();
  expect(drawn).toEqual([3, 4]);
});
