/** Attacks on light clients. Loaded separately, on the first such command. */
import { setLightClientAttackRules } from "../consensus/evidence.ts";
import { LIGHT_CLIENT_ATTACKS } from "../consensus/light-client-attack.ts";
import { reportAttack } from "../network/byzantine/light-client-attack.ts";
import type { LightClientAttackCommand } from "./command.ts";
import { acceptAttacksBy } from "./commands.ts";
import type { CommandResult } from "./views.ts";
import type { World } from "./world.ts";

/** Enables commands that attack a light client, and the check of the evidence. */
export function acceptLightClientAttacks(): void {
  setLightClientAttackRules(LIGHT_CLIENT_ATTACKS);
  acceptAttacksBy(attack);
}

function attack(
  world: World,
  { kind, by, height = world.network.ledger.committed }: LightClientAttackCommand,
): CommandResult {
  reportAttack(world.network.attackable, { kind, by: by.map((name) => world.node(name)), height });
  return {};
}
