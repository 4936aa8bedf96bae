import { create } from "@bufbuild/protobuf";
import { type Coin as CoinMessage, CoinSchema } from "../../../gen/chain/base/v1beta1/coin_pb.ts";
import {
  type TallyResult,
  TallyResultSchema,
  type Vote,
  type WeightedVoteOption,
} from "../../../gen/chain/gov/v1/gov_pb.ts";
import { type Coin, coinToMessage } from "../../framework/coins.ts";

export type {
  Deposit,
  Params,
  Proposal,
  TallyResult,
  Vote,
  WeightedVoteOption,
} from "../../../gen/chain/gov/v1/gov_pb.ts";
export { ProposalStatus, VoteOption } from "../../../gen/chain/gov/v1/gov_pb.ts";

export {
  durationMessage,
  durationOf,
  encodingError,
  timeAfter,
  timeOf,
  timestamp,
} from "../../framework/time-messages.ts";

export const MODULE_NAME = "gov";
/** Name under which the module writes to a node's log. */
export const LOG_MODULE = "x/gov";

export const emptyTally = (): TallyResult =>
  create(TallyResultSchema, {
    yesCount: "0",
    abstainCount: "0",
    noCount: "0",
    noWithVetoCount: "0",
  });

/** Options as in events: Go's JSON of the messages; Go's `null` without options. */
export const optionsText = (options: Vote["options"]): string =>
  options.length === 0
    ? "null"
    : JSON.stringify(options.map(({ option, weight }: WeightedVoteOption) => ({ option, weight })));

export type Coins = readonly Coin[];

export const coinMessages = (coins: Coins): CoinMessage[] =>
  coins.map((coin) => create(CoinSchema, coinToMessage(coin)));
