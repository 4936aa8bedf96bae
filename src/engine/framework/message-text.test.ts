import { create, type DescMessage, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { AnySchema } from "@bufbuild/protobuf/wkt";
import { expect, test } from "vitest";
import { utf8 } from "../../base/bytes.ts";
import { ProposalSchema, ProposalStatus } from "../../gen/chain/gov/v1/gov_pb.ts";
import {
  ParamsSchema,
  ValidatorSigningInfoSchema,
} from "../../gen/chain/slashing/v1beta1/slashing_pb.ts";
import { BondStatus, ValidatorSchema } from "../../gen/chain/staking/v1beta1/staking_pb.ts";
import { MsgSoftwareUpgradeSchema } from "../../gen/chain/upgrade/v1beta1/tx_pb.ts";
import { PlanSchema } from "../../gen/chain/upgrade/v1beta1/upgrade_pb.ts";
import { packInit } from "./codec.ts";
import { messageText } from "./message-text.ts";

function read<D extends DescMessage>(schema: D, init: MessageInitShape<D>): unknown {
  return JSON.parse(messageText(schema)(toBinary(schema, create(schema, init))));
}

test("enums are read by name, decimals with their point, times as RFC 3339", () => {
  expect(
    read(ValidatorSchema, {
      status: BondStatus.BONDED,
      tokens: "95000000",
      delegatorShares: "100000000000000000000000000",
      unbondingTime: { seconds: 1_769_040_030n, nanos: 5_000_000 },
      commission: { commissionRates: { rate: "50000000000000000", maxRate: "0" } },
    }),
  ).toMatchObject({
    status: "BOND_STATUS_BONDED",
    tokens: "95000000",
    delegatorShares: "100000000",
    unbondingTime: "2026-01-22T00:00:30.005Z",
    commission: { commissionRates: { rate: "0.05", maxRate: "0" } },
  });
});

test("durations are read in words, and decimals also where they are stored as bytes", () => {
  expect(
    read(ParamsSchema, {
      signedBlocksWindow: 100n,
      minSignedPerWindow: utf8("500000000000000000"),
      downtimeJailDuration: { seconds: 600n },
    }),
  ).toEqual({
    signedBlocksWindow: "100",
    minSignedPerWindow: "0.5",
    downtimeJailDuration: "10 minutes",
    slashFractionDoubleSign: "",
    slashFractionDowntime: "",
  });
});

test("an Any is read as what it holds, and in hex where that is not known", () => {
  const messages = [
    packInit(MsgSoftwareUpgradeSchema, { authority: "gov", plan: { name: "v2", height: 30n } }),
    create(AnySchema, { typeUrl: "/some.Thing", value: Uint8Array.of(0xab) }),
    create(AnySchema, { typeUrl: `/${PlanSchema.typeName}`, value: Uint8Array.of(0xff) }),
  ];
  expect(read(ProposalSchema, { id: 1n, status: ProposalStatus.VOTING_PERIOD, messages })).toEqual(
    expect.objectContaining({
      id: "1",
      status: "PROPOSAL_STATUS_VOTING_PERIOD",
      messages: [
        {
          type: "/chain.upgrade.v1beta1.MsgSoftwareUpgrade",
          authority: "gov",
          plan: expect.objectContaining({ name: "v2", height: "30" }),
        },
        { type: "/some.Thing", value: "AB" },
        { type: "/chain.upgrade.v1beta1.Plan", value: "FF" },
      ],
    }),
  );
});

test("a message that is not set is left out; a number that no enum has stays one", () => {
  expect(read(ValidatorSigningInfoSchema, { tombstoned: false })).not.toHaveProperty("jailedUntil");
  expect(read(ValidatorSchema, { status: 9 as BondStatus })).toMatchObject({ status: 9 });
});
