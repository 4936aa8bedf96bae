/** Expectations about an object on screen that are satisfied now. */

import { valAddress } from "../base/bech32.ts";
import { toHexUpper } from "../base/bytes.ts";
import { drain } from "../base/drain.ts";
import type { HistoryRanges } from "../engine/simulation/history-range.ts";
import type { Simulation } from "../engine/simulation/simulation.ts";
import { ProposalStatus } from "../gen/chain/gov/v1/gov_pb.ts";
import { Query as Gov } from "../gen/chain/gov/v1/query_pb.ts";
import { Query as Staking } from "../gen/chain/staking/v1beta1/query_pb.ts";
import { Query as Upgrade } from "../gen/chain/upgrade/v1beta1/query_pb.ts";
import { query } from "../view/lab/query.ts";
import { openBlocks, openState } from "../view/lab/reading.ts";
import type { SourceStep } from "./format-command.ts";
import { parseStep } from "./parse.ts";
import { runStep } from "./runner.ts";
import type { StepContext } from "./step-context.ts";

export interface ProposedExpectation {
  readonly sentence: string;
  readonly step: SourceStep;
}

/**
 * Lists expectations about the current chain, a node, a block, a proposal or evidence, if they are
 * satisfied now.
 */
export function proposedExpectations(
  context: StepContext,
  kind: string,
  id: string,
): readonly ProposedExpectation[] {
  const { sim } = context;
  const all = new Map([...drawn(sim, kind, id)].map((one) => [one.sentence, one]));
  return [...all.values()].filter(({ step }) => isSatisfied(context, step));
}

/** Ranges that `proposedExpectations` reads. */
export function* readByExpectations(kind: string, id: string): HistoryRanges {
  if (kind !== "block" || !/^\d{1,15}$/.test(id)) return;
  yield* openBlocks(Number(id));
  yield* openState(Number(id));
}

/** True if a step `expect` is satisfied now. */
export function isSatisfied(context: StepContext, step: SourceStep): boolean {
  const read = parseStep(JSON.stringify(step), context);
  return "step" in read && drain(runStep(context, read.step, 0)).ok;
}

function* drawn(sim: Simulation, kind: string, id: string): Generator<ProposedExpectation> {
  switch (kind) {
    case "node":
      yield* ofNode(sim, id);
      break;
    case "block":
      yield* ofBlock(sim, Number(id));
      break;
    case "proposal":
      yield* ofProposal(sim, id);
      break;
    case "evidence":
      yield* ofEvidence(id);
      break;
  }
  yield* ofChain(sim);
}

function* ofChain(sim: Simulation): Generator<ProposedExpectation> {
  const { height } = sim;
  const { state } = sim.chainStatus();
  yield {
    sentence: `The chain is ${state} at height ${height}.`,
    step: { expect: { chain: state, height } },
  };
  yield appHashAt(sim, height);
  yield { sentence: "All nodes hold the same app hash.", step: { expect: { app_hash: "agreed" } } };
  yield {
    sentence: "The app hashes of the nodes differ.",
    step: { expect: { app_hash: "diverged" } },
  };
  const { plan } = query(sim, Upgrade.method.currentPlan, {});
  if (plan) {
    yield {
      sentence: `The upgrade ${plan.name} is planned for ${plan.height}.`,
      step: {
        expect: {
          get: "/chain/upgrade/v1beta1/current_plan",
          json: { plan: { name: plan.name, height: `${plan.height}` } },
        },
      },
    };
  }
  for (const { name } of sim.spec.validators.slice(0, MOST_LISTED)) yield* tokensOf(sim, name);
}

/** Maximum validators whose tokens are proposed with the chain. */
const MOST_LISTED = 8;

function* ofNode(sim: Simulation, name: string): Generator<ProposedExpectation> {
  const node = sim.node(name);
  if (node === undefined) return;
  yield* tokensOf(sim, name);
  yield {
    sentence: `${name} is ${node.process}.`,
    step: { expect: { node: name, is: node.process } },
  };
  const account = sim.account(name);
  if (account === undefined) return;
  const operator = valAddress(account);
  const validator = validatorOf(sim, operator);
  if (validator === undefined) return;
  const { jailed } = validator;
  yield {
    sentence: `${name} is ${jailed ? "" : "not "}jailed.`,
    step: {
      expect: {
        get: `/chain/staking/v1beta1/validators/\${${name}.valoper}`,
        json: { validator: { jailed } },
      },
    },
  };
}

function* tokensOf(sim: Simulation, name: string): Generator<ProposedExpectation> {
  const account = sim.account(name);
  const tokens = account && validatorOf(sim, valAddress(account))?.tokens;
  if (tokens === undefined) return;
  yield {
    sentence: `${name} has ${tokens} tokens.`,
    step: { expect: { tokens: name, is: tokens } },
  };
}

function validatorOf(sim: Simulation, validatorAddr: string) {
  return answerOrNone(() => query(sim, Staking.method.validator, { validatorAddr }).validator);
}

function* ofBlock(sim: Simulation, height: number): Generator<ProposedExpectation> {
  if (!Number.isSafeInteger(height) || height < 0 || height > sim.height) return;
  yield appHashAt(sim, height);
  const found = sim.block(height);
  const all = [...(found?.events ?? []), ...(found?.txs ?? []).flatMap(({ events }) => events)];
  const counts = new Map<string, number>();
  for (const { type } of all) counts.set(type, (counts.get(type) ?? 0) + 1);
  for (const [type, count] of counts) {
    yield {
      sentence: `Block ${height} has ${count} ${count === 1 ? "event" : "events"} ${type}.`,
      step: { expect: { events: { type }, count, from: height, to: height } },
    };
  }
}

function appHashAt(sim: Simulation, height: number): ProposedExpectation {
  const hash = toHexUpper(sim.state(height).appHash);
  return {
    sentence: `The app hash after block ${height} is ${hash.slice(0, 8)}….`,
    step: { expect: { app_hash: hash, height } },
  };
}

function* ofProposal(sim: Simulation, id: string): Generator<ProposedExpectation> {
  if (!/^[0-9]{1,15}$/.test(id)) return;
  const found = answerOrNone(
    () => query(sim, Gov.method.proposal, { proposalId: BigInt(id) }).proposal,
  );
  if (found === undefined) return;
  const status = `PROPOSAL_STATUS_${ProposalStatus[found.status]}`;
  yield {
    sentence: `Proposal ${id} has the status ${status}.`,
    step: {
      expect: { get: `/chain/gov/v1/proposals/${id}`, json: { proposal: { status } } },
    },
  };
}

function* ofEvidence(hash: string): Generator<ProposedExpectation> {
  if (!/^[0-9A-F]{64}$/i.test(hash)) return;
  const step = (value: string) => ({
    expect: { store: "evidence", key: `00${hash.toUpperCase()}`, value },
  });
  yield { sentence: "This evidence is stored.", step: step("present") };
  yield { sentence: "This evidence is not stored.", step: step("absent") };
}

/** Returns the answer; undefined if the query throws. */
function answerOrNone<T>(question: () => T): T | undefined {
  try {
    return question();
  } catch {
    return undefined;
  }
}
