import { beforeEach, expect, test } from "vitest";
import { frameOf } from "../testing.ts";
import { createNoticeStore, notify, refused, WATCHED } from "./notices.ts";
import { forgetUntrue } from "./untrue-notices.ts";

let notices: ReturnType<typeof createNoticeStore>;
beforeEach(() => {
  notices = createNoticeStore();
});
const texts = () => notices.getState().shown.map(({ text }) => text);
const frame = (busy: boolean, state: string, world = "w") =>
  frameOf({ world, player: { busy }, chainStatus: { state } as never });

test("what is being done is said until it is done", () => {
  notify(notices, "Everyone votes.", "doing");
  forgetUntrue(notices, undefined, frame(true, "running"));
  expect(texts()).toEqual(["Everyone votes."]);
  forgetUntrue(notices, undefined, frame(false, "running"));
  expect(texts()).toEqual([]);
});

test("nothing is being done by a chain that stands still; what was done stays said", () => {
  notify(notices, "Everyone votes.", "doing");
  notify(notices, "val-1 is stopped.");
  forgetUntrue(notices, undefined, frame(true, "halted"));
  expect(texts()).toEqual(["val-1 is stopped."]);
});

test("another world has nothing to do with what was done, refused or could not be done in the old one", () => {
  notify(notices, "val-1 is stopped.");
  notify(notices, "x.yaml could not be read", "error");
  refused(notices, "val-1 is not jailed");
  forgetUntrue(notices, frame(false, "running", "old"), frame(false, "running", "old"));
  expect(texts()).toHaveLength(3);
  forgetUntrue(notices, frame(false, "running", "old"), frame(false, "running", "new"));
  expect(texts()).toEqual([]);
});

test("that the chain has halted is said until it goes on", () => {
  refused(notices, "the chain is halted at block 50");
  forgetUntrue(notices, frame(false, "halted"), frame(false, "halted"));
  expect(texts()).toEqual(["Not done: the chain has halted."]);
  forgetUntrue(notices, frame(false, "halted"), frame(false, "running"));
  expect(texts()).toEqual([]);
});

test("what was refused gives way to what is done or refused next", () => {
  notify(notices, "x.yaml could not be read", "error");
  refused(notices, "val-1 is not jailed");
  refused(notices, "val-2 is not jailed");
  expect(texts()).toEqual(["x.yaml could not be read", "val-2 is not jailed"]);
  notify(notices, "val-3 is not jailed any more.");
  expect(texts()).toEqual(["x.yaml could not be read", "val-3 is not jailed any more."]);
});

test("why nothing could be done is untrue once this tab plays the world", () => {
  const kept = (role: string) => frameOf({ world: "w", player: { kept: { role } } });
  notify(notices, WATCHED, "error");
  forgetUntrue(notices, kept("watching"), kept("watching"));
  expect(texts()).toEqual([WATCHED]);
  forgetUntrue(notices, kept("watching"), kept("owner"));
  expect(texts()).toEqual([]);
});

test("what was done gives way to what is done next; an error stays beside both", () => {
  notify(notices, "x.yaml could not be read", "error");
  notify(notices, "val-1 is stopped.");
  notify(notices, "val-1 runs again.");
  expect(texts()).toEqual(["x.yaml could not be read", "val-1 runs again."]);
});

test("of a step that a halt has ended it is said in few words that the chain has halted", () => {
  const halted =
    'the chain is halted at block 50: 0 of 400 power votes, a block needs more than 2/3: 267 of 400; val-0: UPGRADE "v2" NEEDED at height: 50:';
  const text = [halted, `height 60 did not happen within 500 rounds; ${halted}`, "val-1 is jailed"];
  const shown = text.map((reason) => {
    refused(notices, reason);
    return texts().at(-1);
  });
  expect(shown).toEqual([
    "Not done: the chain has halted.",
    "height 60 did not happen within 500 rounds; the chain has halted.",
    "val-1 is jailed",
  ]);
});
