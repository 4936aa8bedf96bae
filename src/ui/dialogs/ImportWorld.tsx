import { useId, useRef, useState } from "react";
import { INPUT } from "../../base/limits.ts";
import { usePage } from "../store/page.ts";
import { requestPersistence } from "../store/persistence.ts";
import type { WorldList } from "../store/types.ts";
import { sentence, UNNAMED } from "../widgets/format.ts";
import { bytes } from "../widgets/sizes.ts";
import css from "./Worlds.module.css";

interface ImportWorldProps {
  /** Resolves to the list with the new world. */
  onImported: () => Promise<WorldList | undefined>;
}

/** Imports the world of a file; problems are shown beside the button. */
export function ImportWorld({ onImported }: ImportWorldProps) {
  const { client } = usePage();
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [busy, setBusy] = useState(false);
  const [result, setResult] = useState<{ text: string; ok: boolean }>();

  /** Resolves to the new world's name. Rejects with the problem of the file. */
  const read = async (file: File): Promise<string> => {
    if (file.size > INPUT.worldBytes) {
      throw new Error(`expected at most ${bytes(INPUT.worldBytes)}, found ${bytes(file.size)}`);
    }
    const content = new Uint8Array(await file.arrayBuffer());
    const { problem, world } = await client.lab.importWorld({ name: file.name, content });
    if (problem) throw new Error(problem);
    const list = await onImported();
    void requestPersistence();
    return list?.worlds.find((one) => one.id === world)?.name || UNNAMED;
  };
  const take = async (file: File): Promise<void> => {
    setBusy(true);
    setResult(undefined);
    try {
      setResult({ text: `“${await read(file)}” is imported from ${file.name}.`, ok: true });
    } catch (error) {
      const text = sentence(`${file.name} is not imported: ${(error as Error).message}`);
      setResult({ text, ok: false });
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        aria-label="A world’s file"
        onChange={async ({ target }) => {
          const [chosen] = target.files ?? [];
          if (chosen) await take(chosen);
          target.value = "";
        }}
      />
      <button
        type="button"
        aria-busy={busy || undefined}
        aria-describedby={id}
        onClick={() => busy || input.current?.click()}
      >
        {busy ? "Importing…" : "Import…"}
      </button>
      <p id={id} className={css.said} data-ok={result?.ok} role={result?.ok ? "status" : "alert"}>
        {result?.text}
      </p>
    </>
  );
}
