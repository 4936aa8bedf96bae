import { useState } from "react";
import { useFrameState } from "../store/page.ts";
import { Dialog } from "../widgets/Dialog.tsx";
import { Choices, TextField, Tick } from "../widgets/Field.tsx";
import { count } from "../widgets/format.ts";
import { asNumber } from "./form-text.ts";
import { StepForm } from "./StepForm.tsx";
import { useSettled } from "./use-settled.ts";

const WITHIN = 500;
type Goal = "height" | "halted" | "running" | "plan" | "slash" | "votes";

/** Runs until a condition, or gives up after 500 rounds; then the chain is paused. */
export default function RunUntil() {
  const height = useFrameState(({ frame }) => frame?.chain?.height ?? 0);
  const plan = useFrameState(({ frame }) => frame?.plan?.name ?? "");
  const voting = useFrameState(({ frame }) =>
    Boolean(frame?.proposals.some(({ status }) => status === "voting")),
  );
  const [goal, setGoal] = useState<Goal>("height");
  const proposed = useSettled((frame) => (frame?.chain?.height ?? 0) + 20);
  const [typedTo, setTo] = useState<string>();
  const to = typedTo ?? String(proposed);
  const [fullSpeed, setFullSpeed] = useState(true);
  const until: Record<Exclude<Goal, "height">, unknown> = {
    halted: "halted",
    running: "running",
    plan: { plan_applied: plan },
    slash: { event: "slash" },
    votes: { event: "active_proposal" },
  };
  const step =
    goal === "height"
      ? { run: { to: asNumber(to) } }
      : { run: { until: until[goal], within: WITHIN } };
  return (
    <Dialog title="Run until…">
      <StepForm
        step={step}
        fields={["to"]}
        action="Run"
        paused="run"
        doing="Running. Press Stop to interrupt."
        how={{ pause: true, fullSpeed }}
        done={({ height: at, found }) => `Paused at ${count(at)}${found && `: ${found}`}.`}
      >
        {(errorOf) => (
          <>
            <Choices
              legend="Until"
              value={goal}
              onChange={setGoal}
              options={[
                { value: "height", label: "a height is committed" },
                { value: "halted", label: "the chain halts" },
                { value: "running", label: "the chain makes blocks again" },
                { value: "slash", label: "a validator is slashed" },
                ...(voting
                  ? [{ value: "votes" as const, label: "voting on a proposal ends" }]
                  : []),
                ...(plan ? [{ value: "plan" as const, label: `plan ${plan} is applied` }] : []),
              ]}
            />
            {goal === "height" && (
              <TextField
                label="Height"
                hint={`The chain is at ${count(height)}.`}
                error={errorOf("to")}
                inputMode="numeric"
                value={to}
                onChange={setTo}
              />
            )}
            <Tick
              label="As fast as possible"
              hint="Otherwise at the speed at which the chain is played."
              checked={fullSpeed}
              onChange={setFullSpeed}
            />
          </>
        )}
      </StepForm>
    </Dialog>
  );
}
