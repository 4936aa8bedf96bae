import { goTo, useRoute } from "../../store/route.ts";
import { Icon } from "../../widgets/Icon.tsx";
import { BlockFacts } from "./BlockFacts.tsx";
import { ChainFacts } from "./ChainFacts.tsx";
import { EvidenceFacts } from "./EvidenceFacts.tsx";
import css from "./Inspector.module.css";
import { NodeFacts } from "./NodeFacts.tsx";
import { ProposalFacts } from "./ProposalFacts.tsx";

const TITLES = { node: "Validator", block: "Block", proposal: "Proposal", evidence: "Evidence" };

/** Everything about what is selected; without a selection, about the chain itself. */
export default function Inspector() {
  const { selection } = useRoute();
  const id = selection?.id ?? "";
  return (
    <section className={css.inspector} aria-label="Inspector">
      {selection && (
        <header className={css.head}>
          <h2>
            <span className="soft">{TITLES[selection.kind]}</span>{" "}
            {selection.kind === "evidence" ? "" : id}
          </h2>
          <button
            type="button"
            data-plain=""
            aria-label="Close the inspector"
            onClick={() => goTo({ selection: undefined })}
          >
            <Icon name="close" size={14} />
          </button>
        </header>
      )}
      {!selection && <ChainFacts />}
      {selection?.kind === "node" && <NodeFacts name={id} />}
      {selection?.kind === "block" && <BlockFacts height={Number(id)} />}
      {selection?.kind === "proposal" && <ProposalFacts id={Number(id)} />}
      {selection?.kind === "evidence" && <EvidenceFacts hash={id} />}
    </section>
  );
}
