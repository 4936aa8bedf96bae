import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import type { Client } from "../../client/client.ts";
import { PlayerSchema } from "../../gen/lab/v1/lab_pb.ts";
import { createPage, type Page } from "../store/page.ts";
import { backToLive, goLive, travelTo } from "../store/travel.ts";
import { frameOf } from "../testing.ts";
import { followAddress } from "./address.ts";

test("the world that an address names is asked for, whatever is opened before it is known which one is on screen", () => {
  const requested: string[] = [];
  const openWorld = async ({ world }: { world: string }) => void requested.push(world);
  const page = createPage({ lab: { openWorld } } as unknown as Client);
  history.replaceState(null, "", "#/network?world=wanted");
  const end = followAddress(page);
  page.dialog.setState({ drawer: undefined });
  show(page, "shown");
  expect(requested).toEqual(["wanted"]);
  end();
  history.replaceState(null, "", "#");
});

test("a world that comes while the page gives way to the presenter stays, and the address names it", () => {
  const requested: string[] = [];
  const openWorld = async ({ world }: { world: string }) => void requested.push(world);
  const page = createPage({ lab: { openWorld } } as unknown as Client);
  history.replaceState(null, "", "#/network");
  const ofPage = followAddress(page);
  show(page, "own");
  expect(location.hash).toBe("#/network?world=own");
  ofPage();
  show(page, "story");
  const ofPresenter = followAddress(page);
  expect(requested).toEqual([]);
  expect(location.hash).toBe("#/network?world=story");
  ofPresenter();
  history.replaceState(null, "", "#/network?world=own");
  followAddress(page)();
  expect(requested).toEqual(["own"]);
  history.replaceState(null, "", "#");
});

test("the address names the newest block as soon as that is gone to, before it is drawn", () => {
  const page = createPage({} as unknown as Client);
  history.replaceState(null, "", "#/network");
  const end = followAddress(page);
  show(page, "own");
  travelTo(page, 5);
  expect(location.hash).toBe("#/network?world=own&height=5");
  goLive(page);
  expect(page.frames.getState().travel).toBeDefined();
  expect(location.hash).toBe("#/network?world=own");
  const places = history.length;
  backToLive(page);
  expect(history.length).toBe(places);
  end();
  history.replaceState(null, "", "#");
});

/** Shows a world, at block 9. */
function show(page: Page, id: string): void {
  const kept = { id, name: "Mine", state: "saved", pending: 0, role: "owner", failure: "" };
  const player = create(PlayerSchema, { kept });
  page.frames.setState({ frame: frameOf({ player, chain: { height: 9, initialHeight: 1 } }) });
}
