import type { Dec } from "../../../base/dec.ts";
import type { Time } from "../../../base/time.ts";
import type { Coin } from "../../framework/coins.ts";
import { stepNoter } from "../../framework/context.ts";
import { MODULE_NAME, type WeightedVoteOption } from "./types.ts";

interface OfProposal {
  readonly proposalId: bigint;
}

/** Result of the voting on a proposal, with the message that failed if one did. */
export type Closing =
  | { readonly result: "passed" | "rejected" | "converted" }
  | {
      readonly result: "failed";
      readonly index: number;
      readonly typeUrl: string;
      readonly error: string;
    };

/** Steps of the module about a proposal. */
export interface GovSteps {
  submitted: OfProposal & { readonly until: Time };
  cancelled: OfProposal;
  cancel_cost: OfProposal & { readonly coins: readonly Coin[] };
  deposit: OfProposal & { readonly total: readonly Coin[]; readonly minimum: readonly Coin[] };
  deposits_refunded: OfProposal;
  deposits_burned: OfProposal & { readonly coins: readonly Coin[] };
  voting: OfProposal & { readonly until: Time };
  vote: OfProposal & {
    readonly voter: Uint8Array;
    readonly options: readonly WeightedVoteOption[];
  };
  nothing_bonded: OfProposal;
  /** `voted` and `bonded` are tokens, `turnout` is their ratio. */
  turnout: OfProposal & {
    readonly voted: bigint;
    readonly bonded: bigint;
    readonly turnout: Dec;
    readonly quorum: Dec;
  };
  all_abstained: OfProposal;
  veto: OfProposal & { readonly share: Dec; readonly threshold: Dec };
  yes: OfProposal & { readonly share: Dec; readonly threshold: Dec };
  closed: OfProposal & { readonly closing: Closing };
  dropped: OfProposal;
  unsupported: OfProposal & { readonly error: string };
  execute: { readonly typeUrl: string; readonly error?: string };
}

export const note = stepNoter<GovSteps>(MODULE_NAME);

/** Returns the text of a voting result; the chain's log and event have the same. */
export function closingText(closing: Closing): string {
  switch (closing.result) {
    case "passed":
    case "rejected":
      return closing.result;
    case "converted":
      return "expedited proposal converted to regular";
    case "failed": {
      const { index, typeUrl, error } = closing;
      return `passed, but msg ${index} (${typeUrl}) failed on execution: ${error}`;
    }
    default:
      return closing satisfies never;
  }
}
