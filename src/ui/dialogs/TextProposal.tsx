import { useState } from "react";
import { useFrameState } from "../store/page.ts";
import { goTo } from "../store/route.ts";
import { Dialog } from "../widgets/Dialog.tsx";
import { Field, Fields, Tick } from "../widgets/Field.tsx";
import { count } from "../widgets/format.ts";
import { AccountField } from "./AccountField.tsx";
import { StepForm } from "./StepForm.tsx";

/** Submits a text proposal: the chain does nothing if it passes. */
export default function TextProposal() {
  const denom = useFrameState(({ frame }) => frame?.chain?.denom ?? "");
  const first = useFrameState(({ frame }) => frame?.nodes[0]?.name ?? "");
  const [from, setFrom] = useState(first);
  const [title, setTitle] = useState("Signal proposal");
  const [metadata, setMetadata] = useState("This changes nothing on chain.");
  const [deposit, setDeposit] = useState("");
  const [expedited, setExpedited] = useState(false);
  const propose = {
    from,
    title,
    metadata,
    messages: [],
    ...(deposit !== "" && { deposit: `${deposit}${denom}` }),
    ...(expedited && { expedited }),
  };
  return (
    <Dialog title="Text proposal">
      <StepForm
        step={{ propose }}
        fields={["from", "title", "metadata", "deposit"]}
        mainField="metadata"
        action="Propose"
        doing="The proposal waits for its block."
        done={({ value, height }) => `Proposal ${value} is in block ${count(height)}.`}
        paused="block"
        onDone={() => goTo({ view: "governance" })}
      >
        {(errorOf) => (
          <>
            <Field label="Title" error={errorOf("title")}>
              {(control) => (
                <input {...control} value={title} onChange={(e) => setTitle(e.target.value)} />
              )}
            </Field>
            <Field label="Text" hint="At most 255 bytes." error={errorOf("metadata")}>
              {(control) => (
                <input
                  {...control}
                  value={metadata}
                  onChange={(e) => setMetadata(e.target.value)}
                />
              )}
            </Field>
            <Fields>
              <AccountField label="Who" value={from} onChange={setFrom} error={errorOf("from")} />
              <Field
                label={`Deposit (${denom})`}
                hint="Leave empty for the minimum. With less, the proposal waits in the deposit period."
                error={errorOf("deposit")}
              >
                {(control) => (
                  <input
                    {...control}
                    inputMode="numeric"
                    value={deposit}
                    onChange={(e) => setDeposit(e.target.value)}
                  />
                )}
              </Field>
            </Fields>
            <Tick
              label="Expedited"
              hint="A shorter vote with a higher threshold and deposit."
              checked={expedited}
              onChange={setExpedited}
            />
          </>
        )}
      </StepForm>
    </Dialog>
  );
}
