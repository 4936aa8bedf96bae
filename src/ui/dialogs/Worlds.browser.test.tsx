import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, test } from "vitest";
import { page as screen, userEvent } from "vitest/browser";
import { INPUT } from "../../base/limits.ts";
import { type Client, ClientError, CODE } from "../../client/client.ts";
import { createPage, PageProvider } from "../store/page.ts";
import type { WorldInfo } from "../store/types.ts";
import Worlds from "./Worlds.tsx";

let root: Root;
let worlds: WorldInfo[];
let deleted: WorldInfo[];
let opened: string[];
let exporting: PromiseWithResolvers<void> | undefined;

const world = (id: string, over: Partial<WorldInfo> = {}): WorldInfo => ({
  id,
  name: `World ${id}`,
  height: 1234,
  created: "2026-11-21T10:00:00Z",
  saved: "2026-11-22T10:00:00Z",
  bytes: 123_456,
  open: "",
  erased: "",
  problem: "",
  note: "",
  impossible: false,
  ...over,
});

const take = (from: WorldInfo[], id: string): WorldInfo[] => {
  const at = from.findIndex((one) => one.id === id);
  return from.splice(at, 1);
};

const lab = {
  listWorlds: async () => ({
    worlds: [...worlds],
    deleted: [...deleted],
    usage: 2_000_000,
    quota: 1e9,
  }),
  openWorld: async ({ world: id }: { world: string }) => void opened.push(id),
  deleteWorld: async ({ world: id, forever }: { world: string; forever?: boolean }) => {
    if (id === "stuck") throw new Error("it is locked");
    if (id === "full" && !forever)
      throw new ClientError(CODE.resourceExhausted, "there is no room");
    if (forever) take(id === "full" ? worlds : deleted, id);
    else
      deleted.push(...take(worlds, id).map((one) => ({ ...one, erased: "2026-12-22T10:00:00Z" })));
  },
  duplicateWorld: async ({ world: id }: { world: string }) =>
    void worlds.unshift(world("copy", { name: `World ${id} (copy)` })),
  exportWorld: async () => {
    await exporting?.promise;
    return { name: "World b.chainlab", content: new Uint8Array(1) };
  },
  restoreWorld: async ({ world: id }: { world: string }) => void worlds.push(...take(deleted, id)),
  renameWorld: async ({ world: id, name }: { world: string; name: string }) => {
    if (name === "") throw new Error("a name must not be empty");
    worlds = worlds.map((one) => (one.id === id ? { ...one, name } : one));
  },
  importWorld: async ({ name }: { name: string }) => {
    if (name !== "good.chainlab") return { world: "", problem: "the file is empty" };
    worlds.push(world("new", { name: "Good" }));
    return { world: "new", problem: "" };
  },
};

beforeEach(() => {
  worlds = [world("a", { open: "here" }), world("b"), world("c", { open: "elsewhere" })];
  deleted = [];
  opened = [];
  root = createRoot(document.body.appendChild(document.createElement("div")));
  root.render(
    <PageProvider value={createPage({ lab } as unknown as Client)}>
      <Worlds />
    </PageProvider>,
  );
});

afterEach(() => {
  root.unmount();
  document.body.replaceChildren();
});

const button = (name: string) => screen.getByRole("button", { name, exact: true });
const rows = screen.getByRole("list", { name: "Worlds" });

test("each world has its name, height, size and dates, and the storage its use and quota", async () => {
  await expect.element(rows).toHaveTextContent(/World a.*block 1,234.*123 KB.*saved.*created/);
  await expect
    .element(screen.getByText(/takes 2\.0 MB of the 1\.0 GB that the browser allows/))
    .toBeVisible();
});

test("in front of a node it is the node's disk that is used, and no browser's to clear", async () => {
  document.documentElement.dataset.node = "/lab";
  try {
    root.render(
      <PageProvider key="node" value={createPage({ lab } as unknown as Client)}>
        <Worlds />
      </PageProvider>,
    );
    await expect
      .element(screen.getByText("Chainlab takes 2.0 MB of the node's disk, which has 998 MB free."))
      .toBeVisible();
    await expect.element(screen.getByText(/browser/)).not.toBeInTheDocument();
  } finally {
    delete document.documentElement.dataset.node;
  }
});

