import { useState } from "react";
import { NODE_FAULTS } from "../../client/fault-kinds.ts";
import { useDialog, usePage } from "../store/page.ts";
import { Dialog } from "../widgets/Dialog.tsx";
import { Fields, Pick, SelectField, TextField } from "../widgets/Field.tsx";
import { type FaultAction, type FaultFields, faultDone, faultStep } from "./fault-step.ts";
import { type ErrorOf, StepForm } from "./StepForm.tsx";

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

/** The form, and the nodes when the dialog was opened. */
function useFault() {
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
  const set = (change: Partial<FaultFields>): void => setForm({ ...form, ...change });
  return { form, set, nodes };
}

/** Injects a fault into a node or the network, or clears faults. */
export default function FaultForm() {
  const { form, set, nodes } = useFault();
  const { what } = form;
  const ofAll = OF_ALL.includes(what);
  return (
    <Dialog title="Inject a fault">
      <StepForm
        step={faultStep(form, nodes)}
        fields={[...FIELDS, "chaos", "groups"]}
        mainField={ofAll ? "" : "node"}
        action={what === "heal" || what === "clear" ? "Clear" : "Inject"}
        doing="Running."
        paused="nothing"
        done={(outcome) => outcome.message || faultDone(form, outcome.height)}
      >
        {(errorOf) => (
          <>
            <SelectField
              label="What happens"
              error={errorOf("groups")}
              value={what}
              onChange={(what) => set({ what, lasts: what === "chaos" ? form.lasts || "60" : "" })}
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
            </SelectField>
            {!ofAll && (
              <SelectField
                label="Node"
                error={errorOf("node") || errorOf("which")}
                value={form.node}
                onChange={(node) => set({ node })}
              >
                {nodes.map((name) => (
                  <option key={name}>{name}</option>
                ))}
              </SelectField>
            )}
            <Details form={form} set={set} nodes={nodes} errorOf={errorOf} />
          </>
        )}
      </StepForm>
    </Dialog>
  );
}

interface DetailsProps {
  form: FaultFields;
  set: (change: Partial<FaultFields>) => void;
  nodes: readonly string[];
  errorOf: ErrorOf;
}

/** The fields of the selected fault or action. */
function Details({ form, set, nodes, errorOf }: DetailsProps) {
  const { what } = form;
  const text = (field: "at" | "lasts" | "probability" | "by" | "blocks") => ({
    value: form[field],
    onChange: (value: string) => set({ [field]: value }),
  });
  return (
    <>
      {FAULTS.includes(what) && (
        <Fields>
          <TextField
            label="From height"
            hint="Empty: the next."
            error={errorOf("at")}
            inputMode="numeric"
            {...text("at")}
          />
          <TextField
            label="For this many blocks"
            hint={what === "double_sign" ? "Empty: once." : "Empty: until cleared."}
            error={errorOf("for")}
            inputMode="numeric"
            {...text("lasts")}
          />
          {what === "flaky" && (
            <TextField
              label="Probability"
              hint="Of sending nothing in a round, 0 to 1. Empty: 0.3."
              error={errorOf("probability")}
              inputMode="decimal"
              {...text("probability")}
            />
          )}
          {what === "clock" && (
            <TextField
              label="Off by"
              hint="Such as 30s or -1m. Empty: 10s."
              error={errorOf("by")}
              {...text("by")}
            />
          )}
        </Fields>
      )}
      {what === "roll_back" && (
        <TextField
          label="Blocks to roll back"
          error={errorOf("roll_back")}
          inputMode="numeric"
          {...text("blocks")}
        />
      )}
      {what === "state_sync" && (
        <SelectField
          label="From"
          error={errorOf("state_sync")}
          value={form.from}
          onChange={(from) => set({ from })}
        >
          {nodes.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </SelectField>
      )}
      {what === "chaos" && (
        <Fields>
          <SelectField
            label="Level"
            hint="Up to 3, faulty nodes never hold a third of the power."
            error={errorOf("chaos")}
            value={form.level}
            onChange={(level) => set({ level })}
          >
            {["1", "2", "3", "4", "5"].map((level) => (
              <option key={level}>{level}</option>
            ))}
          </SelectField>
          <TextField
            label="For this many blocks"
            error={errorOf("for")}
            inputMode="numeric"
            {...text("lasts")}
          />
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
  );
}
