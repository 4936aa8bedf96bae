import { useActions } from "../store/page.ts";

/** Kinds of subjects that can be explained, as in `lab.GetExplanation`. */
export type Explained = "block" | "evidence" | "proposal" | "plan" | "validator" | "tx";

interface WhyButtonProps {
  kind: Explained;
  id: string;
  /** Its accessible name, if a page has many of these buttons. */
  of: string;
  /** True inside a sentence or a list. */
  inline?: boolean;
}

/** Opens the explanation of an object. */
export function WhyButton({ kind, id, of, inline = false }: WhyButtonProps) {
  const { openDialog } = useActions();
  return (
    <button
      type="button"
      data-link={inline ? "" : undefined}
      aria-label={`Why? ${of}`}
      title={`Every decision on the way, with its rule: ${of}`}
      onClick={() => openDialog("why", `${kind}/${id}`)}
    >
      Why?
    </button>
  );
}
