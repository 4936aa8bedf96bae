import { fromAccAddress } from "../../../base/bech32.ts";
import type { Msg } from "../../../gen/chain/bank/v1beta1/tx_pb.ts";
import { coinsFromMessages, mustBeValid } from "../../framework/coins.ts";
import { errorText, sdkErrors } from "../../framework/errors.ts";
import type { ServiceImpl } from "../../framework/router.ts";
import type { BankKeeper } from "./keeper.ts";

export const msgServer = (keeper: BankKeeper): ServiceImpl<typeof Msg> => ({
  send(ctx, { fromAddress, toAddress, amount }) {
    const from = address("from", fromAddress);
    const to = address("to", toAddress);
    const coins = coinsFromMessages(amount);
    mustBeValid(coins);
    if (coins.length === 0) throw sdkErrors.invalidCoins.wrap("");
    if (keeper.blockedAddr(to)) {
      throw sdkErrors.unauthorized.wrap(`${toAddress} is not allowed to receive funds`);
    }
    keeper.sendCoins(ctx, from, to, coins);
    return {};
  },
});

function address(which: string, text: string): Uint8Array {
  try {
    return fromAccAddress(text);
  } catch (error) {
    throw sdkErrors.invalidAddress.wrap(`invalid ${which} address: ${errorText(error)}`);
  }
}
