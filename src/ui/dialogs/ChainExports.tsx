import { useEffect, useRef, useState } from "react";
import { errorText } from "../../base/error-text.ts";
import { type Page, useFrameState, usePage } from "../store/page.ts";
import { saveGenesis } from "../store/save-chain.ts";
import { shownHeight } from "../store/travel.ts";
import { Fields, TextField } from "../widgets/Field.tsx";
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

/** Writes one file at a time, part by part, with its progress. */
function useExport({ client }: Page) {
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
  const write = async ({ what, type }: File, from: number, to: number): Promise<void> => {
    stopped.current = false;
    setRunning(true);
    setProblem("");
    setProgress("Writing…");
    try {
      const parts: string[] = [];
      let after = "";
      let file: string;
      do {
        const part = await client.lab.exportChain({ what, after, from, to });
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
  return { write, stop, progress, problem, running };
}

/** Exports of the chain's history as files for other programs. */
export function ChainExports() {
  const page = usePage();
  const { write, stop, progress, problem, running } = useExport(page);
  const shown = useFrameState(shownHeight);
  const [from, setFrom] = useState("1");
  const [to, setTo] = useState(String(shown));
  const range = [asNumber(from), asNumber(to)];
  const wrong = range.some(
    (height) => typeof height !== "number" || !Number.isSafeInteger(height) || height < 1,
  );
  const error = wrong ? "expected heights from 1 on" : problem;
  return (
    <>
      <Fields>
        <TextField
          label="From block"
          error={error}
          inputMode="numeric"
          value={from}
          onChange={setFrom}
        />
        <TextField label="To block" inputMode="numeric" value={to} onChange={setTo} />
      </Fields>
      {FILES.map((file) => (
        <section key={file.what} className={css.way} aria-label={file.title}>
          <h3>{file.title}</h3>
          <p className={css.about}>{file.about}</p>
          <div className={css.row}>
            <button
              type="button"
              disabled={wrong || running}
              onClick={() => void write(file, Number(from), Number(to))}
            >
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
