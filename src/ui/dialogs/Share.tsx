import { useEffect, useState } from "react";
import { errorText } from "../../base/error-text.ts";
import { INPUT } from "../../base/limits.ts";
import { linkHash, type Shared } from "../share/link.ts";
import { importLines, runLine, testOf } from "../share/same-run.ts";
import { useDialog, useFrameState, usePage } from "../store/page.ts";
import { liveHeight } from "../store/travel.ts";
import { Dialog } from "../widgets/Dialog.tsx";
import { Choices } from "../widgets/Field.tsx";
import { count, sentence, UNNAMED } from "../widgets/format.ts";
import { saveFile } from "../widgets/save-file.ts";
import { bytes } from "../widgets/sizes.ts";
import { useCopy } from "../widgets/use-copy.ts";
import { ChainExports } from "./ChainExports.tsx";
import form from "./form.module.css";
import css from "./Share.module.css";

/** Ways to share the world on screen, by their content. */
type What = "source" | "recorded" | "world" | "exports";

/**
 * Shares the scenario or the world on screen as a link, as a file, and as commands that run it
 * elsewhere.
 */
export default function Share() {
  const { client } = usePage();
  const name = useFrameState(({ frame }) => frame?.player?.kept?.name) || UNNAMED;
  const world = useFrameState(({ frame }) => frame?.player?.kept?.id ?? "");
  /** Undefined until it is known, and null if there is none. */
  const [source, setSource] = useState<(Shared & { kind: "scenario" }) | null>();
  const requested = useDialog(({ subject }) => (subject === "exports" ? subject : undefined));
  const [chosen, choose] = useState<What | undefined>(requested);
  const newest = useFrameState(liveHeight);
  const past = useFrameState(({ travel }) => travel?.height);
  const impossible = useFrameState(({ frame }) => (frame?.tampered.length ?? 0) > 0);
  // The range always belongs to the played world.
  const upTo =
    past === undefined
      ? "."
      : ` up to block ${count(newest)}, the newest, and not to block ${count(past)}, which is shown: a branch from there ends there.`;
  useEffect(() => {
    const take = ({ text, file }: { text: string; file: string }): void =>
      setSource(text === "" ? null : { kind: "scenario", text, file: file || "scenario.yaml" });
    client.lab.getSource({}).then(take, () => setSource(null));
  }, [client]);
  const what = chosen ?? (source ? "source" : "recorded");
  const record = async (): Promise<Made> => {
    const { file, text, leftOut } = await client.lab.recordScenario({});
    return { shared: { kind: "scenario", file, text }, leftOut };
  };
  const save = async (): Promise<Made> => {
    const { name, content } = await client.lab.exportWorld({ world });
    return { shared: { kind: "world", file: name, content }, leftOut: [] };
  };
  // Nothing yet that could get the focus and then be replaced.
  if (source === undefined) return null;
  return (
    <Dialog title="Share">
      <div className={form.form}>
        <Choices
          legend="What to share"
          value={what}
          onChange={choose}
          options={[
            ...(source
              ? [
                  {
                    value: "source" as const,
                    label: "The scenario that this world came from",
                    about: `${source.file}, ${bytes(new Blob([source.text]).size)}. What was done beside its steps is left out.`,
                  },
                ]
              : []),
            {
              value: "recorded" as const,
              label: "What was done here, as a scenario",
              about: `Every command as a step at its height${past === undefined ? ": running it gives the same world." : `,${upTo}`}`,
            },
            {
              value: "world" as const,
              label: "This world",
              about:
                past === undefined
                  ? "Its genesis and every command, replayed up to here."
                  : `Its genesis and every command,${upTo}`,
            },
            {
              value: "exports" as const,
              label: "What happened, for other programs",
              about:
                "A trace for Perfetto; blocks and events as tables; the state as a genesis file.",
            },
          ]}
        />
        {impossible && (
          <p className={form.hint} role="note">
            This world is impossible: a value was changed by hand in it. Its files say so.
          </p>
        )}
        {what === "exports" ? (
          <ChainExports />
        ) : what === "source" && source ? (
          <Ways key="source" shared={source} title={name} />
        ) : (
          <MadeNow key={what} make={what === "world" ? save : record} title={name} />
        )}
      </div>
    </Dialog>
  );
}

