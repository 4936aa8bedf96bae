import { useState } from "react";
import { useDialog } from "../store/dialog.ts";
import { useWorld } from "../store/frame-store.ts";
import { goTo } from "../store/route.ts";
import { Dialog } from "../widgets/Dialog.tsx";
import { Choices, Field, Fields } from "../widgets/Field.tsx";
import { duration, plural } from "../widgets/format.ts";
import { asNumber } from "./as-number.ts";
import { StepForm } from "./StepForm.tsx";
import { type Proposing, proposalStep, usualHeight, usualPlanName } from "./upgrade-step.ts";

/** Proposes a software upgrade or the cancelling of one, with or without everyone's votes. */
export default function Upgrade() {
  const subject = useDialog((dialog) => dialog.subject);
  const [frame] = useState(() => useWorld.getState().frame);
  const [kind, setKind] = useState<Proposing["kind"]>(subject === "cancel" ? "cancel" : "upgrade");
  const [how, setHow] = useState<Proposing["how"]>("pass");
  const [name, setName] = useState(usualPlanName(frame));
  const [at, setAt] = useState(String(usualHeight(frame)));
  const [info, setInfo] = useState("");

  const chain = frame?.chain;
  const plan = frame?.plan?.name ? frame.plan : undefined;
  const blocks = Math.ceil(((chain?.votingSeconds ?? 0) * 1000) / (chain?.blockTimeMs || 5000));
  const step = proposalStep({ kind, how, name, at: asNumber(at), info }, frame);

  return (
    <Dialog title={kind === "upgrade" ? "Propose an upgrade" : "Propose to cancel the upgrade"}>
      <StepForm
        step={step}
        fields={["name", "at", "height", "info"]}
        action={how === "pass" ? "Propose and pass" : "Propose"}
        doing={
          how === "pass"
            ? "Everyone votes; the voting period is running."
            : "The proposal is on its way into a block."
        }
        done={(outcome) => outcome.message || "The proposal is on chain."}
        onDone={() => goTo({ view: how === "pass" ? "upgrades" : "governance" })}
      >
        {(errorOf) => (
          <>
            <Choices
              legend="What"
              value={kind}
              onChange={setKind}
              options={[
                { value: "upgrade", label: "A software upgrade" },
                {
                  value: "cancel",
                  label: plan
                    ? `Cancel the plan ${plan.name}, due at ${plan.height}`
                    : "Cancel the plan",
                  ...(!plan && { about: "Nothing is planned at the moment." }),
                },
              ]}
            />
            {kind === "upgrade" && (
              <>
                <Fields>
                  <Field
                    label="Name of the plan"
                    hint="A binary must carry a Handler of this name."
                    error={errorOf("name")}
                  >
                    {(control) => (
                      <input {...control} value={name} onChange={(e) => setName(e.target.value)} />
                    )}
                  </Field>
                  <Field
                    label="At height"
                    hint={`The chain is at ${chain?.height}; voting takes ${plural(blocks, "block")}.`}
                    error={errorOf("at") || errorOf("height")}
                  >
                    {(control) => (
                      <input
                        {...control}
                        inputMode="numeric"
                        value={at}
                        onChange={(e) => setAt(e.target.value)}
                      />
                    )}
                  </Field>
                </Fields>
                <Field
                  label="Info"
                  hint="Free text for operators; nodes print it when they stop."
                  error={errorOf("info")}
                >
                  {(control) => (
                    <input {...control} value={info} onChange={(e) => setInfo(e.target.value)} />
                  )}
                </Field>
              </>
            )}
            <Choices
              legend="And then"
              value={how}
              onChange={setHow}
              options={[
                {
                  value: "pass",
                  label: "Every validator votes yes",
                  about: `Runs to the end of the voting period, ${duration(chain?.votingSeconds ?? 0)} of chain time.`,
                },
                { value: "propose", label: "Only propose it", about: "You vote in Governance." },
              ]}
            />
          </>
        )}
      </StepForm>
    </Dialog>
  );
}
