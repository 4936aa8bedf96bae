import { useState } from "react";
import { NODE_FAULTS } from "../../client/fault-kinds.ts";
import { useDialog, usePage } from "../store/page.ts";
import { Dialog } from "../widgets/Dialog.tsx";
import { Field, Fields, Pick } from "../widgets/Field.tsx";
import { type FaultAction, type FaultFields, faultDone, faultStep } from "./fault-step.ts";
import { StepForm } from "./StepForm.tsx";

type Option = readonly [FaultAction, string];

const faultsThat = (byzantine: boolean): readonly Option[] =>
  NODE_FAULTS.flatMap(([kind, text]) =>
    text.byzantine === byzantine ? [[kind, text.does] as const] : [],
  );

const KINDS: readonly (readonly [group: string, options: readonly Option[]])[] = [
  ["A fault of a node", faultsThat(false)],
  ["A node that double-signs, or may", faultsThat(true)],
  [
    "Its operator",
    [
      ["roll_back", "rolls back blocks (stop it first)"],
      ["state_sync", "state-syncs from a peer"],
      ["wipe", "wipes its data"],
    ],
  ],
  [
    "All nodes",
    [
      ["partition", "partition the network"],
      ["heal", "heal the network"],
      ["chaos", "chaos: faults drawn from the seed"],
      ["clear", "clear all faults and chaos"],
    ],
  ],
];
const OF_ALL: readonly FaultAction[] = ["partition", "heal", "chaos", "clear"];
/** Faults with a start height and a duration. */
const FAULTS: readonly FaultAction[] = ["partition", ...NODE_FAULTS.map(([kind]) => kind)];

const FIELDS = ["node", "which", "at", "for", "probability", "by", "roll_back", "state_sync"];

/** Injects a fault into a node or the network, or clears faults. */
export default function FaultForm() {
  const { frames } = usePage();
  const subject = useDialog((dialog) => dialog.subject);
  const [frame] = useState(() => frames.getState().frame);
  const nodes = frame?.nodes.map(({ name }) => name) ?? [];
  const half = nodes.slice(Math.ceil(nodes.length / 2));
  const chosen = subject || (nodes.at(-1) ?? "");
  const [form, setForm] = useState<FaultFields>({
    what: "slow",
    node: chosen,
    at: "",
    lasts: "",
    probability: "",
    by: "",
    blocks: "1",
    from: nodes.find((name) => name !== chosen) ?? "",
    level: "3",
    otherSide: half,
  });
  const { what } = form;
  const set = (change: Partial<FaultFields>): void => setForm({ ...form, ...change });
  const text = (field: "at" | "lasts" | "probability" | "by" | "blocks") => ({
    value: form[field],
    onChange: ({ target }: { target: { value: string } }) => set({ [field]: target.value }),
  });
  const ofAll = OF_ALL.includes(what);
  const mainField = ofAll ? "" : "node";
  return (
    <Dialog title="Inject a fault">
      <StepForm
        step={faultStep(form, nodes)}
        fields={[...FIELDS, "chaos", "groups"]}
        mainField={mainField}
        action={what === "heal" || what === "clear" ? "Clear" : "Inject"}
        doing="Running."
        paused="nothing"
        done={(outcome) => outcome.message || faultDone(form, outcome.height)}
      >
        {(errorOf) => (
          <>
            <Field label="What happens" error={errorOf("groups")}>
              {(control) => (
                <select
                  {...control}
                  value={what}
                  onChange={({ target }) =>
                    set({
                      what: target.value as FaultAction,
                      lasts: target.value === "chaos" ? form.lasts || "60" : "",
                    })
                  }
                >
                  {KINDS.map(([group, options]) => (
                    <optgroup key={group} label={group}>
                      {options.map(([value, label]) => (
                        <option key={value} value={value}>
                          {label}
                        </option>
                      ))}
                    </optgroup>
                  ))}
                </select>
              )}
            </Field>
            {!ofAll && (
              <Field label="Node" error={errorOf("node") || errorOf("which")}>
                {(control) => (
                  <select
                    {...control}
                    value={form.node}
                    onChange={({ target }) => set({ node: target.value })}
                  >
                    {nodes.map((name) => (
                      <option key={name}>{name}</option>
                    ))}
                  </select>
                )}
              </Field>
            )}
            {FAULTS.includes(what) && (
              <Fields>
                <Field label="From height" hint="Empty: the next." error={errorOf("at")}>
                  {(control) => <input {...control} inputMode="numeric" {...text("at")} />}
                </Field>
                <Field
                  label="For this many blocks"
                  hint={what === "double_sign" ? "Empty: once." : "Empty: until cleared."}
                  error={errorOf("for")}
                >
                  {(control) => <input {...control} inputMode="numeric" {...text("lasts")} />}
                </Field>
                {what === "flaky" && (
                  <Field
                    label="Probability"
                    hint="Of sending nothing in a round, 0 to 1. Empty: 0.3."
                    error={errorOf("probability")}
                  >
                    {(control) => (
                      <input {...control} inputMode="decimal" {...text("probability")} />
                    )}
                  </Field>
                )}
                {what === "clock" && (
                  <Field
                    label="Off by"
                    hint="Such as 30s or -1m. Empty: 10s."
                    error={errorOf("by")}
                  >
                    {(control) => <input {...control} {...text("by")} />}
                  </Field>
                )}
              </Fields>
            )}
            {what === "roll_back" && (
              <Field label="Blocks to roll back" error={errorOf("roll_back")}>
                {(control) => <input {...control} inputMode="numeric" {...text("blocks")} />}
              </Field>
            )}
            {what === "state_sync" && (
              <Field label="From" error={errorOf("state_sync")}>
                {(control) => (
                  <select
                    {...control}
                    value={form.from}
                    onChange={({ target }) => set({ from: target.value })}
                  >
                    {nodes.map((name) => (
                      <option key={name}>{name}</option>
                    ))}
                  </select>
                )}
              </Field>
            )}
            {what === "chaos" && (
              <Fields>
                <Field
                  label="Level"
                  hint="Up to 3, faulty nodes never hold a third of the power."
                  error={errorOf("chaos")}
                >
                  {(control) => (
                    <select
                      {...control}
                      value={form.level}
                      onChange={({ target }) => set({ level: target.value })}
                    >
                      {["1", "2", "3", "4", "5"].map((level) => (
                        <option key={level}>{level}</option>
                      ))}
                    </select>
                  )}
                </Field>
                <Field label="For this many blocks" error={errorOf("for")}>
                  {(control) => <input {...control} inputMode="numeric" {...text("lasts")} />}
                </Field>
              </Fields>
            )}
            {what === "partition" && (
              <Pick
                legend="In the other partition"
                names={nodes}
                picked={form.otherSide}
                onChange={(otherSide) => set({ otherSide })}
                hint="Messages reach only nodes of the same partition."
              />
            )}
          </>
        )}
      </StepForm>
    </Dialog>
  );
}
