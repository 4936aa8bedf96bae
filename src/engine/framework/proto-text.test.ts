import { create } from "@bufbuild/protobuf";
import { AnySchema } from "@bufbuild/protobuf/wkt";
import { expect, test } from "vitest";
import { VoteOption, WeightedVoteOptionSchema } from "../../gen/chain/gov/v1/gov_pb.ts";
import { MsgVoteWeightedSchema } from "../../gen/chain/gov/v1/tx_pb.ts";
import { protoText } from "./proto-text.ts";

test("fields in order of numbers, unset ones left out, lists field by field, enums by name", () => {
  const message = create(MsgVoteWeightedSchema, {
    proposalId: 7n,
    options: [
      create(WeightedVoteOptionSchema, { option: VoteOption.YES, weight: "0.5" }),
      create(WeightedVoteOptionSchema, { option: 77 as VoteOption }),
      create(WeightedVoteOptionSchema),
    ],
    metadata: 'a"b\\\n\u00e9',
  });
  expect(protoText(MsgVoteWeightedSchema, message)).toBe(
    'proposal_id:7 options:<option:VOTE_OPTION_YES weight:"0.5" > options:<option:77 > options:<> metadata:"a\\"b\\\\\\n\\303\\251" ',
  );
});

test("bytes are quoted as text is, what is not ASCII in octal", () => {
  const any = create(AnySchema, { typeUrl: "/x.Y", value: Uint8Array.of(0, 9, 65, 127, 255) });
  expect(protoText(AnySchema, any)).toBe('type_url:"/x.Y" value:"\\000\\tA\\177\\377" ');
});
