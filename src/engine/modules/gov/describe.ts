import {
  DepositSchema,
  ParamsSchema,
  ProposalSchema,
  VoteSchema,
} from "../../../gen/chain/gov/v1/gov_pb.ts";
import {
  accountPart,
  describer,
  numberPart,
  numberText,
  timePart,
} from "../../framework/describe.ts";
import { messageText } from "../../framework/message-text.ts";
import { PREFIX } from "./keys.ts";

export const describe = describer(PREFIX, {
  proposal: { kind: "proposal", of: [numberPart], value: messageText(ProposalSchema) },
  activeQueue: { kind: "end of voting", of: [timePart, numberPart], value: numberText },
  inactiveQueue: { kind: "end of deposit period", of: [timePart, numberPart], value: numberText },
  nextProposalId: { kind: "next proposal id", value: numberText },
  votingPeriod: { kind: "in voting period", of: [numberPart] },
  deposit: { kind: "deposit", of: [numberPart, accountPart], value: messageText(DepositSchema) },
  vote: { kind: "vote", of: [numberPart, accountPart], value: messageText(VoteSchema) },
  params: { kind: "params", value: messageText(ParamsSchema) },
});
