import { useState } from "react";
import { useDialog, useFrameState } from "../store/page.ts";
import { goTo } from "../store/route.ts";
import type { Node } from "../store/types.ts";
import { Dialog } from "../widgets/Dialog.tsx";
import { Choices, Field, Fields, Tick } from "../widgets/Field.tsx";
import { count } from "../widgets/format.ts";
import { useRests } from "../widgets/PausedNote.tsx";
import { asNumber, everyone } from "./form-text.ts";
import { StepForm } from "./StepForm.tsx";
import {
  type InfoCheck,
  type Proposing,
  proposalStep,
  usualCheck,
  usualHeight,
  usualPlanName,
} from "./upgrade-step.ts";
import { useSettled } from "./use-settled.ts";

/** Effect of each check on the command line, or the flag that selects it. */
const CHECKS: Readonly<Record<InfoCheck, string>> = {
  full: "As the command line does: every binary in it is downloaded.",
  no_checksums: "As with --no-checksum-required.",
  none: "As with --no-validate.",
};

/** Proposes a software upgrade or its cancellation, with or without the validators' votes. */
export default function Upgrade() {
  const subject = useDialog((dialog) => dialog.subject);
  const [kind, setKind] = useState<Proposing["kind"]>(subject === "cancel" ? "cancel" : "upgrade");
  const [how, setHow] = useState<Proposing["how"]>("pass");
  const usual = { name: useSettled(usualPlanName), at: useSettled(usualHeight) };
  const [typedName, setName] = useState<string>();
  const [typedAt, setAt] = useState<string>();
  const [name, at] = [typedName ?? usual.name, typedAt ?? String(usual.at)];
  const [info, setInfo] = useState("");
  const [more, setMore] = useState(false);
  const [chosen, setChosen] = useState<InfoCheck>();
  const [expedited, setExpedited] = useState(false);
  const [wantsBinary, setWantsBinary] = useState(true);

  const height = useFrameState(({ frame }) => frame?.chain?.height ?? 0);
  const plan = useFrameState(({ frame }) => frame?.plan?.name ?? "");
  const planHeight = useFrameState(({ frame }) => frame?.plan?.height ?? 0);
  const carried = useFrameState(({ frame }) =>
    Boolean(frame?.binaries.some(({ handlers }) => handlers.includes(name))),
  );
  const voters = useFrameState(({ frame }) => frame?.nodes.filter(hasOwnKey).length ?? 0);
  const check = chosen ?? usualCheck(info);
  const build = wantsBinary && !carried;
  const rests = useRests();
  const said = { name, at: asNumber(at), info, check, expedited, build };
  const step = proposalStep({ kind, how, rests, ...said });
  const passing = how === "pass";

  return (
    <Dialog title={kind === "upgrade" ? "Propose an upgrade" : "Propose to cancel the upgrade"}>
      <StepForm
        step={step}
        fields={["name", "at", ...(more ? ["info"] : [])]}
        action={passing ? "Propose, all vote yes" : "Propose"}
        doing={
          passing && rests
            ? "The chain runs until voting ends."
            : "The proposal waits for its block."
        }
        done={({ value, height }) => {
          const block = `block ${count(height)}`;
          if (!passing) return `Proposal ${value} is in ${block}.`;
          return rests
            ? `${everyone(voters)} voted yes; voting on proposal ${value} ended with ${block}.`
            : `${everyone(voters)} voted yes in ${block}.`;
        }}
        paused={passing ? "vote" : "block"}
        onDone={() => goTo({ view: passing ? "upgrades" : "governance" })}
      >
        {(errorOf) => (
          <>
            <Choices
              legend="What"
              beside
              value={kind}
              onChange={setKind}
              options={[
                { value: "upgrade", label: "A software upgrade" },
                {
                  value: "cancel",
                  label: plan
                    ? `Cancel the plan ${plan}, due at ${count(planHeight)}`
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
                    hint="A binary must have a handler of this name."
                    error={errorOf("name")}
                  >
                    {(control) => (
                      <input {...control} value={name} onChange={(e) => setName(e.target.value)} />
                    )}
                  </Field>
                  <Field
                    label="At height"
                    hint={`The chain is at ${count(height)}.`}
                    error={errorOf("at")}
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
                {!carried && (
                  <Tick
                    label="Make a binary for it"
                    hint={`No binary has a Handler "${name}" yet: the newest one gets it.`}
                    checked={wantsBinary}
                    onChange={setWantsBinary}
                  />
                )}
              </>
            )}
            <Tick
              label="Expedited"
              hint="A shorter vote with a higher threshold and deposit."
              checked={expedited}
              onChange={setExpedited}
            />
            <Choices
              legend="And then"
              beside
              value={how}
              onChange={setHow}
              options={[
                { value: "pass", label: "Every validator votes yes" },
                { value: "propose", label: "Only propose it", about: "You vote in Governance." },
              ]}
            />
            {kind === "upgrade" && (
              <details open={more} onToggle={({ currentTarget }) => setMore(currentTarget.open)}>
                <summary>Info of the plan</summary>
                <Info
                  info={info}
                  error={errorOf("info")}
                  check={check}
                  onInfo={setInfo}
                  onCheck={setChosen}
                />
              </details>
            )}
          </>
        )}
      </StepForm>
    </Dialog>
  );
}

interface InfoProps {
  info: string;
  error: string;
  check: InfoCheck;
  onInfo: (info: string) => void;
  onCheck: (check: InfoCheck) => void;
}

/** The plan's info, and the check before it is sent. */
function Info({ info, error, check, onInfo, onCheck }: InfoProps) {
  return (
    <Fields>
      <Field
        label="Info"
        hint="Nodes print it when they halt; sidecars download the binary that it names."
        error={error}
      >
        {(control) => <input {...control} value={info} onChange={(e) => onInfo(e.target.value)} />}
      </Field>
      <Field label="Before it is sent" hint={CHECKS[check]}>
        {(control) => (
          <select {...control} value={check} onChange={(e) => onCheck(e.target.value as InfoCheck)}>
            <option value="full">Check the info</option>
            <option value="no_checksums">Check it, without checksums</option>
            <option value="none">Send it unchecked</option>
          </select>
        )}
      </Field>
    </Fields>
  );
}

const hasOwnKey = ({ name, validator }: Node): boolean => name === validator;
