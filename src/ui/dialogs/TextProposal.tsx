import { useState } from "react";
import { useFrameState } from "../store/page.ts";
import { goTo } from "../store/route.ts";
import { Dialog } from "../widgets/Dialog.tsx";
import { Fields, TextField, Tick } from "../widgets/Field.tsx";
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
            <TextField label="Title" error={errorOf("title")} value={title} onChange={setTitle} />
            <TextField
              label="Text"
              hint="At most 255 bytes."
              error={errorOf("metadata")}
              value={metadata}
              onChange={setMetadata}
            />
            <Fields>
              <AccountField label="Who" value={from} onChange={setFrom} error={errorOf("from")} />
              <TextField
                label={`Deposit (${denom})`}
                hint="Leave empty for the minimum. With less, the proposal waits in the deposit period."
                error={errorOf("deposit")}
                inputMode="numeric"
                value={deposit}
                onChange={setDeposit}
              />
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
