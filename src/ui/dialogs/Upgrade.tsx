import { useState } from "react";
import { useDialog, usePage } from "../store/page.ts";
import { goTo } from "../store/route.ts";
import { Dialog } from "../widgets/Dialog.tsx";
import { Choices, Field, Fields } from "../widgets/Field.tsx";
import { asNumber, duration, plural } from "../widgets/format.ts";
import { StepForm } from "./StepForm.tsx";
import {
  type InfoCheck,
  type Proposing,
  proposalStep,
  usualCheck,
  usualHeight,
  usualPlanName,
} from "./upgrade-step.ts";

/** What the command line does, or the flag with which it does. */
const CHECKS: Readonly<Record<InfoCheck, string>> = {
  full: "As the command line does: every binary in it is downloaded.",
  no_checksums: "As with --no-checksum-required.",
  none: "As with --no-validate.",
};

/** Proposes a software upgrade or the cancelling of one, with or without the validators' votes. */
export default function Upgrade() {
  const { frames } = usePage();
  const subject = useDialog((dialog) => dialog.subject);
  const [frame] = useState(() => frames.getState().frame);
  const [kind, setKind] = useState<Proposing["kind"]>(subject === "cancel" ? "cancel" : "upgrade");
  const [how, setHow] = useState<Proposing["how"]>("pass");
  const [name, setName] = useState(usualPlanName(frame));
  const [at, setAt] = useState(String(usualHeight(frame)));
  const [info, setInfo] = useState("");
  const [chosen, setChosen] = useState<InfoCheck>();

  const chain = frame?.chain;
  const plan = frame?.plan?.name ? frame.plan : undefined;
  const blocks = Math.ceil(((chain?.votingSeconds ?? 0) * 1000) / (chain?.blockTimeMs || 5000));
  const check = chosen ?? usualCheck(info);
  const step = proposalStep({ kind, how, name, at: asNumber(at), info, check }, frame);

  return (
    <Dialog title={kind === "upgrade" ? "Propose an upgrade" : "Propose to cancel the upgrade"}>
      <StepForm
        step={step}
        fields={["name", "at", "height", "info"]}
        action={how === "pass" ? "Propose and pass" : "Propose"}
        doing={
          how === "pass"
            ? "All validators vote; the voting period is running."
            : "The proposal is pending."
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
                  ...(!plan && { about: "No upgrade is planned." }),
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
                  hint="Nodes print it when they halt; sidecars download the binary that it names."
                  error={errorOf("info")}
                >
                  {(control) => (
                    <input {...control} value={info} onChange={(e) => setInfo(e.target.value)} />
                  )}
                </Field>
                <Field label="Before it is sent" hint={CHECKS[check]}>
                  {(control) => (
                    <select
                      {...control}
                      value={check}
                      onChange={(e) => setChosen(e.target.value as InfoCheck)}
                    >
                      <option value="full">Check the info</option>
                      <option value="no_checksums">Check it, without checksums</option>
                      <option value="none">Send it unchecked</option>
                    </select>
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
