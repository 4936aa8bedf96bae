import { afterEach, expect, test } from "vitest";
import { frameOf } from "../testing.ts";
import { forgetUntrue, notify, useNotices } from "./notices.ts";

afterEach(() => useNotices.setState({ shown: [] }));
const texts = () => useNotices.getState().shown.map(({ text }) => text);
const frame = (busy: boolean, state: string, world = "w") =>
  frameOf({ world, player: { busy }, chainStatus: { state } as never });

test("what is being done is said until it is done", () => {
  notify("Everyone votes.", "doing");
  forgetUntrue(undefined, frame(true, "running"));
  expect(texts()).toEqual(["Everyone votes."]);
  forgetUntrue(undefined, frame(false, "running"));
  expect(texts()).toEqual([]);
});

test("nothing is being done by a chain that stands still; what was done stays said", () => {
  notify("Everyone votes.", "doing");
  notify("val-1 is stopped.");
  forgetUntrue(undefined, frame(true, "halted"));
  expect(texts()).toEqual(["val-1 is stopped."]);
});

test("another world has nothing to do with what was done in the old one; a fault stays said", () => {
  notify("val-1 is stopped.");
  notify("x.yaml could not be read", "error");
  forgetUntrue(frame(false, "running", "old"), frame(false, "running", "new"));
  expect(texts()).toEqual(["x.yaml could not be read"]);
});
