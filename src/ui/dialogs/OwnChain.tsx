import { type FormEvent, useEffect, useRef, useState } from "react";
import { useNewWorlds } from "../store/new-worlds.ts";
import { useActions } from "../store/page.ts";
import type { Problem } from "../store/types.ts";
import { Dialog, useCloseDialog } from "../widgets/Dialog.tsx";
import { duration } from "../widgets/duration.ts";
import { Field, Fields, SelectField, TextField } from "../widgets/Field.tsx";
import { count, list, percent, plural } from "../widgets/format.ts";
import { saveFile } from "../widgets/save-file.ts";
import css from "./form.module.css";
import {
  activeOf,
  binariesOf,
  chainFile,
  holdersOfThird,
  type OwnChain,
  powersOf,
  secondsOf,
  USUAL_CHAIN,
} from "./own-chain.ts";

const FILE = "own-chain.yaml";

/** Form fields by the keys of the file in which the engine finds problems. */
const KEYS: Readonly<Record<string, keyof OwnChain>> = {
  title: "title",
  chain_id: "chainId",
  prefix: "prefix",
  validators: "count",
  max_validators: "active",
  block_time: "blockTime",
  voting_period: "voting",
  unbonding_time: "unbonding",
  max_evidence_age: "evidenceAge",
};

/** The field that a problem belongs to; undefined if it has none. */
const fieldOf = ({ path }: Problem): keyof OwnChain | undefined =>
  path
    .split(/[.[\]]/)
    .map((key) => KEYS[key])
    .find((field) => field !== undefined);

/** Enough validators to show the spread. */
const MANY = { count: "100" } as const;

/** The form, and its start as a new world; the first field with a problem gets the focus. */
function useOwnChain() {
  const { play } = useActions();
  const closeDialog = useCloseDialog();
  const { loadScenario } = useNewWorlds();
  const [form, setForm] = useState(USUAL_CHAIN);
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  const [busy, setBusy] = useState(false);
  const ref = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (problems.length > 0)
      ref.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [problems]);
  const set = (change: Partial<OwnChain>): void => {
    setForm({ ...form, ...change });
    setProblems([]);
  };
  const start = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    const found = await loadScenario(chainFile(form), FILE);
    setBusy(false);
    setProblems(found);
    if (found.length > 0) return;
    closeDialog();
    await play();
  };
  const errorOf: ErrorOf = (field) =>
    problems.find((problem) => fieldOf(problem) === field)?.message ?? "";
  const unplaced = problems.find((problem) => fieldOf(problem) === undefined);
  return { ref, start, busy, unplaced, fields: { form, set, errorOf } };
}

/** A form for a new chain: its validators, times, profile and binaries. */
export default function OwnChainForm() {
  const closeDialog = useCloseDialog();
  const { ref, start, busy, unplaced, fields } = useOwnChain();
  const { form } = fields;
  const file = chainFile(form);
  return (
    <Dialog title="A chain of your own" wide>
      <form ref={ref} className={css.form} onSubmit={start} noValidate>
        <ValidatorFields {...fields} />
        <Preview form={form} />
        <ChainFields {...fields} />
        <details>
          <summary>Show as file</summary>
          <pre className={css.file} data-testid="file">
            {file}
          </pre>
          <button type="button" onClick={() => saveFile(FILE, file, "application/yaml")}>
            Save {FILE}
          </button>
        </details>
        {unplaced && (
          <p className={css.error} role="alert">
            {unplaced.path} {unplaced.message}
          </p>
        )}
        <div className={css.buttons}>
          <p className={css.paused}>Your current world is kept under Worlds.</p>
          <button type="button" onClick={closeDialog}>
            Cancel
          </button>
          <button type="submit" data-primary="" disabled={busy}>
            Start the chain
          </button>
        </div>
      </form>
    </Dialog>
  );
}

type ErrorOf = (field: keyof OwnChain) => string;

interface FieldsProps {
  form: OwnChain;
  set: (change: Partial<OwnChain>) => void;
  errorOf: ErrorOf;
}

/** Properties of the text field for a key of the form. */
const textOf = (
  { form, set, errorOf }: FieldsProps,
  field: "title" | "chainId" | "prefix" | "blockTime" | "voting" | "unbonding" | "evidenceAge",
) => ({
  error: errorOf(field),
  value: form[field],
  onChange: (value: string) => set({ [field]: value }),
});

