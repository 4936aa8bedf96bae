import { useId, useRef, useState } from "react";
import { INPUT } from "../../input/limits.ts";
import { askToKeep } from "../store/keep.ts";
import { usePage } from "../store/page.ts";
import { bytes } from "../widgets/sizes.ts";
import css from "./Worlds.module.css";

/** Adds the world of a file; what is wrong with a file stands beside the button. */
export function ImportWorld({ onImported }: { onImported: () => Promise<void> }) {
  const { client } = usePage();
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [busy, setBusy] = useState(false);
  const [said, setSaid] = useState<{ text: string; ok: boolean }>();
  const read = async (file: File): Promise<void> => {
    setBusy(true);
    setSaid(undefined);
    try {
      if (file.size > INPUT.worldBytes) {
        const text = `${file.name} was refused: expected at most ${bytes(INPUT.worldBytes)}, found ${bytes(file.size)}`;
        return setSaid({ text, ok: false });
      }
      const content = new Uint8Array(await file.arrayBuffer());
      const { problem } = await client.lab.importWorld({ name: file.name, content });
      if (problem) setSaid({ text: `${file.name} was refused: ${problem}`, ok: false });
      else {
        await onImported();
        void askToKeep();
        setSaid({ text: `${file.name} is imported.`, ok: true });
      }
    } catch (error) {
      setSaid({ text: `${file.name} could not be read: ${(error as Error).message}`, ok: false });
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
          if (chosen) await read(chosen);
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
      <p id={id} className={css.said} data-ok={said?.ok} role={said?.ok ? "status" : "alert"}>
        {said?.text}
      </p>
    </>
  );
}
