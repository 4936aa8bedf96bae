import { useEffect, useRef, useState } from "react";
import { errorText } from "../../base/error-text.ts";
import { useFrameState, usePage } from "../store/page.ts";
import { saveGenesis } from "../store/save-chain.ts";
import { shownHeight } from "../store/travel.ts";
import { Field, Fields } from "../widgets/Field.tsx";
import { count, sentence } from "../widgets/format.ts";
import { saveFile } from "../widgets/save-file.ts";
import form from "./form.module.css";
import { asNumber } from "./form-text.ts";
import css from "./Share.module.css";

const FILES = [
  {
    what: "trace",
    title: "As a trace",
    about:
      "What each node did, on tracks of simulated time: rounds, halts, binaries. ui.perfetto.dev opens it.",
    type: "application/json",
  },
  {
    what: "blocks",
    title: "Blocks as a table",
    about: "CSV with a line for each block, for spreadsheets.",
    type: "text/csv",
  },
  {
    what: "events",
    title: "Events as a table",
    about: "CSV with a line for each attribute of each event.",
    type: "text/csv",
  },
] as const;

type File = (typeof FILES)[number];

/** Exports of the chain's history as files for other programs. */
export function ChainExports() {
  const page = usePage();
  const { client } = page;
  const shown = useFrameState(shownHeight);
  const [from, setFrom] = useState("1");
  const [to, setTo] = useState(String(shown));
  const [progress, setProgress] = useState("");
  const [problem, setProblem] = useState("");
  const [running, setRunning] = useState(false);
  const stopped = useRef(false);
  const stop = (): void => {
    stopped.current = true;
  };
  // Closing the dialog cancels the export.
  useEffect(
    () => () => {
      stopped.current = true;
    },
    [],
  );
  const range = { from: asNumber(from), to: asNumber(to) };
  const wrong = [range.from, range.to].some(
    (height) => typeof height !== "number" || !Number.isSafeInteger(height) || height < 1,
  );
  const write = async ({ what, type }: File): Promise<void> => {
    stopped.current = false;
    setRunning(true);
    setProblem("");
    setProgress("Writing…");
    try {
      const parts: string[] = [];
      let after = "";
      let file: string;
      do {
        const part = await client.lab.exportChain({
          ...{ what, after },
          ...{ from: Number(range.from), to: Number(range.to) },
        });
        parts.push(part.text);
        after = part.next;
        file = part.file;
        setProgress(`Block ${count(part.height)} of ${count(part.to)}…`);
      } while (after !== "" && !stopped.current);
      if (after === "") {
        saveFile(file, new Blob(parts), type);
        setProgress(`${file} is written.`);
      } else setProgress("Stopped: nothing was written.");
    } catch (error) {
      setProgress("");
      setProblem(sentence(errorText(error)));
    }
    setRunning(false);
  };
  const error = wrong ? "expected heights from 1 on" : problem;
  return (
    <>
      <Fields>
        <Field label="From block" error={error}>
          {(props) => (
            <input
              {...props}
              inputMode="numeric"
              value={from}
              onChange={({ target }) => setFrom(target.value)}
            />
          )}
        </Field>
        <Field label="To block">
          {(props) => (
            <input
              {...props}
              inputMode="numeric"
              value={to}
              onChange={({ target }) => setTo(target.value)}
            />
          )}
        </Field>
      </Fields>
      {FILES.map((file) => (
        <section key={file.what} className={css.way} aria-label={file.title}>
          <h3>{file.title}</h3>
          <p className={css.about}>{file.about}</p>
          <div className={css.row}>
            <button type="button" disabled={wrong || running} onClick={() => void write(file)}>
              Save {file.what === "trace" ? "the trace" : file.what}
            </button>
          </div>
        </section>
      ))}
      <section className={css.way} aria-label="The state as a genesis file">
        <h3>The state as a genesis file</h3>
        <p className={css.about}>
          After block {count(shown)}, which is shown: another chain can begin with it.
        </p>
        <div className={css.row}>
          <button type="button" disabled={running} onClick={() => void saveGenesis(page)}>
            Save the genesis file
          </button>
        </div>
      </section>
      <p className={form.hint} role="status">
        {progress}{" "}
        {running && (
          <button type="button" onClick={stop}>
            Stop
          </button>
        )}
      </p>
    </>
  );
}
