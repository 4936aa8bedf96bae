import { useState } from "react";
import type { ScenarioStep } from "../store/actions.ts";
import { useDialog, useFrameState } from "../store/page.ts";
import { Dialog } from "../widgets/Dialog.tsx";
import { Choices, Field, Fields } from "../widgets/Field.tsx";
import { count } from "../widgets/format.ts";
import { AccountField } from "./AccountField.tsx";
import { addressOf, txStep } from "./proposal-step.ts";
import { StepForm } from "./StepForm.tsx";

type What = "delegate" | "undelegate" | "redelegate" | "send";

const DONE: Readonly<Record<What, string>> = {
  delegate: "delegated",
  undelegate: "undelegated",
  redelegate: "redelegated",
  send: "sent",
};

/** Moves stake or coins by hand, for one validator. */
export default function StakeForm() {
  const validator = useDialog((dialog) => dialog.subject);
  const denom = useFrameState(({ frame }) => frame?.chain?.denom ?? "");
  const another = useFrameState(
    ({ frame }) => frame?.validators.find(({ name }) => name !== validator)?.name ?? "",
  );
  const account = useFrameState(
    ({ frame }) =>
      frame?.accounts.find(({ name }) => frame.validators.every((one) => one.name !== name))?.name,
  );
  const [what, setWhat] = useState<What>("delegate");
  // Undefined while untouched: what is taken from a validator is mostly its own.
  const [chosen, setBy] = useState<string>();
  const takes = what === "undelegate" || what === "redelegate";
  const by = chosen ?? (takes ? validator : (account ?? another));
  const [to, setTo] = useState(another);
  const [text, setText] = useState("1000000");
  const amount = { denom, amount: text };
  const delegator = addressOf(by);
  const own = addressOf(`${validator}.valoper`);
  const staking = (type: string, message: object) =>
    txStep(by, `staking.v1beta1.${type}`, { delegator_address: delegator, ...message, amount });

  const steps: Readonly<Record<What, ScenarioStep>> = {
    delegate: staking("MsgDelegate", { validator_address: own }),
    undelegate: staking("MsgUndelegate", { validator_address: own }),
    redelegate: staking("MsgBeginRedelegate", {
      validator_src_address: own,
      validator_dst_address: addressOf(`${to}.valoper`),
    }),
    send: txStep(by, "bank.v1beta1.MsgSend", {
      from_address: delegator,
      to_address: addressOf(validator),
      amount: [amount],
    }),
  };
  return (
    <Dialog title={`Stake of ${validator}`}>
      <StepForm
        step={steps[what]}
        fields={["from", "amount"]}
        mainField="amount"
        action={
          {
            delegate: "Delegate",
            undelegate: "Undelegate",
            redelegate: "Redelegate",
            send: "Send",
          }[what]
        }
        doing="It waits for the next block."
        done={({ height }) =>
          `${by} has ${DONE[what]} ${count(Number(text))} ${denom} in block ${count(height)}.`
        }
        paused="block"
      >
        {(errorOf) => (
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
              <AccountField label="Who" value={by} onChange={setBy} error={errorOf("from")} />
              <Field label={`Amount of ${denom}`} error={errorOf("amount")}>
                {(control) => (
                  <input
                    {...control}
                    inputMode="numeric"
                    value={text}
                    onChange={(e) => setText(e.target.value)}
                  />
                )}
              </Field>
              {what === "redelegate" && (
                <AccountField label="To" value={to} onChange={setTo} operators />
              )}
            </Fields>
          </>
        )}
      </StepForm>
    </Dialog>
  );
}
