import { create } from "@bufbuild/protobuf";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, test } from "vitest";
import { page as screen } from "vitest/browser";
import type { Client } from "../../../client/client.ts";
import { ChainStatusSchema, PlayerSchema } from "../../../gen/lab/v1/lab_pb.ts";
import { createPage, type Page, PageProvider } from "../../store/page.ts";
import { frameOf } from "../../testing.ts";
import { TopBar } from "../frame/TopBar.tsx";
import Band from "./Band.tsx";

let root: Root;
let page: Page;
let answered: unknown[];

const answerNotice = async (request: { action: string }) => {
  answered.push(request);
  if (request.action === "retry") throw new Error("it is still full");
  return {};
};

beforeEach(() => {
  answered = [];
  page = createPage({ lab: { answerNotice } } as unknown as Client);
  root = createRoot(document.body.appendChild(document.createElement("div")));
  root.render(
    <PageProvider value={page}>
      <TopBar />
      <Band />
    </PageProvider>,
  );
});

afterEach(() => {
  root.unmount();
  document.body.replaceChildren();
});

const kept = { id: "w", name: "Mine", state: "saved", pending: 0, role: "owner", failure: "" };

function show(player: Parameters<typeof create<typeof PlayerSchema>>[1]): void {
  page.frames.setState({ frame: frameOf({ player: create(PlayerSchema, player) }) });
}

test.each([
  [{}, "Saved"],
  [{ state: "saving" }, "Saving…"],
  [{ state: "saving", pending: 1 }, "Saving 1 action…"],
  [{ state: "saving", pending: 3 }, "Saving 3 actions…"],
  [{ state: "unsaved" }, "Not saved"],
  [{ state: "unsaved", failure: "cleared" }, "Not saved: storage was cleared"],
  [{ state: "opening" }, "Opening…"],
  [{ role: "watching" }, "Watching"],
])("a world that is kept as %j says “%s” beside its name", async (change, text) => {
  show({ kept: { ...kept, ...change } });
  await expect.element(screen.getByTestId("saved")).toHaveTextContent(text);
  await expect
    .element(screen.getByRole("button", { name: /Worlds; this one is Mine/ }))
    .toBeVisible();
});

test("a full storage is named beside the world's name, and in a notice with what can be done", async () => {
  const text = "The storage is full: nothing since block 40 is saved.";
  show({
    kept: { ...kept, state: "unsaved", failure: "full" },
    notices: [{ id: "n1", kind: "full", text, actions: ["retry", "export", "continue"] }],
  });
  await expect.element(screen.getByTestId("saved")).toHaveTextContent("Not saved: storage is full");
  await expect.element(screen.getByRole("alert")).toHaveTextContent(text);
  await expect
    .element(screen.getByTestId("notice"))
    .toHaveTextContent(/Make room….*Try again.*Export to a file.*Go on unsaved/);
  await screen.getByRole("button", { name: "Try again" }).click();
  await expect.poll(() => answered).toEqual([{ notice: "n1", action: "retry" }]);
  await expect.element(screen.getByText("it is still full")).toBeVisible();
});

test("where a failing save was seen and put away, the reason still stands beside the name", async () => {
  show({ kept: { ...kept, state: "unsaved", failure: "full" }, notices: [] });
  await expect.element(screen.getByTestId("saved")).toHaveTextContent("Not saved: storage is full");
});

test.each([
  ["damaged", ["continue", "export", "start_anew"], "Continue from here"],
  ["damaged", ["continue"], "OK"],
  ["unavailable", ["retry", "export", "continue"], "Go on unsaved"],
])("to go on from a notice of %s with %j is called “%s”", async (kind, actions, label) => {
  show({ kept, notices: [{ id: "n1", kind, text: "So it is.", actions }] });
  await expect.element(screen.getByRole("button", { name: label, exact: true })).toBeVisible();
});

test("a world whose name cannot be read still has one to press", async () => {
  show({ kept: { ...kept, name: "" } });
  await expect.element(screen.getByRole("button", { name: /this one is Unnamed/ })).toBeVisible();
});

test("a tab that watches says so once, and has nothing to steer with", async () => {
  show({
    kept: { ...kept, role: "watching" },
    notices: [{ id: "n1", kind: "moved", text: "It has moved.", actions: ["continue"] }],
  });
  await expect.element(screen.getByTestId("watching")).toHaveTextContent(/takes over when/);
  for (const name of ["Play", "One block", "Ten blocks", "Run until…"])
    await expect
      .element(screen.getByRole("button", { name }))
      .toHaveAttribute("title", expect.stringMatching(/^Another tab plays this world/));
  for (const name of ["Play", "One block", "Ten blocks", "Run until…"])
    await expect.element(screen.getByRole("button", { name })).toBeDisabled();
  await expect.element(screen.getByLabelText("Speed")).toBeDisabled();
  await expect.element(screen.getByRole("button", { name: "Open another world" })).toBeEnabled();
  await expect.element(screen.getByRole("button", { name: "Go on" })).not.toBeInTheDocument();
});

test("that nothing is saved goes before what was found earlier or later, and that in its order", async () => {
  const notice = (id: string, kind: string) => ({ id, kind, text: `It is ${id}.`, actions: [] });
  const frameWith = (...notices: ReturnType<typeof notice>[]) =>
    frameOf({ player: create(PlayerSchema, { kept, notices }) });
  const [found, lost] = [notice("found", "damaged"), notice("lost", "cleared")];
  page.frames.setState({ frame: frameWith(found, notice("unsaved", "unavailable"), lost) });
  await expect.element(screen.getByRole("alert")).toHaveTextContent("It is unsaved.");
  page.frames.setState({ frame: frameWith(found, lost) });
  await expect.element(screen.getByRole("alert")).toHaveTextContent("It is found.");
});

test("what is lost goes before a halt, a halt before what is only to be known, and a dead engine before all", async () => {
  const chainStatus = create(ChainStatusSchema, { state: "halted", totalPower: 4, neededPower: 3 });
  const bad = { id: "n1", kind: "full", text: "The storage is full.", actions: ["retry"] };
  const info = { id: "n2", kind: "moved", text: "It has moved.", actions: ["continue"] };
  const frameWith = (notices: readonly (typeof bad)[]) =>
    frameOf({ chainStatus, player: create(PlayerSchema, { kept, notices: [...notices] }) });
  page.frames.setState({ frame: frameWith([info, bad]) });
  await expect.element(screen.getByRole("alert")).toHaveTextContent("The storage is full.");
  await expect.element(screen.getByText("1 more notice after this one.")).toBeVisible();
  await expect.element(screen.getByTestId("halt-card")).not.toBeInTheDocument();
  page.frames.setState({ frame: frameWith([info]) });
  await expect.element(screen.getByTestId("halt-card")).toBeVisible();
  await expect.element(screen.getByTestId("notice")).not.toBeInTheDocument();
  page.frames.setState({ lost: "out of memory" });
  await expect
    .element(screen.getByRole("alert"))
    .toHaveTextContent("The engine has stopped: out of memory");
  await expect.element(screen.getByTestId("halt-card")).not.toBeInTheDocument();
});
