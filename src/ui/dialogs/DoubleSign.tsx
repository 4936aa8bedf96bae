import { useState } from "react";
import type { ScenarioStep } from "../store/actions.ts";
import { useDialog, useFrameState, usePage } from "../store/page.ts";
import { goTo } from "../store/route.ts";
import { Dialog } from "../widgets/Dialog.tsx";
import { Choices, Field, Fields, Pick } from "../widgets/Field.tsx";
import { count, dateTime } from "../widgets/format.ts";
import { asNumber } from "./form-text.ts";
import { StepForm } from "./StepForm.tsx";
import { useSettled } from "./use-settled.ts";

type Way = "evidence" | "sign" | "attack";
type Kind = "duplicate_vote" | "light_client_attack";
type AttackKind = "lunatic" | "equivocation" | "amnesia";

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

/**
 * Makes validators misbehave: evidence for a past height, two conflicting votes, or a light client
 * attack.
 */
export default function DoubleSign() {
  const { frames } = usePage();
  const subject = useDialog((dialog) => dialog.subject);
  const [{ nodes, validators }] = useState(() => {
    const { frame } = frames.getState();
    return { nodes: frame?.nodes ?? [], validators: frame?.validators ?? [] };
  });
  const newest = useFrameState(({ frame }) => frame?.chain?.height ?? 1);
  const usual = validators.findLast(({ tombstoned }) => !tombstoned)?.name ?? "";
  const [way, setWay] = useState<Way>("sign");
  const [kind, setKind] = useState<Kind>("duplicate_vote");
  const [node, setNode] = useState(subject || usual);
  const proposed = useSettled((frame) => frame?.chain?.height ?? 1);
  const [typedHeight, setHeight] = useState<string>();
  const height = typedHeight ?? String(proposed);
  const [power, setPower] = useState("");
  const [time, setTime] = useState("");
  const [attack, setAttack] = useState<AttackKind>("lunatic");
  // Any two of the first world's four have more than the third that a lunatic attack needs.
  const voters = validators.filter((one) => one.power > 0).map(({ name }) => name);
  const [by, setBy] = useState<readonly string[]>(() =>
    voters.slice(0, Math.floor(voters.length / 3) + 1),
  );

  const steps: Readonly<Record<Way, ScenarioStep>> = {
    sign: { double_sign: { node } },
    attack: { light_client_attack: { kind: attack, by, height: asNumber(height) } },
    evidence: {
      misbehavior: {
        type: kind,
        validators: [node],
        height: asNumber(height),
        ...(power !== "" && { power: asNumber(power) }),
        ...(time !== "" && { time }),
      },
    },
  };
  const who = way === "attack" ? (by[0] ?? "") : node;

  return (
    <Dialog title="Make a validator double sign">
      <StepForm
        step={steps[way]}
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
            <Choices
              legend="How"
              value={way}
              onChange={setWay}
              options={[
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
                  about:
                    "They sign a block that conflicts with the chain's; an honest node reports it.",
                },
              ]}
            />
            <Fields>
              {way === "attack" ? (
                <Field label="Kind of attack" error={errorOf("kind")}>
                  {(control) => (
                    <select
                      {...control}
                      value={attack}
                      onChange={(e) => setAttack(e.target.value as AttackKind)}
                    >
                      {Object.entries(ATTACKS).map(([value, label]) => (
                        <option key={value} value={value}>
                          {label}
                        </option>
                      ))}
                    </select>
                  )}
                </Field>
              ) : (
                <Field label="Validator" error={errorOf("validators") || errorOf("node")}>
                  {(control) => (
                    <select {...control} value={node} onChange={(e) => setNode(e.target.value)}>
                      {nodes.map(({ name }) => (
                        <option key={name}>{name}</option>
                      ))}
                    </select>
                  )}
                </Field>
              )}
              {way !== "sign" && (
                <Field
                  label={way === "attack" ? "Against the block" : "Height of the infraction"}
                  hint={`The chain is at ${count(newest)}.`}
                  error={errorOf("height")}
                >
                  {(control) => (
                    <input
                      {...control}
                      inputMode="numeric"
                      value={height}
                      onChange={(e) => setHeight(e.target.value)}
                    />
                  )}
                </Field>
              )}
            </Fields>
            {way === "attack" && (
              <Pick
                legend="Who signs it"
                names={voters}
                picked={by}
                onChange={setBy}
                hint="A light client accepts a lunatic block that more than a third signed, others that more than two thirds did."
                error={errorOf("by")}
              />
            )}
            {way === "evidence" && (
              <Fields>
                <Field
                  label="Power it had"
                  hint={power ? "Unknown at that height: a guess." : "Its power at that height."}
                  error={errorOf("power")}
                >
                  {(control) => (
                    <input
                      {...control}
                      inputMode="numeric"
                      placeholder={preview?.power}
                      value={power}
                      onChange={(e) => setPower(e.target.value)}
                    />
                  )}
                </Field>
                <Field
                  label="Time of that block (UTC)"
                  hint={preview?.time ? `The block has ${dateTime(preview.time)}.` : undefined}
                  error={errorOf("time")}
                >
                  {(control) => (
                    <input
                      {...control}
                      placeholder={preview?.time}
                      value={time}
                      onChange={(e) => setTime(e.target.value)}
                    />
                  )}
                </Field>
                <Field label="Kind of misbehavior" error={errorOf("type")}>
                  {(control) => (
                    <select
                      {...control}
                      value={kind}
                      onChange={(e) => setKind(e.target.value as Kind)}
                    >
                      <option value="duplicate_vote">duplicate vote</option>
                      <option value="light_client_attack">light client attack</option>
                    </select>
                  )}
                </Field>
              </Fields>
            )}
          </>
        )}
      </StepForm>
    </Dialog>
  );
}
