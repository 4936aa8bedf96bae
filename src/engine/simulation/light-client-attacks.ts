/** Attacks on light clients. No world needs them before one is ordered: they load apart. */
import { knowLightClientAttacks } from "../consensus/evidence.ts";
import { LIGHT_CLIENT_ATTACKS } from "../consensus/light-client-attack.ts";
import { reportAttack } from "../network/byzantine/light-client-attack.ts";
import type { LightClientAttackCommand } from "./command.ts";
import { acceptAttacksBy } from "./commands.ts";
import type { CommandResult } from "./views.ts";
import type { World } from "./world.ts";

/** Has worlds take commands that attack a light client, and judge the evidence of it. */
export function acceptLightClientAttacks(): void {
  knowLightClientAttacks(LIGHT_CLIENT_ATTACKS);
  acceptAttacksBy(attack);
}

function attack(
  world: World,
  { kind, by, height = world.network.ledger.committed }: LightClientAttackCommand,
): CommandResult {
  reportAttack(world.network.attackable, { kind, by: by.map((name) => world.node(name)), height });
  return {};
}
