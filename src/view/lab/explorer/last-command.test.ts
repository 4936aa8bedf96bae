import { create } from "@bufbuild/protobuf";
import { anyPack } from "@bufbuild/protobuf/wkt";
import { expect, test } from "vitest";
import type { Command } from "../../../engine/simulation/command.ts";
import { MsgSubmitProposalSchema, MsgVoteSchema } from "../../../gen/chain/gov/v1/tx_pb.ts";
import { commandTitle } from "./last-command.ts";

const vote = anyPack(MsgVoteSchema, create(MsgVoteSchema, {}));
const propose = (title: string) =>
  anyPack(MsgSubmitProposalSchema, create(MsgSubmitProposalSchema, { title }));

const CASES: readonly (readonly [Command, string])[] = [
  [{ type: "tx", signer: "a", messages: [propose("A")] }, "submit proposal “A”"],
  [{ type: "tx", signer: "a", messages: [vote, vote, propose("")] }, "vote, submit proposal"],
  [{ type: "tx", signer: "a", messages: [] }, "transaction without messages"],
  [{ type: "double_sign", node: "val-1" }, "double sign of val-1"],
  [{ type: "misbehavior", kind: 1, validator: "val-1", height: 7 }, "misbehavior of val-1 at 7"],
  [{ type: "node", node: "n", action: { kind: "install", binary: "v2" } }, "n: install v2"],
  [{ type: "node", node: "n", action: { kind: "remove_twin" } }, "n: remove twin"],
  [{ type: "partition", groups: [["a"], ["b"]] }, "partition the network"],
  [{ type: "fault", kind: "crash", node: "n" }, "fault: n crash"],
  [{ type: "clear_faults" }, "clear the faults"],
];

test.each(CASES)("%j is told as “%s”", (command, title) => {
  expect(commandTitle(command)).toBe(title);
});

test("a title that is quoted has its unseen characters shown, and is shortened", () => {
  const title = commandTitle({
    type: "tx",
    signer: "a",
    messages: [propose(`\u202e${"x".repeat(500)}`)],
  });
  expect(title).toContain("⟨U+202E⟩xxx");
  expect(title).toHaveLength("submit proposal “”".length + 60);
});
