/** Converts the `genesis` section to a world's spec. */

import { USUAL_PREFIX } from "../base/address-prefix.ts";
import { setAddressPrefix } from "../base/bech32.ts";
import type { BinarySpec } from "../engine/app/binary.ts";
import { POWER_REDUCTION } from "../engine/modules/staking/types.ts";
import { equalValidators, newWorldSpec } from "../engine/simulation/genesis/new-world.ts";
import { misfits } from "../engine/simulation/genesis/param-checks.ts";
import { PARAMS_MODULES } from "../engine/simulation/genesis/params.ts";
import {
  OPERATOR_BALANCE,
  type ValidatorSpec,
  type WorldSpec,
} from "../engine/simulation/genesis/world-spec.ts";
import { type Coin, MAX_SUPPLY } from "./fields.ts";
import { BUILT_IN_ROUTES } from "./format-world.ts";
import { foreignAmounts, readParams } from "./genesis-params.ts";
import type { SourceGenesis } from "./genesis-schema.ts";
import { RESERVED } from "./names.ts";
import type { Problem } from "./problems.ts";

/** The spec of a world. Reports problems beyond the schema: denoms, names, sums, periods. */
export function buildSpec(
  source: SourceGenesis,
  seed: number,
  binaries: readonly BinarySpec[],
  report: (problem: Problem) => void,
): WorldSpec {
  const { denom } = source;
  const inGenesis = (message: string, ...path: (string | number)[]): void =>
    report({ path: ["genesis", ...path], message });
  const amountOf = (
    { amount: value, denom: found }: Coin,
    ...path: (string | number)[]
  ): bigint => {
    if (found !== denom) inGenesis(`expected an amount of ${denom}, found ${found}`, ...path);
    return value;
  };
  const accounts = Object.entries(source.accounts).map(([account, held]) => ({
    name: account,
    amount: amountOf(held, "accounts", account),
  }));
  const list = validatorList(source);
  checkNames(accounts, list, binaries, inGenesis);
  checkSums(accounts, list, inGenesis);
  const known = [...BUILT_IN_ROUTES, ...source.evidence_types];
  source.evidence_routes.forEach((route, i) => {
    if (known.includes(route)) return;
    inGenesis(
      `there is no evidence type ${route}; there are ${known.join(", ")}`,
      "evidence_routes",
      i,
    );
  });
  if (new Set(source.evidence_routes).size < source.evidence_routes.length) {
    inGenesis("expected every route once", "evidence_routes");
  }
  const { slashing, staking, gov } = source;
  const spec = newWorldSpec({
    seed,
    chainId: source.chain_id,
    genesisTime: source.genesis_time,
    initialHeight: source.initial_height,
    ...(source.prefix === USUAL_PREFIX ? {} : { prefix: source.prefix }),
    profile: source.profile,
    blockTime: source.block_time,
    denom,
    maxEvidenceAge: source.max_evidence_age,
    maxEvidenceAgeBlocks: source.max_evidence_age_blocks,
    ...(source.max_evidence_bytes === undefined
      ? {}
      : { maxEvidenceBytes: source.max_evidence_bytes }),
    evidenceRoutes: source.evidence_routes,
    commits: source.commits,
    slashing: readParams("slashing", slashing),
    staking: readParams("staking", staking),
    gov: readParams("gov", gov),
    safetyDelta: gov.safety_delta,
    accounts,
    validators: list,
    binaries,
  });
  setAddressPrefix(spec.prefix);
  for (const module of PARAMS_MODULES) {
    for (const { key, found } of foreignAmounts(module, source[module], denom)) {
      inGenesis(`expected an amount of ${denom}, found ${found}`, module, key);
    }
    for (const { field, expected } of misfits(module, spec[module])) {
      inGenesis(`expected ${expected}`, module, field.name);
    }
  }
  return spec;
}

type Report = (message: string, ...path: (string | number)[]) => void;

/** `validators: 4` means val-0 to val-3 with equal stake. */
function validatorList({ validators: source }: SourceGenesis): readonly ValidatorSpec[] {
  if (typeof source !== "number") return source;
  return equalValidators(source);
}

function checkNames(
  accounts: readonly { readonly name: string }[],
  list: readonly ValidatorSpec[],
  binaries: readonly BinarySpec[],
  report: Report,
): void {
  const taken = new Set(RESERVED);
  const take = (own: string, ...path: (string | number)[]): void => {
    if (taken.has(own)) report(`the name "${own}" is taken: expected another one`, ...path);
    taken.add(own);
  };
  for (const { name: account } of accounts) take(account, "accounts", account);
  list.forEach(({ name: own, binary }, index) => {
    take(own, "validators", index, "name");
    if (!binaries.some((known) => known.name === binary)) {
      const names = binaries.map((known) => known.name).join(", ");
      report(`there is no binary "${binary}": expected ${names}`, "validators", index, "binary");
    }
  });
}

function checkSums(
  accounts: readonly { readonly amount: bigint }[],
  list: readonly ValidatorSpec[],
  report: Report,
): void {
  const supply =
    accounts.reduce((sum, { amount: held }) => sum + held, 0n) +
    list.reduce((sum, { stake }) => sum + stake + OPERATOR_BALANCE, 0n);
  if (supply > MAX_SUPPLY) {
    report(`expected a supply of at most ${MAX_SUPPLY}, found ${supply}`);
  }
  if (!list.some(({ stake }) => stake >= POWER_REDUCTION)) {
    report(`expected a validator with a stake of at least ${POWER_REDUCTION}`, "validators");
  }
}