/** The chain's names, and its validators. */
function ValidatorFields(props: FieldsProps) {
  const { form, set, errorOf } = props;
  return (
    <>
      <Fields>
        <TextField label="Name of the world" {...textOf(props, "title")} />
        <TextField label="Chain id" {...textOf(props, "chainId")} />
        <TextField
          label="Prefix of addresses"
          hint="Such as cosmos or osmo."
          {...textOf(props, "prefix")}
        />
        <SelectField
          label="Validators"
          value={form.set}
          onChange={(next) =>
            set({
              set: next,
              ...(next === "spread" && form.count === USUAL_CHAIN.count && MANY),
            })
          }
        >
          <option value="equal">equal stakes</option>
          <option value="spread">a realistic spread</option>
          <option value="list">a list of them</option>
        </SelectField>
        {form.set !== "list" && (
          <TextField
            label="How many"
            error={errorOf("count")}
            inputMode="numeric"
            value={form.count}
            onChange={(count) => set({ count })}
          />
        )}
        <TextField
          label="Active set size"
          hint="The validators with most stake; others have no vote."
          error={errorOf("active")}
          inputMode="numeric"
          value={activeOf(form)}
          onChange={(active) => set({ active })}
        />
      </Fields>
      {form.set === "list" && (
        <Field label="Names and stakes" hint="One a line." error={errorOf("count")}>
          {(control) => (
            <textarea
              {...control}
              rows={5}
              spellCheck={false}
              value={form.list}
              onChange={({ target }) => set({ list: target.value })}
            />
          )}
        </Field>
      )}
    </>
  );
}

/** The chain's times, profile and binaries. */
function ChainFields(props: FieldsProps) {
  const { form, set } = props;
  return (
    <Fields>
      <TextField
        label="Block time"
        hint="Such as 5 s, 2 min or 48 h."
        {...textOf(props, "blockTime")}
      />
      <TextField label="Voting period" hint="Expedited: half of it." {...textOf(props, "voting")} />
      <TextField label="Unbonding time" {...textOf(props, "unbonding")} />
      <TextField label="Maximum evidence age" {...textOf(props, "evidenceAge")} />
      <SelectField
        label="Profile"
        hint="Where the documents and today's upstream differ."
        value={form.profile}
        onChange={(profile) => set({ profile })}
      >
        <option value="documented">as documented</option>
        <option value="sdk-0.53">SDK 0.53</option>
      </SelectField>
      <SelectField
        label="Binaries"
        hint="The chain begins with v1."
        value={form.newest}
        onChange={(newest) => set({ newest })}
      >
        <option value="v1">v1</option>
        <option value="v2">v1, v2</option>
        <option value="v3">v1, v2, v3</option>
      </SelectField>
    </Fields>
  );
}

/**
 * The powers as segments of a bar, the validators that can halt the chain together, and a summary
 * of the file.
 */
function Preview({ form }: { form: OwnChain }) {
  const powers = powersOf(form);
  if (powers === undefined) return null;
  const { validators, active, total } = powers;
  const { blockTime, voting, unbonding, evidenceAge } = form;
  const third = holdersOfThird(powers);
  return (
    <div className={css.preview} data-testid="preview">
      <div className={css.shares} aria-hidden="true">
        {active.slice(0, SHOWN).map((power, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a share has no other name than its rank
          <span key={index} data-third={index < third || undefined} style={{ flexGrow: power }} />
        ))}
      </div>
      <p>
        {plural(validators, "validator")},{" "}
        {active.length === validators ? "all" : `the ${count(active.length)} strongest`} active; the
        largest has {percent(active[0] ?? 0, total)} of the power.{" "}
        {third === 1 ? "It alone holds" : `The ${third} largest hold`} at least a third: without
        that no block is decided.
      </p>
      <p>
        A block needs more than 2/3 of the power: {count(Math.floor((total * 2) / 3) + 1)} of{" "}
        {count(total)}. One every {shown(blockTime)}; votes are taken for {shown(voting)}, stake
        leaves after {shown(unbonding)}, evidence is accepted for {shown(evidenceAge)}. Binaries:{" "}
        {list(binariesOf(form))}.
      </p>
    </div>
  );
}

/** Narrower segments would not be visible. */
const SHOWN = 200;

/** Formats a typed time in the page's style. */
function shown(text: string): string {
  const seconds = secondsOf(text);
  return seconds === undefined || !Number.isInteger(seconds) ? text : duration(seconds);
}
