/** Describes transactions that move stake or tokens, for their preview. */
import { fromBinary } from "@bufbuild/protobuf";
import { accAddress, valAddress } from "../base/bech32.ts";
import { formatRfc3339 } from "../base/time.ts";
import { inChain } from "../engine/framework/codec.ts";
import { timeOf } from "../engine/framework/time-messages.ts";
import type { Simulation } from "../engine/simulation/simulation.ts";
import type { TxView } from "../engine/simulation/views.ts";
import { MsgSendSchema } from "../gen/chain/bank/v1beta1/tx_pb.ts";
import type { Coin } from "../gen/chain/base/v1beta1/coin_pb.ts";
import {
  MsgBeginRedelegateResponseSchema,
  MsgBeginRedelegateSchema,
  MsgDelegateSchema,
  MsgUndelegateResponseSchema,
  MsgUndelegateSchema,
} from "../gen/chain/staking/v1beta1/tx_pb.ts";

/**
 * A sentence for the only message of a transaction, as included in a block; empty for other
 * messages.
 */
export function stakeSentence(
  sim: Simulation,
  from: string,
  { height: block, messages: [message], responses: [response] }: TxView,
): string {
  if (message === undefined || response === undefined) return "";
  const { typeUrl, value } = message;
  const moved = `In block ${block} ${from}`;
  // Changes of a block affect the validator set two heights later.
  const counts = `from block ${block + 2} on`;
  switch (inChain(typeUrl)) {
    case `/${MsgDelegateSchema.typeName}`: {
      const { validatorAddress, amount } = fromBinary(MsgDelegateSchema, value);
      const to = nameOf(sim, validatorAddress);
      return `${moved} delegates ${coin(amount)} to ${to}. Its votes carry that ${counts}, while it is in the set.`;
    }
    case `/${MsgUndelegateSchema.typeName}`: {
      const { validatorAddress, amount } = fromBinary(MsgUndelegateSchema, value);
      const { completionTime } = fromBinary(MsgUndelegateResponseSchema, response.value);
      const source = nameOf(sim, validatorAddress);
      return `${moved} takes ${coin(amount)} from ${source}, whose votes lose that ${counts}. It is locked, and can still be slashed, until ${time(completionTime)}.`;
    }
    case `/${MsgBeginRedelegateSchema.typeName}`: {
      const read = fromBinary(MsgBeginRedelegateSchema, value);
      const { completionTime } = fromBinary(MsgBeginRedelegateResponseSchema, response.value);
      const [source, to] = [read.validatorSrcAddress, read.validatorDstAddress].map((address) =>
        nameOf(sim, address),
      );
      return `${moved} moves ${coin(read.amount)} from ${source} to ${to}, whose votes change ${counts}. Until ${time(completionTime)} it can be slashed for what ${source} did before.`;
    }
    case `/${MsgSendSchema.typeName}`: {
      const { toAddress, amount } = fromBinary(MsgSendSchema, value);
      return `${moved} sends ${amount.map(coin).join(", ")} to ${nameOf(sim, toAddress)}, to be used at once.`;
    }
    default:
      return "";
  }
}

/** The name of an account, or of the validator that it operates; the address if there is none. */
function nameOf(sim: Simulation, address: string): string {
  const isOf = (bytes: Uint8Array | undefined): boolean =>
    bytes !== undefined && (accAddress(bytes) === address || valAddress(bytes) === address);
  return sim.accountNames().find((name) => isOf(sim.account(name))) ?? address;
}

const coin = (input: Coin | undefined): string => {
  const digits = (input?.amount ?? "").replace(/\B(?=(?:\d{3})+$)/g, ",");
  return `${digits} ${input?.denom ?? ""}`;
};

/** `2026-01-01 12:02:25`, in UTC. */
const time = (input: Parameters<typeof timeOf>[0]): string =>
  formatRfc3339(timeOf(input)).slice(0, 19).replace("T", " ");
