import { create } from "@bufbuild/protobuf";
import type { Msg } from "../../../gen/chain/upgrade/v1beta1/tx_pb.ts";
import { PlanSchema } from "../../../gen/chain/upgrade/v1beta1/upgrade_pb.ts";
import type { ServiceImpl } from "../../framework/router.ts";
import { ErrInvalidSigner } from "./errors.ts";
import type { UpgradeKeeper } from "./keeper.ts";

/** Only the authority may send both messages, which is checked first (rules/upgrade 3.1). */
export const msgServer = (keeper: UpgradeKeeper): ServiceImpl<typeof Msg> => ({
  softwareUpgrade(ctx, { authority, plan }) {
    checkAuthority(keeper, authority);
    keeper.scheduleUpgrade(ctx, plan ?? create(PlanSchema));
    return {};
  },

  cancelUpgrade(ctx, { authority }) {
    checkAuthority(keeper, authority);
    keeper.clearUpgradePlan(ctx);
    return {};
  },
});

function checkAuthority(keeper: UpgradeKeeper, input: string): void {
  if (input === keeper.authority) return;
  throw ErrInvalidSigner.wrap(`expected ${keeper.authority} got ${input}`);
}
