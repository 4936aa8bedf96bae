import { useState } from "react";
import type { Outcome } from "../store/actions.ts";
import { useDialog, useFrameState } from "../store/page.ts";
import { goTo } from "../store/route.ts";
import type { Node } from "../store/types.ts";
import { Dialog } from "../widgets/Dialog.tsx";
import { Choices, Fields, SelectField, TextField, Tick } from "../widgets/Field.tsx";
import { count } from "../widgets/format.ts";
import { useRests } from "../widgets/PausedNote.tsx";
import { asNumber, everyone } from "./form-text.ts";
import { type ErrorOf, StepForm } from "./StepForm.tsx";
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

/** Field values as typed; undefined while untouched, for those that follow the chain. */
interface Typed {
  readonly kind: Proposing["kind"];
  readonly how: Proposing["how"];
  readonly name?: string;
  readonly at?: string;
  readonly info: string;
  readonly check?: InfoCheck;
  readonly expedited: boolean;
  readonly wantsBinary: boolean;
}

/** The form: as typed, and otherwise with the usual values for the chain as it is now. */
function useProposing() {
  const subject = useDialog((dialog) => dialog.subject);
  const usual = { name: useSettled(usualPlanName), at: useSettled(usualHeight) };
  const [typed, setTyped] = useState<Typed>({
    kind: subject === "cancel" ? "cancel" : "upgrade",
    how: "pass",
    info: "",
    expedited: false,
    wantsBinary: true,
  });
  const form = {
    ...{ ...usual, check: usualCheck(typed.info), ...typed },
    at: typed.at ?? String(usual.at),
  };
  const set = (change: Partial<Typed>): void => setTyped({ ...typed, ...change });
  return { form, set };
}

type Form = ReturnType<typeof useProposing>["form"];

interface FieldsProps {
  form: Form;
  set: (change: Partial<Typed>) => void;
  errorOf: ErrorOf;
}

/** Proposes a software upgrade or its cancellation, with or without the validators' votes. */
export default function Upgrade() {
  const { form, set } = useProposing();
  const { kind, how, name, at, info, check, expedited, wantsBinary } = form;
  const [more, setMore] = useState(false);
  const hasHandler = useHasHandler(name);
  const voters = useFrameState(({ frame }) => frame?.nodes.filter(hasOwnKey).length ?? 0);
  const rests = useRests();
  const build = wantsBinary && !hasHandler;
  const isPassed = how === "pass";
  const done = ({ value, height }: Outcome): string => {
    const block = `block ${count(height)}`;
    if (!isPassed) return `Proposal ${value} is in ${block}.`;
    return rests
      ? `${everyone(voters)} voted yes; voting on proposal ${value} ended with ${block}.`
      : `${everyone(voters)} voted yes in ${block}.`;
  };
  return (
    <Dialog title={kind === "upgrade" ? "Propose an upgrade" : "Propose to cancel the upgrade"}>
      <StepForm
        step={proposalStep({
          ...{ kind, how, rests, name, at: asNumber(at) },
          ...{ info, check, expedited, build },
        })}
        fields={["name", "at", ...(more ? ["info"] : [])]}
        action={isPassed ? "Propose, all vote yes" : "Propose"}
        doing={
          isPassed && rests
            ? "The chain runs until voting ends."
            : "The proposal waits for its block."
        }
        done={done}
        paused={isPassed ? "vote" : "block"}
        onDone={() => goTo({ view: isPassed ? "upgrades" : "governance" })}
      >
        {(errorOf) => (
          <>
            <KindChoice value={kind} onChange={(kind) => set({ kind })} />
            {kind === "upgrade" && <PlanFields form={form} set={set} errorOf={errorOf} />}
            <Tick
              label="Expedited"
              hint="A shorter vote with a higher threshold and deposit."
              checked={expedited}
              onChange={(expedited) => set({ expedited })}
            />
            <Choices
              legend="And then"
              beside
              value={how}
              onChange={(how) => set({ how })}
              options={[
                { value: "pass", label: "Every validator votes yes" },
                { value: "propose", label: "Only propose it", about: "You vote in Governance." },
              ]}
            />
            {kind === "upgrade" && (
              <details open={more} onToggle={({ currentTarget }) => setMore(currentTarget.open)}>
                <summary>Info of the plan</summary>
                <InfoFields form={form} set={set} errorOf={errorOf} />
              </details>
            )}
          </>
        )}
      </StepForm>
    </Dialog>
  );
}

/** True if a binary has a handler of a plan's name. */
const useHasHandler = (name: string): boolean =>
  useFrameState(({ frame }) =>
    Boolean(frame?.binaries.some(({ handlers }) => handlers.includes(name))),
  );

interface KindChoiceProps {
  value: Proposing["kind"];
  onChange: (kind: Proposing["kind"]) => void;
}

function KindChoice({ value, onChange }: KindChoiceProps) {
  const plan = useFrameState(({ frame }) => frame?.plan?.name ?? "");
  const planHeight = useFrameState(({ frame }) => frame?.plan?.height ?? 0);
  return (
    <Choices
      legend="What"
      beside
      value={value}
      onChange={onChange}
      options={[
        { value: "upgrade", label: "A software upgrade" },
        {
          value: "cancel",
          label: plan ? `Cancel the plan ${plan}, due at ${count(planHeight)}` : "Cancel the plan",
          ...(!plan && { about: "No upgrade is planned." }),
        },
      ]}
    />
  );
}

/** The plan's name and height, and a binary for it. */
function PlanFields({ form: { name, at, wantsBinary }, set, errorOf }: FieldsProps) {
  const height = useFrameState(({ frame }) => frame?.chain?.height ?? 0);
  const hasHandler = useHasHandler(name);
  return (
    <>
      <Fields>
        <TextField
          label="Name of the plan"
          hint="A binary must have a handler of this name."
          error={errorOf("name")}
          value={name}
          onChange={(name) => set({ name })}
        />
        <TextField
          label="At height"
          hint={`The chain is at ${count(height)}.`}
          error={errorOf("at")}
          inputMode="numeric"
          value={at}
          onChange={(at) => set({ at })}
        />
      </Fields>
      {!hasHandler && (
        <Tick
          label="Make a binary for it"
          hint={`No binary has a Handler "${name}" yet: the newest one gets it.`}
          checked={wantsBinary}
          onChange={(wantsBinary) => set({ wantsBinary })}
        />
      )}
    </>
  );
}

/** The plan's info, and the check before it is sent. */
function InfoFields({ form: { info, check }, set, errorOf }: FieldsProps) {
  return (
    <Fields>
      <TextField
        label="Info"
        hint="Nodes print it when they halt; sidecars download the binary that it names."
        error={errorOf("info")}
        value={info}
        onChange={(info) => set({ info })}
      />
      <SelectField
        label="Before it is sent"
        hint={CHECKS[check]}
        value={check}
        onChange={(check) => set({ check })}
      >
        <option value="full">Check the info</option>
        <option value="no_checksums">Check it, without checksums</option>
        <option value="none">Send it unchecked</option>
      </SelectField>
    </Fields>
  );
}

const hasOwnKey = ({ name, validator }: Node): boolean => name === validator;
