import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { moduleAddress } from "../../../base/address.ts";
import { accAddress } from "../../../base/bech32.ts";
import { type Plan, PlanSchema } from "../../../gen/chain/upgrade/v1beta1/upgrade_pb.ts";
import { ServiceRouter } from "../../framework/router.ts";
import { TestChain } from "../../framework/testing.ts";
import { createUpgradeModule } from "./module.ts";
import { registerQueries } from "./query-server.ts";

export const AUTHORITY = accAddress(moduleAddress("gov"));

export const planOf = (init: MessageInitShape<typeof PlanSchema> = {}): Plan =>
  create(PlanSchema, { name: "v2", height: 10n, ...init } as MessageInitShape<typeof PlanSchema>);

/** A chain with only the upgrade module, in a binary with some handlers. */
export function upgradeChain(...handlers: readonly string[]) {
  const chain = new TestChain("upgrade");
  const ran: string[] = [];
  const module = createUpgradeModule({ authority: AUTHORITY });
  for (const name of handlers) {
    module.keeper.setUpgradeHandler(name, (_ctx, plan, fromVM) => {
      ran.push(plan.name);
      if (plan.name === "broken") throw new Error("the migration broke");
      return new Map([...fromVM, ["bank", 5]]);
    });
  }
  const router = new ServiceRouter();
  module.registerMessages(router);
  registerQueries(router, module.keeper);
  return { chain, module, keeper: module.keeper, router, ran };
}
