import { create } from "@bufbuild/protobuf";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { page as screen, userEvent } from "vitest/browser";
import type { Client } from "../../../client/client.ts";
import { StorySchema } from "../../../gen/lab/v1/lab_pb.ts";
import { createPage, type Page, PageProvider } from "../../store/page.ts";
import type { Story } from "../../store/types.ts";
import { frameOf } from "../../testing.ts";
import { usePlayback } from "./use-playback.ts";

const STORY = create(StorySchema, {
  state: "running",
  beats: [{ sentence: "All run v1.", view: "upgrades", highlight: "binaries" }],
});

const TWO = create(StorySchema, { state: "running", beats: [{}, {}] });
/** At the second of four. */
const MANY = create(StorySchema, { state: "running", beat: 1, beats: [{}, {}, {}, {}] });

function Controls({ story }: { story: Story }) {
  usePlayback(story, false, true);
  return (
    <>
      <input type="checkbox" aria-label="Follow the story" />
      <input type="text" aria-label="Find" />
    </>
  );
}

function Told({ above }: { above: number }) {
  usePlayback(STORY, true);
  return (
    <section id="view" style={{ height: 200, overflow: "auto" }}>
      <div style={{ height: above }} />
      <p data-part="binaries" style={{ height: 50, margin: 0 }}>
        val-0 runs v1
      </p>
      <div style={{ height: 1000 }} />
    </section>
  );
}

const OF_LINES = create(StorySchema, {
  state: "running",
  beats: [
    {
      ...{ view: "network", selectionKind: "node", selectionId: "val-1" },
      ...{ drawer: "why", highlight: "drawer" },
    },
  ],
});

function ToldOfLines() {
  usePlayback(OF_LINES, true);
  return undefined;
}

let root: Root;

const show = (above: number) =>
  root.render(
    <PageProvider value={createPage({} as Client)}>
      <Told above={above} />
    </PageProvider>,
  );

beforeEach(() => {
  root = createRoot(document.body.appendChild(document.createElement("div")));
});

afterEach(() => {
  root.unmount();
  document.body.replaceChildren();
  location.hash = "";
});

const framed = () => screen.getByText("val-0 runs v1");

test("what a beat is about stays in sight while what stands above it grows", async () => {
  show(50);
  await expect.element(framed()).toBeInViewport({ ratio: 0.9 });
  show(600);
  await expect.element(framed()).toBeInViewport({ ratio: 0.9 });
});

test("it is not scrolled to any more after a person has looked elsewhere", async () => {
  show(300);
  await expect.element(framed()).toBeInViewport({ ratio: 0.9 });
  const view = document.querySelector("#view");
  view?.dispatchEvent(new WheelEvent("wheel"));
  view?.scrollTo({ top: 0 });
  show(600);
  await expect.element(framed()).not.toBeInViewport();
});

/** Renders the controls of a story; the list contains the played beats. */
function controls(story = TWO): { readonly beats: unknown[]; readonly page: Page } {
  const beats: unknown[] = [];
  const control = async ({ action }: { action: { case: string; value: { index: number } } }) => {
    if (action.case === "beat") beats.push(action.value.index);
    return {};
  };
  const page = createPage({ lab: { control } } as unknown as Client);
  page.frames.setState({ frame: frameOf({ story }) });
  root.render(
    <PageProvider value={page}>
      <Controls story={story} />
    </PageProvider>,
  );
  return { beats, page };
}

test("the arrow keys belong to the past as soon as it is entered, while the story is still on screen", async () => {
  const { beats, page } = controls();
  await expect.element(screen.getByRole("checkbox")).toBeVisible();
  const live = { frame: undefined, blocks: [], activity: [], samples: [], split: undefined };
  page.frames.setState({ travel: { height: 1, moving: false, journey: {}, live } as never });
  await userEvent.keyboard("{ArrowRight}");
  expect(beats).toEqual([]);
  page.frames.setState({ travel: undefined });
  await userEvent.keyboard("{ArrowRight}");
  await expect.poll(() => beats).toEqual([1]);
});

test("the arrow keys are the story's as soon as its controls are drawn", async () => {
  const drawn = new Promise((resolve) =>
    new MutationObserver(resolve).observe(document.body, { childList: true, subtree: true }),
  );
  const { beats } = controls();
  await drawn;
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
  expect(beats).toEqual([1]);
});

test("a second key goes on from the beat that the first one goes to, which is not drawn yet", async () => {
  const { beats, page } = controls(MANY);
  await expect.element(screen.getByRole("checkbox")).toBeVisible();
  const press = (key: string) =>
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  for (const key of ["ArrowRight", "ArrowRight", "ArrowRight", "ArrowLeft"]) press(key);
  expect(beats).toEqual([2, 3, 3, 2]);
  // Any other action in between resets the target beat.
  await page.actions.pause();
  press("ArrowRight");
  expect(beats.at(-1)).toBe(2);
});

test("where they are the story's alone, the arrow keys make no block after its end", async () => {
  const pressed: boolean[] = [];
  const listen = (event: KeyboardEvent): void => void pressed.push(event.defaultPrevented);
  addEventListener("keydown", listen);
  const over = { ...TWO, state: "passed", beat: 1 };
  const Over = ({ hasPast }: { hasPast: boolean }) => {
    usePlayback(over, false, hasPast);
    return <p>{hasPast ? "page" : "room"}</p>;
  };
  for (const [hasPast, place] of [
    [false, "room"],
    [true, "page"],
  ] as const) {
    root.render(
      <PageProvider value={createPage({} as Client)}>
        <Over hasPast={hasPast} />
      </PageProvider>,
    );
    await expect.element(screen.getByText(place)).toBeVisible();
    await userEvent.keyboard("{ArrowRight}");
  }
  removeEventListener("keydown", listen);
  expect(pressed).toEqual([true, false]);
});

test("the arrow keys tell the story after a box was ticked, but not while a person types", async () => {
  const { beats } = controls();
  await screen.getByRole("textbox").click();
  await userEvent.keyboard("{ArrowRight}");
  await screen.getByRole("checkbox").click();
  await userEvent.keyboard("{ArrowRight}");
  await expect.poll(() => beats).toEqual([1]);
});

test.for([
  [1280, "#/network/node/val-1"],
  [390, "#/network"],
] as const)(
  "at %i px what a beat selects covers no lines that it is about",
  async ([width, address]) => {
    await screen.viewport(width, 720);
    onTestFinished(() => screen.viewport(414, 896));
    location.hash = "#/network/node/val-3";
    root.render(
      <PageProvider value={createPage({} as Client)}>
        <ToldOfLines />
      </PageProvider>,
    );
    await expect.poll(() => location.hash.split("?")[0]).toBe(address);
  },
);
