import { create } from "@bufbuild/protobuf";
import {
  type Duration as DurationMessage,
  DurationSchema,
  type Timestamp,
  TimestampSchema,
} from "@bufbuild/protobuf/wkt";
import { type Coin as CoinMessage, CoinSchema } from "../../../gen/chain/base/v1beta1/coin_pb.ts";
import {
  type TallyResult,
  TallyResultSchema,
  type Vote,
  type WeightedVoteOption,
} from "../../../gen/chain/gov/v1/gov_pb.ts";
import { type Coin, coinToMessage } from "../../framework/coins.ts";
import { fromTimestamp, SECOND, type Time, toTimestamp } from "../../primitives/time.ts";

export type {
  Deposit,
  Params,
  Proposal,
  TallyResult,
  Vote,
  WeightedVoteOption,
} from "../../../gen/chain/gov/v1/gov_pb.ts";
export { ProposalStatus, VoteOption } from "../../../gen/chain/gov/v1/gov_pb.ts";

export const MODULE_NAME = "gov";
/** Name under which the module writes to a node's log. */
export const LOG_MODULE = "x/gov";

export const timestamp = (time: Time): Timestamp => create(TimestampSchema, toTimestamp(time));

/** The time in a message; the epoch if it has none. */
export const timeOf = (message: Timestamp | undefined): Time =>
  message === undefined ? 0n : fromTimestamp(message);

export const durationMessage = (duration: bigint): DurationMessage =>
  create(DurationSchema, { seconds: duration / SECOND, nanos: Number(duration % SECOND) });

/** The duration in a message, in nanoseconds; 0 if it has none. */
export const durationOf = (message: DurationMessage | undefined): bigint =>
  message === undefined ? 0n : message.seconds * SECOND + BigInt(message.nanos);

export const emptyTally = (): TallyResult =>
  create(TallyResultSchema, {
    yesCount: "0",
    abstainCount: "0",
    noCount: "0",
    noWithVetoCount: "0",
  });

/** Options as events quote them: Go's JSON of the messages. Without any, Go's `null`. */
export const optionsText = (options: Vote["options"]): string =>
  options.length === 0
    ? "null"
    : JSON.stringify(options.map(({ option, weight }: WeightedVoteOption) => ({ option, weight })));

export type Coins = readonly Coin[];

export const coinMessages = (coins: Coins): CoinMessage[] =>
  coins.map((coin) => create(CoinSchema, coinToMessage(coin)));
