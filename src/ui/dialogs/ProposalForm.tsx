import { useState } from "react";
import type { ScenarioStep } from "../store/actions.ts";
import { useDialog, useFrameState, usePage } from "../store/page.ts";
import { useQuery } from "../store/use-query.ts";
import { Dialog } from "../widgets/Dialog.tsx";
import { Choices, Fields, SelectField, TextField } from "../widgets/Field.tsx";
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
import { type ErrorOf, StepForm } from "./StepForm.tsx";

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
const DID: Readonly<Record<What, string>> = {
  vote: "voted",
  split: "voted",
  deposit: "deposited",
  withdraw: "withdrawn it",
};
const MAIN_FIELDS: Readonly<Record<What, string>> = {
  vote: "by",
  split: "options",
  deposit: "amount",
  withdraw: "by",
};
const OPTIONS: readonly { value: What; label: string; about?: string }[] = [
  { value: "vote", label: "Vote", about: "The latest vote of an account counts." },
  { value: "split", label: "Split a vote", about: "One account, several options." },
  { value: "deposit", label: "Add to the deposit" },
  {
    value: "withdraw",
    label: "Withdraw the proposal",
    about: "Only its proposer may; part of the deposit is lost.",
  },
];

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
  return (
    <Dialog title={`Proposal ${id}`}>
      <StepForm
        step={steps[what]}
        fields={["from", "by", "options", "amount"]}
        mainField={MAIN_FIELDS[what]}
        action={ACTIONS[what]}
        doing="It waits for the next block."
        done={({ height }) => `${who} ${DID[what]} in block ${count(height)}.`}
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
              options={OPTIONS}
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
                <SelectField label="Vote" value={option} onChange={setOption}>
                  {VOTE_OPTIONS.map(([value, label]) => (
                    <option key={value} value={value}>
                      {label}
                    </option>
                  ))}
                </SelectField>
              )}
              {what === "deposit" && (
                <TextField
                  label={`Amount of ${denom}`}
                  error={errorOf("amount")}
                  inputMode="numeric"
                  value={amount}
                  onChange={setAmount}
                />
              )}
            </Fields>
            {what === "split" && (
              <SharesFields shares={shares} onChange={setShares} errorOf={errorOf} />
            )}
          </>
        )}
      </StepForm>
    </Dialog>
  );
}

interface SharesFieldsProps {
  shares: Shares;
  onChange: (shares: Shares) => void;
  errorOf: ErrorOf;
}

/** The share of each option in a split vote. */
function SharesFields({ shares, onChange, errorOf }: SharesFieldsProps) {
  return (
    <Fields>
      {VOTE_OPTIONS.map(([value, label], index) => (
        <TextField
          key={value}
          label={`${label}, %`}
          error={index === 0 ? errorOf("options") : ""}
          inputMode="numeric"
          value={shares[value]}
          onChange={(share) => onChange({ ...shares, [value]: share })}
        />
      ))}
    </Fields>
  );
}