interface MadeProps {
  make: () => Promise<Made>;
  title: string;
}

interface Made {
  readonly shared: Shared;
  /** Omitted parts, in sentences. */
  readonly leftOut: readonly string[];
}

/** Builds the shared content of the world on screen on demand. */
function MadeNow({ make, title }: MadeProps) {
  const [made, setMade] = useState<Made>();
  const [problem, setProblem] = useState("");
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is of the moment in which it was asked for
  useEffect(() => {
    make().then(setMade, (error: unknown) => setProblem(sentence(errorText(error))));
  }, []);
  if (problem)
    return (
      <p className={form.error} role="alert">
        {problem}
      </p>
    );
  if (made === undefined) return <p role="status">Writing its file…</p>;
  return (
    <>
      {made.leftOut.length > 0 && (
        <ul className={form.error} aria-label="What is left out">
          {made.leftOut.map((what) => (
            <li key={what}>{what}</li>
          ))}
        </ul>
      )}
      <Ways shared={made.shared} title={title} />
    </>
  );
}

/** The ways to share an item. */
function Ways({ shared, title }: { shared: Shared; title: string }) {
  const copy = useCopy();
  const [link, setLink] = useState("");
  useEffect(() => {
    void linkHash(shared).then((hash) => setLink(new URL(hash, document.baseURI).href));
  }, [shared]);
  const hash = link.length - link.indexOf("#");
  const tooLong = hash > INPUT.linkCharacters;
  const save = (): void =>
    saveFile(
      shared.file,
      shared.kind === "scenario" ? shared.text : new Uint8Array(shared.content),
      "application/octet-stream",
    );
  return (
    <>
      <section className={css.way} aria-label="As a link">
        <h3>As a link</h3>
        <p className={css.about} role="status" data-testid="link-size">
          {link === ""
            ? "Compressing…"
            : tooLong
              ? `It would have ${count(hash)} characters, browsers allow ${count(INPUT.linkCharacters)}. Save it as a file instead.`
              : `${count(link.length)} characters, ${carriedBy(link.length)}. The link contains everything; nothing is uploaded.`}
        </p>
        {link !== "" && !tooLong && (
          <div className={css.row}>
            <input
              readOnly
              aria-label="The link"
              value={link}
              onFocus={({ target }) => target.select()}
            />
            <button type="button" data-primary="" onClick={() => copy(link, "the link")}>
              Copy the link
            </button>
          </div>
        )}
      </section>
      <section className={css.way} aria-label="As a file">
        <h3>As a file</h3>
        <p className={css.about}>
          {shared.kind === "scenario"
            ? "Dropped onto any Chainlab page, it is shown and opened there; the command line runs it."
            : "Dropped onto any Chainlab page, it is shown and opened there; the command line queries it."}
        </p>
        <div className={css.row}>
          <button type="button" onClick={save}>
            Save {shared.file}
          </button>
        </div>
      </section>
      <section className={css.way} aria-label="Copy">
        <h3>Copy</h3>
        <div className={css.row}>
          {shared.kind === "scenario" ? (
            <>
              <button type="button" onClick={() => copy(shared.text, "the scenario")}>
                As scenario
              </button>
              <button
                type="button"
                onClick={() => copy(testOf(title, shared.file), "a test that runs the file")}
              >
                As test
              </button>
              <button
                type="button"
                onClick={() => copy(runLine(shared.file), "the command that runs the file")}
              >
                As command
              </button>
            </>
          ) : (
            <button
              type="button"
              onClick={() =>
                copy(importLines(shared.file), "the commands that import the file and ask it")
              }
            >
              As command
            </button>
          )}
        </div>
      </section>
    </>
  );
}

/** Returns the channels that usually accept an address of that length. */
const carriedBy = (characters: number): string =>
  characters <= 2_000
    ? "short enough for mail and chat"
    : characters <= 8_000
      ? "short enough for most mail; some chats cut it"
      : "short enough for browsers; mail and chats may cut it";
