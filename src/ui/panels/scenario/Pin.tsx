import { useState } from "react";
import { errorText } from "../../../input/error-text.ts";
import { usePage } from "../../store/page.ts";
import { useRoute } from "../../store/route.ts";
import type { ProposedExpectation } from "../../store/types.ts";
import css from "./scenario.module.css";

/** What can be expected of what is selected, as it is now; what is chosen becomes a step. */
export function Pin({ add }: { add: (step: string) => Promise<boolean> }) {
  const { client } = usePage();
  const { selection } = useRoute();
  const [found, setFound] = useState<readonly ProposedExpectation[]>([]);
  const [problem, setProblem] = useState("");
  const ask = async (): Promise<void> => {
    try {
      const { kind = "chain", id = "" } = selection ?? {};
      const { expectations } = await client.lab.proposeExpectations({ kind, id });
      setFound(expectations);
      setProblem("");
    } catch (error) {
      setProblem(errorText(error));
    }
  };
  return (
    <details
      className={`${css.more} ${css.pin}`}
      onToggle={({ currentTarget }) => currentTarget.open && void ask()}
    >
      <summary>Pin this number…</summary>
      <div>
        {problem && <p role="alert">{problem}</p>}
        {found.map(({ sentence, step }) => (
          <button key={sentence} type="button" onClick={() => void add(step)}>
            {sentence}
          </button>
        ))}
      </div>
    </details>
  );
}
