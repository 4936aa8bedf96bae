import type { Verb } from "../verb.ts";
import { doubleSign } from "./double-sign.ts";
import { expect } from "./expect.ts";
import { fault } from "./fault.ts";
import { lightClientAttack } from "./light-client-attack.ts";
import { misbehavior } from "./misbehavior.ts";
import { nodes } from "./nodes.ts";
import { partition } from "./partition.ts";
import { pass, propose } from "./propose.ts";
import { release } from "./release.ts";
import { run } from "./run.ts";
import { tx } from "./tx.ts";
import { upgrade } from "./upgrade.ts";
import { vote } from "./vote.ts";

/** Every verb of the scenario format. */
export const VERBS: ReadonlyMap<string, Verb> = new Map(
  [
    run,
    tx,
    propose,
    vote,
    pass,
    upgrade,
    misbehavior,
    doubleSign,
    lightClientAttack,
    nodes,
    partition,
    fault,
    release,
    expect,
  ].map((verb) => [verb.name, verb]),
);