test("the world on screen is not opened, the one of another tab is watched, and not deleted", async () => {
  await expect.element(button("Watch World c")).toBeVisible();
  await expect.element(button("Open World a")).not.toBeInTheDocument();
  await expect.element(button("Delete World a")).toBeVisible();
  await expect.element(button("Delete World c")).not.toBeInTheDocument();
  await expect.element(button("Rename World c")).not.toBeInTheDocument();
});

test("a world that cannot be opened says why, and can be exported and deleted only", async () => {
  const problem = "How it began cannot be read.";
  worlds = [world("b", { problem }), world("c", { problem, saved: "", created: "" })];
  root.render(
    <PageProvider value={createPage({ lab } as unknown as Client)}>
      <Worlds key="again" />
    </PageProvider>,
  );
  await expect.element(rows).toHaveTextContent(/How it began cannot be read.*block 1,234.*123 KB/);
  await expect.element(button("Export World b")).toBeVisible();
  await expect.element(button("Delete World b")).toBeVisible();
  for (const what of ["Open", "Rename", "Duplicate"]) {
    await expect.element(button(`${what} World b`)).not.toBeInTheDocument();
  }
  expect(rows.element().textContent).not.toContain("1970");
});

test("another world is opened", async () => {
  await button("Open World b").click();
  await expect.poll(() => opened).toEqual(["b"]);
});

test("a deletion is undone in its place, by the keyboard alone", async () => {
  await expect.element(button("Delete World b")).toBeVisible();
  button("Delete World b").element().focus();
  await userEvent.keyboard("{Enter}");
  await expect.element(rows).toHaveTextContent("World b is deleted.");
  await expect.element(rows).toHaveTextContent(/123 KB · can be restored until 22 Dec 2026/);
  await expect.element(button("Restore World b")).toHaveFocus();
  await userEvent.keyboard("{Enter}");
  await expect.element(button("Open World b")).toBeVisible();
  await expect.element(button("Rename World b")).toHaveFocus();
});

test("a deleted world is erased when that is asked for, which frees what it takes", async () => {
  await button("Delete World b").click();
  await button("Delete forever World b").click();
  await expect.element(rows).not.toHaveTextContent("World b");
  await expect.element(rows).toHaveFocus();
  expect(deleted).toEqual([]);
});

test("the dialog begins to be read at its title, and no frame is drawn around it", async () => {
  await expect.element(button("Open World b")).toBeVisible();
  const title = screen.getByRole("heading", { name: "Worlds" });
  await expect.element(title).toHaveFocus();
  expect(getComputedStyle(title.element()).outlineStyle).toBe("none");
});

test("rows stay where they are while the dialog is open, and a copy comes on top and is said", async () => {
  const order = () => [...document.querySelectorAll("li b")].map((name) => name.textContent);
  await expect.poll(order).toEqual(["World a", "World b", "World c"]);
  await button("Duplicate World b").click();
  await expect.poll(order).toEqual(["World b (copy)", "World a", "World b", "World c"]);
  await expect.element(screen.getByText("A copy was added at the top of the list.")).toBeVisible();
  await button("Delete World b").click();
  await expect.poll(order).toEqual(["World b (copy)", "World a", "World b", "World c"]);
});

test("a world that is watched already says so, and one without a readable name has one to press", async () => {
  worlds = [world("w", { open: "watched" }), world("n", { name: "", saved: "", created: "" })];
  root.render(
    <PageProvider value={createPage({ lab } as unknown as Client)}>
      <Worlds key="again" />
    </PageProvider>,
  );
  await expect.element(rows).toHaveTextContent("watching");
  await expect.element(button("Rename World w")).not.toBeInTheDocument();
  await expect.element(button("Export Unnamed world")).toBeVisible();
  await expect.element(rows).not.toHaveTextContent(/1970|NaN/);
});

