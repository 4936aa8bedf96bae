import type { ComparedSides } from "../../store/dialog.ts";
import { usePage } from "../../store/page.ts";
import type { Explained } from "../../widgets/WhyButton.tsx";

interface WhyBothButtonProps {
  kind: Explained;
  id: string;
  /** Its accessible name, if there are many of these buttons. */
  of: string;
  sides: ComparedSides;
  /** True inside a table. */
  inline?: boolean;
}

/** Opens the explanations of an object in both compared worlds. */
export function WhyBothButton({ kind, id, of, sides, inline = false }: WhyBothButtonProps) {
  const { dialog } = usePage();
  return (
    <button
      type="button"
      data-link={inline ? "" : undefined}
      aria-label={`Why? ${of} in A and B`}
      title={`Every decision on the way, with its rule, in A and in B: ${of}`}
      onClick={() => dialog.setState({ name: "why-both", subject: `${kind}/${id}`, sides })}
    >
      Why?
    </button>
  );
}
