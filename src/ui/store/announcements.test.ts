import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { PlayerSchema } from "../../gen/lab/v1/lab_pb.ts";
import { frameOf } from "../testing.ts";
import { announcements } from "./announcements.ts";

const running = frameOf({ chainStatus: { state: "running" }, validators: [{ name: "val-2" }] });

test("the first picture of a world is not news", () => {
  expect(announcements(undefined, running)).toEqual([]);
  expect(announcements(frameOf({ world: "old" }), running)).toEqual([]);
});

test("a halt is told with its reason, and so is the end of it", () => {
  const halted = frameOf({ chainStatus: { state: "halted", because: "Plan v2 is due." } });
  expect(announcements(running, halted)).toEqual(["The chain has halted. Plan v2 is due."]);
  expect(announcements(halted, running)).toEqual(["The chain makes blocks again."]);
});

test("a tombstone is told once, and not as a mere jail", () => {
  const out = frameOf({
    chainStatus: { state: "running" },
    validators: [{ name: "val-2", jailed: true, tombstoned: true }],
  });
  expect(announcements(running, out)).toEqual(["val-2 is slashed, jailed and tombstoned."]);
  expect(announcements(out, out)).toEqual([]);
});

test("a plan is told when it is made and when it is gone", () => {
  const planned = frameOf({ chainStatus: { state: "running" }, plan: { name: "v2", height: 30 } });
  expect(announcements(running, planned)).toEqual(["Upgrade v2 is planned for height 30."]);
  expect(announcements(planned, running)).toEqual(["Upgrade v2 is no longer planned."]);
});

test("a plan that was carried out is done, not gone", () => {
  const planned = frameOf({ chainStatus: { state: "running" }, plan: { name: "v2", height: 30 } });
  const done = frameOf({
    chainStatus: { state: "running" },
    applied: [{ name: "v2", height: 30 }],
  });
  expect(announcements(planned, done)).toEqual(["Upgrade v2 is applied."]);
});

test("a world that cannot be saved any more is told, and when it is saved again, but not each save", () => {
  const kept = (state: string) => frameOf({ player: create(PlayerSchema, { kept: { state } }) });
  expect(announcements(kept("saved"), kept("saving"))).toEqual([]);
  expect(announcements(kept("saving"), kept("unsaved"))).toEqual(["The world is not saved."]);
  expect(announcements(kept("unsaved"), kept("saved"))).toEqual(["The world is saved again."]);
});
