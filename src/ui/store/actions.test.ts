import { expect, test } from "vitest";
import type { Client } from "../../client/client.ts";
import { frameOf } from "../testing.ts";
import { createPage } from "./page.ts";

/** A page whose chain plays, its received commands, and a function that shows frames. */
function playingPage(refusal?: Error) {
  const text: (string | undefined)[] = [];
  const control = async ({
    action,
  }: {
    action: { case?: string; value?: unknown };
  }): Promise<void> => {
    text.push(action.case === "autoplay" ? `autoplay ${action.value}` : action.case);
    if (refusal) throw refusal;
  };
  const page = createPage({ lab: { control } } as unknown as Client);
  const show = (playing: boolean): void =>
    page.frames.setState({ frame: frameOf({ player: { playing } }) });
  show(true);
  const { togglePlay: toggle, toggleAutoplay } = page.actions;
  return { toggle, toggleAutoplay, page, said: text, show };
}

test("Space twice before a frame is drawn pauses and plays", async () => {
  const { toggle, said: text } = playingPage();
  await Promise.all([toggle(), toggle()]);
  await toggle();
  expect(text).toEqual(["pause", "play", "pause"]);
});

test("a story that rests while its beat is told goes on by itself again when that is switched on", async () => {
  const { toggleAutoplay, page, said: text } = playingPage();
  await Promise.all([toggleAutoplay(), toggleAutoplay()]);
  page.frames.setState({ frame: frameOf({ player: { playing: false, busy: true } }) });
  await toggleAutoplay();
  expect(text).toEqual(["autoplay false", "autoplay true", "autoplay true"]);
});

test("what a frame shows after the answer counts again", async () => {
  const { toggle, said: text, show } = playingPage();
  const paused = toggle();
  // It was pending when the chain was paused.
  show(true);
  await paused;
  show(true);
  await toggle();
  expect(text).toEqual(["pause", "pause"]);
});

test("a pause that was refused has not paused it", async () => {
  const { toggle, said: text } = playingPage(new Error("the node is gone"));
  await toggle();
  await toggle();
  expect(text).toEqual(["pause", "pause"]);
});
