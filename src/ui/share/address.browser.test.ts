import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import type { Client } from "../../client/client.ts";
import { PlayerSchema } from "../../gen/lab/v1/lab_pb.ts";
import { createPage } from "../store/page.ts";
import { frameOf } from "../testing.ts";
import { followAddress } from "./address.ts";

test("the world that an address names is asked for, whatever is opened before it is known which one is on screen", () => {
  const asked: string[] = [];
  const openWorld = async ({ world }: { world: string }) => void asked.push(world);
  const page = createPage({ lab: { openWorld } } as unknown as Client);
  history.replaceState(null, "", "#/network?world=wanted");
  const end = followAddress(page);
  page.dialog.setState({ drawer: undefined });
  const kept = {
    id: "shown",
    name: "Mine",
    state: "saved",
    pending: 0,
    role: "owner",
    failure: "",
  };
  page.frames.setState({ frame: frameOf({ player: create(PlayerSchema, { kept }) }) });
  expect(asked).toEqual(["wanted"]);
  end();
  history.replaceState(null, "", "#");
});
