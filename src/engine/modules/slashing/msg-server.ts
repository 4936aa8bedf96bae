import { fromValAddress } from "../../../base/bech32.ts";
import type { Msg } from "../../../gen/chain/slashing/v1beta1/tx_pb.ts";
import { errorText, sdkErrors } from "../../framework/errors.ts";
import type { ServiceImpl } from "../../framework/router.ts";
import { errInvalidSigner } from "./errors.ts";
import type { SlashingKeeper } from "./keeper.ts";
import { validParams } from "./types.ts";

/** @param authority address text of the account whose messages may change the parameters */
export const msgServer = (k: SlashingKeeper, authority: string): ServiceImpl<typeof Msg> => ({
  unjail(ctx, { validatorAddr }) {
    k.unjail(ctx, operatorAt(validatorAddr));
    return {};
  },

  updateParams(ctx, msg) {
    if (msg.authority !== authority) {
      throw errInvalidSigner.wrap(`invalid authority; expected ${authority}, got ${msg.authority}`);
    }
    k.setParams(ctx, validParams(msg.params));
    return {};
  },
});

function operatorAt(text: string): Uint8Array {
  try {
    return fromValAddress(text);
  } catch (error) {
    throw sdkErrors.invalidAddress.wrap(`validator input address: ${errorText(error)}`);
  }
}