test("what is asked of a world while it does another thing is done after it, and the same twice once", async () => {
  exporting = Promise.withResolvers();
  await button("Export World b").click();
  await expect.element(button("Export World b")).toHaveAttribute("aria-busy", "true");
  await button("Duplicate World b").click();
  await button("Duplicate World b").click();
  await button("Rename World b").click();
  await userEvent.keyboard("Tuesday{Enter}");
  expect(worlds.map(({ name }) => name)).toEqual(["World a", "World b", "World c"]);
  exporting.resolve();
  exporting = undefined;
  await expect.element(rows).toHaveTextContent(/Tuesday/);
  expect(worlds.map(({ name }) => name)).toEqual([
    "World b (copy)",
    "World a",
    "Tuesday",
    "World c",
  ]);
});

test("what cannot be done says why in its row", async () => {
  worlds = [world("stuck")];
  root.render(
    <PageProvider value={createPage({ lab } as unknown as Client)}>
      <Worlds key="again" />
    </PageProvider>,
  );
  await button("Delete World stuck").click();
  await expect.element(screen.getByRole("alert").getByText("It is locked.")).toBeVisible();
});

test.each(["", "here"])(
  "where there is no room to note that a world is deleted, it can be deleted forever (open: %s)",
  async (open) => {
    worlds = [world("full", { open })];
    root.render(
      <PageProvider value={createPage({ lab } as unknown as Client)}>
        <Worlds key="again" />
      </PageProvider>,
    );
    await expect.element(button("Delete World full")).toBeVisible();
    await expect.element(button("Delete forever World full")).not.toBeInTheDocument();
    await button("Delete World full").click();
    await expect.element(screen.getByRole("alert").getByText("There is no room.")).toBeVisible();
    await button("Delete forever World full").click();
    await expect.element(rows).not.toHaveTextContent("World full");
    expect(worlds).toEqual([]);
  },
);

test("a world is renamed in place: Enter takes the name, Escape leaves it", async () => {
  await button("Rename World b").click();
  const field = screen.getByLabelText("New name of World b");
  await expect.element(field).toHaveFocus();
  await userEvent.keyboard("{Escape}");
  await expect.element(field).not.toBeInTheDocument();
  await expect.element(button("Rename World b")).toHaveFocus();
  await expect.element(rows).toHaveTextContent("World b");
  await button("Rename World b").click();
  await field.fill("Upgrade night");
  await userEvent.keyboard("{Enter}");
  await expect.element(rows).toHaveTextContent("Upgrade night");
  await expect.element(button("Rename Upgrade night")).toHaveFocus();
  await button("Rename Upgrade night").click();
  await screen.getByLabelText("New name of Upgrade night").fill(" ");
  await userEvent.keyboard("{Enter}");
  await expect.element(screen.getByText("A name must not be empty.")).toBeVisible();
  await expect.element(rows).toHaveTextContent("Upgrade night");
});

test("a file that is refused says where and why beside the button", async () => {
  const input = () => document.querySelector<HTMLInputElement>("input[type=file]");
  await expect.poll(input).not.toBeNull();
  await userEvent.upload(input() as HTMLElement, new File(["PK"], "holiday.zip"));
  await expect
    .element(screen.getByText("holiday.zip is not imported: the file is empty."))
    .toHaveAttribute("role", "alert");
  const large = new File(["x"], "large.chainlab");
  Object.defineProperty(large, "size", { value: INPUT.worldBytes + 1 });
  Object.defineProperty(large, "arrayBuffer", { value: () => Promise.reject(new Error("read")) });
  Object.defineProperty(input(), "files", { configurable: true, value: [large] });
  input()?.dispatchEvent(new Event("change", { bubbles: true }));
  await expect
    .element(
      screen.getByText(/large\.chainlab is not imported: expected at most 256 MB, found 256 MB/),
    )
    .toBeVisible();
  Reflect.deleteProperty(input() ?? {}, "files");
  await userEvent.upload(input() as HTMLElement, new File(["x"], "good.chainlab"));
  await expect.element(screen.getByText("“Good” is imported from good.chainlab.")).toBeVisible();
});
