import { useState } from "react";
import { useDialog } from "../store/dialog.ts";
import { useWorld } from "../store/frame-store.ts";
import { goTo } from "../store/route.ts";
import { Dialog } from "../widgets/Dialog.tsx";
import { Choices, Field, Fields } from "../widgets/Field.tsx";
import { dateTime } from "../widgets/format.ts";
import { asNumber } from "./as-number.ts";
import { StepForm } from "./StepForm.tsx";

type Way = "evidence" | "sign";
type Kind = "duplicate_vote" | "light_client_attack";

/** Makes a validator misbehave: evidence of it at a height that was, or two real votes at the next. */
export default function DoubleSign() {
  const subject = useDialog((dialog) => dialog.subject);
  const [nodes] = useState(() => useWorld.getState().frame?.nodes ?? []);
  const [newest] = useState(() => useWorld.getState().now?.chain.height ?? 1);
  const usual = nodes.findLast((node) => !node.tombstoned)?.name ?? "";
  const [way, setWay] = useState<Way>("evidence");
  const [kind, setKind] = useState<Kind>("duplicate_vote");
  const [node, setNode] = useState(subject || usual);
  const [height, setHeight] = useState(String(newest));
  const [power, setPower] = useState("");
  const [time, setTime] = useState("");

  const step =
    way === "sign"
      ? { double_sign: { node } }
      : {
          misbehavior: {
            type: kind,
            validators: [node],
            height: asNumber(height),
            ...(power !== "" && { power: asNumber(power) }),
            ...(time !== "" && { time }),
          },
        };

  return (
    <Dialog title="Make a validator sign twice">
      <StepForm
        step={step}
        fields={["type", "validators", "node", "height", "power", "time"]}
        action={way === "sign" ? "Sign twice" : "Hand it to the app"}
        doing="On its way into the next block."
        done={(outcome) => outcome.message || `${node}: the next block tells the app.`}
        onDone={() => goTo({ view: "evidence", selection: { kind: "node", id: node } })}
      >
        {(errorOf, preview) => (
          <>
            <Choices
              legend="How"
              value={way}
              onChange={setWay}
              options={[
                {
                  value: "evidence",
                  label: "Evidence of it reaches the app",
                  about: "At any height, as the consensus engine would hand it over.",
                },
                {
                  value: "sign",
                  label: "It really signs two votes",
                  about: "At the next height; honest nodes notice and report it.",
                },
              ]}
            />
            <Fields>
              <Field label="Validator" error={errorOf("validators") || errorOf("node")}>
                {(control) => (
                  <select {...control} value={node} onChange={(e) => setNode(e.target.value)}>
                    {nodes.map(({ name }) => (
                      <option key={name}>{name}</option>
                    ))}
                  </select>
                )}
              </Field>
              {way === "evidence" && (
                <Field
                  label="Height of the offence"
                  hint={`The chain is at ${newest}.`}
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
            {way === "evidence" && (
              <Fields>
                <Field
                  label="Power it had"
                  hint={
                    power ? "Not the truth unless you know better." : "The truth at that height."
                  }
                  error={errorOf("power")}
                >
                  {(control) => (
                    <input
                      {...control}
                      inputMode="numeric"
                      value={power || preview?.power || ""}
                      onChange={(e) => setPower(e.target.value)}
                    />
                  )}
                </Field>
                <Field
                  label="Time of that block (UTC)"
                  hint={preview?.time ? `Truly ${dateTime(preview.time)}.` : undefined}
                  error={errorOf("time")}
                >
                  {(control) => (
                    <input
                      {...control}
                      value={time || preview?.time || ""}
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
