import { type FormEvent, useEffect, useRef, useState } from "react";
import { compareWith } from "../panels/compare/open.ts";
import { WORLD } from "../panels/compare/other.ts";
import { forkWhatIf } from "../store/new-worlds.ts";
import { useActions, useFrameState, usePage } from "../store/page.ts";
import { requestPersistence } from "../store/persistence.ts";
import { shownHeight } from "../store/travel.ts";
import type { BeginningValue, ForkWorldResponse } from "../store/types.ts";
import { Dialog } from "../widgets/Dialog.tsx";
import { SelectField, TextField } from "../widgets/Field.tsx";
import { count, plural, sentence, UNNAMED } from "../widgets/format.ts";
import css from "./form.module.css";

/** Groups of parameters, by the part of the name before its dot. */
const GROUPS: Readonly<Record<string, string>> = {
  "": "The chain",
  slashing: "Slashing",
  staking: "Staking",
  gov: "Governance",
};
const partOf = (name: string): string => (name.includes(".") ? name.replace(/\..*$/, "") : "");
const wordsOf = (name: string): string => name.replace(/^.*\./, "").replaceAll("_", " ");

/** The default selection, as the most common one. */
const FIRST = "profile";

/** The parameters of the world, and the branch with one changed; leaving the dialog stops it. */
function useWhatIf() {
  const page = usePage();
  const { client } = page;
  // A running chain continues meanwhile.
  const [height] = useState(() => shownHeight(page.frames.getState()));
  const [values, setValues] = useState<readonly BeginningValue[]>([]);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState("");
  const [forked, setForked] = useState<ForkWorldResponse>();
  const stop = (): unknown =>
    client.lab.control({ action: { case: "stopBranch", value: true } }).catch(() => {});
  const leaving = useRef<() => unknown>(() => {});
  leaving.current = busy ? stop : () => {};
  useEffect(() => () => void leaving.current(), []);
  useEffect(() => {
    client.lab.getBeginning({}).then(
      (answer) => setValues(answer.values),
      (error: Error) => setProblem(sentence(error.message)),
    );
  }, [client]);
  const start = async (name: string, value: string): Promise<void> => {
    if (busy) return;
    setBusy(true);
    setProblem("");
    try {
      void requestPersistence();
      setForked(await forkWhatIf(page, height, { name, value }));
    } catch (error) {
      setProblem((error as Error).message);
    }
    setBusy(false);
  };
  return { height, values, busy, problem, forked, stop, start, clear: () => setProblem("") };
}

/** Replays the commands of the world in a branch with one changed value. */
export default function WhatIf() {
  const { frames } = usePage();
  const { closeDialog } = useActions();
  const { height, values, busy, problem, forked, stop, start, clear } = useWhatIf();
  const [saved] = useState(() => {
    const { travel, frame } = frames.getState();
    return (travel?.live.frame ?? frame)?.player?.kept;
  });
  const world = saved?.name || UNNAMED;
  const done = useFrameState(({ frame }) => frame?.player?.restoring ?? 0);
  const [name, setName] = useState(FIRST);
  const [typed, setTyped] = useState("");
  const chosen = values.find((one) => one.name === name);
  const choices = chosen?.choices.filter((one) => one !== chosen.value) ?? [];
  const value = choices.length > 0 && typed === "" ? (choices[0] ?? "") : typed.trim();
  const ofValue = problem.startsWith(`${name}: `);
  const becomes = {
    label: "New value",
    hint:
      chosen &&
      `In this world it is ${chosen.value || "not set"}${name === "binary" ? ": the one that all nodes begin with" : ""}.`,
    error: ofValue ? sentence(problem.slice(name.length + 2)) : "",
    onChange: setTyped,
  };

  const send = (event: FormEvent): void => {
    event.preventDefault();
    void start(name, value);
  };
  const choose = (other: string): void => {
    setName(other);
    setTyped("");
    clear();
  };
  if (forked) return <Ended forked={forked} of={world} parent={saved?.id ?? ""} wanted={height} />;
  return (
    <Dialog title="Replay with one change">
      <form className={css.form} onSubmit={send}>
        <p>
          A branch with one changed parameter replays all commands of “{world}” up to block{" "}
          {count(height)}, each at its height. “{world}” is not changed.
        </p>
        <SelectField label="Parameter" value={name} onChange={choose}>
          <ParameterOptions values={values} />
        </SelectField>
        {choices.length > 0 ? (
          <SelectField {...becomes} value={value}>
            {choices.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </SelectField>
        ) : (
          <TextField {...becomes} value={typed} placeholder={chosen?.value} />
        )}
        {problem && !ofValue && (
          <p className={css.error} role="alert">
            {sentence(problem)}
          </p>
        )}
        {busy && (
          <p className="soft" role="status">
            Replaying all commands…{done > 0 && ` ${Math.floor(done * 100)} %`}
          </p>
        )}
        <div className={css.buttons}>
          <button type="button" onClick={busy ? stop : closeDialog}>
            {busy ? "Stop" : "Cancel"}
          </button>
          <button type="submit" data-primary="" aria-busy={busy || undefined}>
            Begin the branch
          </button>
        </div>
      </form>
    </Dialog>
  );
}

/** The parameters as options, in their groups. */
function ParameterOptions({ values }: { values: readonly BeginningValue[] }) {
  return Object.entries(GROUPS).map(([part, label]) => {
    const some = values.filter((one) => partOf(one.name) === part);
    return (
      some.length > 0 && (
        <optgroup key={part} label={label}>
          {some.map((one) => (
            <option key={one.name} value={one.name}>
              {wordsOf(one.name)}
            </option>
          ))}
        </optgroup>
      )
    );
  });
}

interface EndedProps {
  forked: ForkWorldResponse;
  /** Name and id of the parent world. */
  of: string;
  parent: string;
  wanted: number;
}

/** Result of the replayed commands, with a link to the differences. */
function Ended({
  forked: { height, commands, refused, refusals },
  of,
  parent,
  wanted,
}: EndedProps) {
  const page = usePage();
  const { closeDialog } = useActions();
  return (
    <Dialog title="The branch is on screen">
      <div className={css.form}>
        <p role="status">
          {plural(commands, "command")} {commands === 1 ? "was" : "were"} replayed, up to block{" "}
          {count(height)}
          {height < wanted ? ` of ${count(wanted)}: the chain makes no more blocks.` : "."}{" "}
          {refusals === 0 ? "Same results." : `${plural(refusals, "command")} ended differently:`}
        </p>
        {refused.length > 0 && (
          <ul>
            {refused.map((one, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
              <li key={i}>
                <b>{one.command}</b> at block {count(one.height)}: {one.why}
              </li>
            ))}
          </ul>
        )}
        {refused.length < refusals && (
          <p className="soft">The first {count(refused.length)} are listed.</p>
        )}
        <div className={css.buttons}>
          {parent !== "" && (
            <button
              type="button"
              data-primary=""
              onClick={() => {
                closeDialog();
                compareWith(page, { other: WORLD + parent, at: 0 });
              }}
            >
              Compare with “{of}”
            </button>
          )}
          <button type="button" onClick={closeDialog}>
            Close
          </button>
        </div>
      </div>
    </Dialog>
  );
}
