import { useState } from "react";
import type { ScenarioStep } from "../store/actions.ts";
import { useDialog, useFrameState, usePage } from "../store/page.ts";
import { useQuery } from "../store/use-query.ts";
import { Dialog } from "../widgets/Dialog.tsx";
import { Choices, Fields, TextField } from "../widgets/Field.tsx";
import { count, amount as grouped } from "../widgets/format.ts";
import { AccountField } from "./AccountField.tsx";
import { addressOf, txStep } from "./proposal-step.ts";
import { StepForm } from "./StepForm.tsx";

type What = "delegate" | "undelegate" | "redelegate" | "send";

const ACTIONS: Readonly<Record<What, string>> = {
  delegate: "Delegate",
  undelegate: "Undelegate",
  redelegate: "Redelegate",
  send: "Send",
};
const DONE: Readonly<Record<What, string>> = {
  delegate: "delegated",
  undelegate: "undelegated",
  redelegate: "redelegated",
  send: "sent",
};

interface Transfer {
  readonly by: string;
  readonly validator: string;
  /** The destination of a redelegation. */
  readonly to: string;
  readonly amount: { readonly denom: string; readonly amount: string };
}

function stepOf(what: What, { by, validator, to, amount }: Transfer): ScenarioStep {
  const delegator = addressOf(by);
  const own = addressOf(`${validator}.valoper`);
  const staking = (type: string, message: object) =>
    txStep(by, `staking.v1beta1.${type}`, { delegator_address: delegator, ...message, amount });
  switch (what) {
    case "delegate":
      return staking("MsgDelegate", { validator_address: own });
    case "undelegate":
      return staking("MsgUndelegate", { validator_address: own });
    case "redelegate":
      return staking("MsgBeginRedelegate", {
        validator_src_address: own,
        validator_dst_address: addressOf(`${to}.valoper`),
      });
    case "send":
      return txStep(by, "bank.v1beta1.MsgSend", {
        from_address: delegator,
        to_address: addressOf(validator),
        amount: [amount],
      });
  }
}

/** Moves stake or coins manually, for one validator. */
export default function StakeForm() {
  const validator = useDialog((dialog) => dialog.subject);
  const denom = useFrameState(({ frame }) => frame?.chain?.denom ?? "");
  const another = useFrameState(
    ({ frame }) => frame?.validators.find(({ name }) => name !== validator)?.name ?? "",
  );
  const account = useFrameState(
    ({ frame }) =>
      frame?.accounts.find(
        ({ name, module }) => !module && frame.validators.every((one) => one.name !== name),
      )?.name,
  );
  const stakes = useStakes(validator);
  const others = useFrameState(
    ({ frame }) =>
      frame?.validators
        .filter(({ name, bond }) => name !== validator && bond !== "removed")
        .map(({ name }) => name)
        .join("\n") ?? "",
  );
  const [what, setWhat] = useState<What>("delegate");
  // Undefined while untouched: the default for undelegating is the validator's own stake.
  const [chosen, setBy] = useState<string>();
  const takes = what === "undelegate" || what === "redelegate";
  const usual = takes ? validator : (account ?? (another || validator));
  // Only accounts with stake at the validator can undelegate.
  const holders = takes && stakes && stakes.size > 0 ? [...stakes.keys()] : undefined;
  const wanted = chosen ?? usual;
  const by = !holders || holders.includes(wanted) ? wanted : (holders[0] ?? wanted);
  const held = stakes?.get(by);
  const [to, setTo] = useState(another);
  const [text, setText] = useState("1000000");
  return (
    <Dialog title={`Stake of ${validator}`}>
      <StepForm
        step={stepOf(what, { by, validator, to, amount: { denom, amount: text } })}
        fields={["from", "amount"]}
        mainField="amount"
        action={ACTIONS[what]}
        doing="It waits for the next block."
        done={({ height }) =>
          `${by} has ${DONE[what]} ${count(Number(text))} ${denom} in block ${count(height)}.`
        }
        paused="block"
      >
        {(errorOf) => {
          const refusal = resultText(errorOf("amount"), { by, validator, denom, typed: text });
          const whose = refusal.startsWith(by) && refusal.includes("no stake with");
          return (
            <>
              <Choices
                legend="What"
                value={what}
                onChange={setWhat}
                options={[
                  { value: "delegate", label: `Delegate to ${validator}` },
                  { value: "undelegate", label: `Undelegate from ${validator}` },
                  { value: "redelegate", label: "Redelegate to another validator" },
                  { value: "send", label: `Send to the account of ${validator}` },
                ]}
              />
              <Fields>
                <AccountField
                  label={what === "send" ? "From" : "Who"}
                  value={by}
                  onChange={setBy}
                  only={holders}
                  hint={takes && held ? `Has ${grouped(held)} ${denom} with ${validator}.` : ""}
                  error={errorOf("from") || (whose ? refusal : "")}
                />
                <TextField
                  label={`Amount of ${denom}`}
                  error={whose ? "" : refusal}
                  inputMode="numeric"
                  value={text}
                  onChange={setText}
                />
                {what === "redelegate" && (
                  <AccountField label="To" value={to} onChange={setTo} only={others.split("\n")} />
                )}
              </Fields>
            </>
          );
        }}
      </StepForm>
    </Dialog>
  );
}

interface Delegations {
  readonly delegation_responses: readonly {
    readonly delegation: { readonly delegator_address: string };
    readonly balance: { readonly amount: string };
  }[];
}

/** Stake of each named account with a validator; undefined until loaded. */
function useStakes(validator: string): ReadonlyMap<string, string> | undefined {
  const { client, frames } = usePage();
  const known = useFrameState(({ frame }) => {
    const found = frame?.validators.find(({ name }) => name === validator);
    return `${found?.operatorAddress ?? ""} ${found?.tokens ?? ""}`;
  });
  const { answer } = useQuery(known, async () => {
    const [validator_addr = ""] = known.split(" ");
    const query = "chain.staking.v1beta1.Query/ValidatorDelegations";
    const { delegation_responses } = await client.query<Delegations>(query, { validator_addr });
    const accounts = frames.getState().frame?.accounts ?? [];
    const names = new Map(accounts.map(({ address, name }) => [address, name]));
    return new Map(
      delegation_responses.flatMap(({ delegation, balance }) => {
        const name = names.get(delegation.delegator_address);
        return name === undefined ? [] : [[name, balance.amount] as const];
      }),
    );
  });
  return answer;
}

/** The chain's refusal in a readable form; one without such a form is unchanged. */
function resultText(
  refusal: string,
  { by, validator, denom, typed }: Readonly<Record<"by" | "validator" | "denom" | "typed", string>>,
): string {
  if (refusal.includes("no delegation for")) return `${by} has no stake with ${validator}.`;
  if (refusal !== "" && !/^0*[1-9]\d*$/.test(typed)) return "A whole number above 0 is expected.";
  if (/invalid shares amount|not enough delegation shares/.test(refusal))
    return `${by} has less than that with ${validator}.`;
  const poor = /(\d+)[a-z]\S* is smaller than \d+/.exec(refusal);
  if (poor) return `${by} has ${grouped(poor[1] ?? "0")} ${denom} to spend: insufficient funds.`;
  return refusal;
}
