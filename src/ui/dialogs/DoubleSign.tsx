import { useState } from "react";
import type { ScenarioStep } from "../store/actions.ts";
import { useDialog, useFrameState, usePage } from "../store/page.ts";
import type { StepPreview } from "../store/preview-step.ts";
import { goTo } from "../store/route.ts";
import { Dialog } from "../widgets/Dialog.tsx";
import { Choices, Fields, Pick, SelectField, TextField } from "../widgets/Field.tsx";
import { count, dateTime } from "../widgets/format.ts";
import { asNumber } from "./form-text.ts";
import { type ErrorOf, StepForm } from "./StepForm.tsx";
import { useSettled } from "./use-settled.ts";

type Way = "evidence" | "sign" | "attack";
type Kind = "duplicate_vote" | "light_client_attack";
type AttackKind = "lunatic" | "equivocation" | "amnesia";

const WAYS: readonly { value: Way; label: string; about: string }[] = [
  {
    value: "sign",
    label: "It signs two conflicting votes",
    about: "At the next height; honest nodes detect and report it.",
  },
  {
    value: "evidence",
    label: "Evidence is submitted to the app",
    about: "Of any height, as the consensus engine reports it.",
  },
  {
    value: "attack",
    label: "Several attack a light client",
    about: "They sign a block that conflicts with the chain's; an honest node reports it.",
  },
];
const ATTACKS: Readonly<Record<AttackKind, string>> = {
  lunatic: "lunatic: a made-up state and set",
  equivocation: "equivocation: other transactions, same round",
  amnesia: "amnesia: other transactions, a later round",
};
const ACTIONS: Readonly<Record<Way, string>> = {
  evidence: "Submit the evidence",
  sign: "Double sign",
  attack: "Attack",
};
/** Message after sending; except for the attack, it applies until the next block at most. */
const DONE: Readonly<Record<Way, (who: string) => string>> = {
  evidence: (who) => `Evidence against ${who} waits for the next block.`,
  sign: (who) => `${who} is to sign two conflicting votes at the next height.`,
  attack: (who) => `${who} has signed a block that conflicts with the chain's.`,
};

/** Field values as typed. */
interface Misbehavior {
  readonly way: Way;
  readonly kind: Kind;
  readonly node: string;
  readonly height: string;
  /** Empty for the value that it had at that height, like `time`. */
  readonly power: string;
  readonly time: string;
  readonly attack: AttackKind;
  /** The validators that sign the attack's block. */
  readonly by: readonly string[];
}

function stepOf({ way, kind, node, power, time, attack, by, ...form }: Misbehavior): ScenarioStep {
  const height = asNumber(form.height);
  switch (way) {
    case "sign":
      return { double_sign: { node } };
    case "attack":
      return { light_client_attack: { kind: attack, by, height } };
    case "evidence":
      return {
        misbehavior: {
          ...{ type: kind, validators: [node], height },
          ...(power !== "" && { power: asNumber(power) }),
          ...(time !== "" && { time }),
        },
      };
  }
}

/** The form, and the names that it offers: those of the chain when the dialog was opened. */
function useMisbehavior() {
  const { frames } = usePage();
  const subject = useDialog((dialog) => dialog.subject);
  const [{ nodes, validators }] = useState(() => {
    const { frame } = frames.getState();
    return { nodes: frame?.nodes ?? [], validators: frame?.validators ?? [] };
  });
  const usual = validators.findLast(({ tombstoned }) => !tombstoned)?.name ?? "";
  const proposed = useSettled((frame) => frame?.chain?.height ?? 1);
  const voters = validators.filter((one) => one.power > 0).map(({ name }) => name);
  const [typed, setTyped] = useState<Omit<Misbehavior, "height"> & { height?: string }>({
    way: "sign",
    kind: "duplicate_vote",
    node: subject || usual,
    power: "",
    time: "",
    attack: "lunatic",
    // Any two of the first world's four have more than the third that a lunatic attack needs.
    by: voters.slice(0, Math.floor(voters.length / 3) + 1),
  });
  const set = (change: Partial<Misbehavior>): void => setTyped({ ...typed, ...change });
  return { form: { ...typed, height: typed.height ?? String(proposed) }, set, nodes, voters };
}

