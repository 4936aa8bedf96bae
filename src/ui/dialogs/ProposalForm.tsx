import { useState } from "react";
import type { ScenarioStep } from "../store/actions.ts";
import { useDialog, useFrameState, usePage } from "../store/page.ts";
import { useQuery } from "../store/use-query.ts";
import { Dialog } from "../widgets/Dialog.tsx";
import { Choices, Field, Fields } from "../widgets/Field.tsx";
import { count } from "../widgets/format.ts";
import { AccountField } from "./AccountField.tsx";
import { everyone } from "./form-text.ts";
import {
  depositStep,
  type Shares,
  VOTE_OPTIONS,
  type VoteOption,
  voteStep,
  weightedVoteStep,
  withdrawStep,
} from "./proposal-step.ts";
import { StepForm } from "./StepForm.tsx";

/**
 * The name of a proposal's proposer; undefined until it is known, or for an account without a name.
 */
function useProposer(id: number): string | undefined {
  const { client } = usePage();
  const { answer } = useQuery(String(id), async () => {
    const request = { proposal_id: String(id) };
    const query = "chain.gov.v1.Query/Proposal";
    const { proposal } = await client.query<{ proposal: { proposer: string } }>(query, request);
    return proposal.proposer;
  });
  return useFrameState(
    ({ frame }) =>
      frame?.validators.find(({ accountAddress }) => accountAddress === answer)?.name ??
      frame?.accounts.find(({ address }) => address === answer)?.name,
  );
}

type What = "vote" | "split" | "deposit" | "withdraw";

const ACTIONS: Readonly<Record<What, string>> = {
  vote: "Vote",
  split: "Vote",
  deposit: "Deposit",
  withdraw: "Withdraw it",
};

/** Acts on one proposal as one account: a vote, a split vote, a deposit, or withdrawing it. */
export default function ProposalForm() {
  const id = Number(useDialog((dialog) => dialog.subject));
  const denom = useFrameState(({ frame }) => frame?.chain?.denom ?? "");
  const status = useFrameState(
    ({ frame }) => frame?.proposals.find((each) => each.id === id)?.status ?? "",
  );
  const first = useFrameState(({ frame }) => frame?.nodes[0]?.name ?? "");
  const voters = useFrameState(
    ({ frame }) => frame?.nodes.filter(({ name, validator }) => name === validator).length ?? 0,
  );
  const [what, setWhat] = useState<What>(status === "deposit" ? "deposit" : "vote");
  const proposer = useProposer(id);
  // Undefined while untouched: only the proposer may withdraw a proposal.
  const [chosen, setBy] = useState<string>();
  const by = chosen ?? ((what === "withdraw" && proposer) || first);
  const [option, setOption] = useState<VoteOption>("yes");
  const [shares, setShares] = useState<Shares>({
    yes: "70",
    no: "30",
    no_with_veto: "",
    abstain: "",
  });
  const [amount, setAmount] = useState("1000000");

  const steps: Readonly<Record<What, ScenarioStep>> = {
    vote: voteStep(id, option, by),
    split: weightedVoteStep(id, shares, by),
    deposit: depositStep(id, amount, denom, by),
    withdraw: withdrawStep(id, by),
  };
  const who = by === "all" ? everyone(voters) : `${by} has`;
  const did = { vote: "voted", split: "voted", deposit: "deposited", withdraw: "withdrawn it" }[
    what
  ];
  return (
    <Dialog title={`Proposal ${id}`}>
      <StepForm
        step={steps[what]}
        fields={["from", "by", "options", "amount"]}
        mainField={{ vote: "by", split: "options", deposit: "amount", withdraw: "by" }[what]}
        action={ACTIONS[what]}
        doing="It waits for the next block."
        done={({ height }) => `${who} ${did} in block ${count(height)}.`}
        paused="block"
      >
        {(errorOf) => (
          <>
            <Choices
              legend="What"
              value={what}
              onChange={(next) => {
                setWhat(next);
                if (next === "withdraw" || (by === "all" && next !== "vote")) setBy(undefined);
              }}
              options={[
                { value: "vote", label: "Vote", about: "The latest vote of an account counts." },
                { value: "split", label: "Split a vote", about: "One account, several options." },
                { value: "deposit", label: "Add to the deposit" },
                {
                  value: "withdraw",
                  label: "Withdraw the proposal",
                  about: "Only its proposer may; part of the deposit is lost.",
                },
              ]}
            />
            <Fields>
              <AccountField
                label="Who"
                value={by}
                onChange={setBy}
                everyone={what === "vote"}
                error={errorOf("by") || errorOf("from")}
              />
              {what === "vote" && (
                <Field label="Vote">
                  {(control) => (
                    <select
                      {...control}
                      value={option}
                      onChange={(e) => setOption(e.target.value as VoteOption)}
                    >
                      {VOTE_OPTIONS.map(([value, label]) => (
                        <option key={value} value={value}>
                          {label}
                        </option>
                      ))}
                    </select>
                  )}
                </Field>
              )}
              {what === "deposit" && (
                <Field label={`Amount of ${denom}`} error={errorOf("amount")}>
                  {(control) => (
                    <input
                      {...control}
                      inputMode="numeric"
                      value={amount}
                      onChange={(e) => setAmount(e.target.value)}
                    />
                  )}
                </Field>
              )}
            </Fields>
            {what === "split" && (
              <Fields>
                {VOTE_OPTIONS.map(([value, label], index) => (
                  <Field
                    key={value}
                    label={`${label}, %`}
                    error={index === 0 ? errorOf("options") : ""}
                  >
                    {(control) => (
                      <input
                        {...control}
                        inputMode="numeric"
                        value={shares[value]}
                        onChange={(e) => setShares({ ...shares, [value]: e.target.value })}
                      />
                    )}
                  </Field>
                ))}
              </Fields>
            )}
          </>
        )}
      </StepForm>
    </Dialog>
  );
}