/**
 * Makes validators misbehave: evidence for a past height, two conflicting votes, or a light client
 * attack.
 */
export default function DoubleSign() {
  const { form, set, nodes, voters } = useMisbehavior();
  const newest = useFrameState(({ frame }) => frame?.chain?.height ?? 1);
  const { way } = form;
  const who = way === "attack" ? (form.by[0] ?? "") : form.node;

  return (
    <Dialog title="Make a validator double sign">
      <StepForm
        step={stepOf(form)}
        fields={["type", "kind", "validators", "node", "by", "height", "power", "time"]}
        mainField={way === "attack" ? "by" : ""}
        action={ACTIONS[way]}
        doing="Pending for the next block."
        done={({ message }) => message || DONE[way](who)}
        untilNextBlock={way !== "attack"}
        paused="wait"
        onDone={() => goTo({ view: "evidence", selection: { kind: "node", id: who } })}
      >
        {(errorOf, preview) => (
          <>
            <Choices legend="How" value={way} onChange={(way) => set({ way })} options={WAYS} />
            <Fields>
              {way === "attack" ? (
                <SelectField
                  label="Kind of attack"
                  error={errorOf("kind")}
                  value={form.attack}
                  onChange={(attack) => set({ attack })}
                >
                  {Object.entries(ATTACKS).map(([value, label]) => (
                    <option key={value} value={value}>
                      {label}
                    </option>
                  ))}
                </SelectField>
              ) : (
                <SelectField
                  label="Validator"
                  error={errorOf("validators") || errorOf("node")}
                  value={form.node}
                  onChange={(node) => set({ node })}
                >
                  {nodes.map(({ name }) => (
                    <option key={name}>{name}</option>
                  ))}
                </SelectField>
              )}
              {way !== "sign" && (
                <TextField
                  label={way === "attack" ? "Against the block" : "Height of the infraction"}
                  hint={`The chain is at ${count(newest)}.`}
                  error={errorOf("height")}
                  inputMode="numeric"
                  value={form.height}
                  onChange={(height) => set({ height })}
                />
              )}
            </Fields>
            {way === "attack" && (
              <Pick
                legend="Who signs it"
                names={voters}
                picked={form.by}
                onChange={(by) => set({ by })}
                hint="A light client accepts a lunatic block that more than a third signed, others that more than two thirds did."
                error={errorOf("by")}
              />
            )}
            {way === "evidence" && (
              <EvidenceFields form={form} set={set} errorOf={errorOf} preview={preview} />
            )}
          </>
        )}
      </StepForm>
    </Dialog>
  );
}

interface EvidenceFieldsProps {
  form: Misbehavior;
  set: (change: Partial<Misbehavior>) => void;
  errorOf: ErrorOf;
  preview: StepPreview | undefined;
}

/** The fields of evidence that the chain can fill in. */
function EvidenceFields({ form, set, errorOf, preview }: EvidenceFieldsProps) {
  return (
    <Fields>
      <TextField
        label="Power it had"
        hint={form.power ? "Unknown at that height: a guess." : "Its power at that height."}
        error={errorOf("power")}
        inputMode="numeric"
        placeholder={preview?.power}
        value={form.power}
        onChange={(power) => set({ power })}
      />
      <TextField
        label="Time of that block (UTC)"
        hint={preview?.time ? `The block has ${dateTime(preview.time)}.` : undefined}
        error={errorOf("time")}
        placeholder={preview?.time}
        value={form.time}
        onChange={(time) => set({ time })}
      />
      <SelectField
        label="Kind of misbehavior"
        error={errorOf("type")}
        value={form.kind}
        onChange={(kind) => set({ kind })}
      >
        <option value="duplicate_vote">duplicate vote</option>
        <option value="light_client_attack">light client attack</option>
      </SelectField>
    </Fields>
  );
}
