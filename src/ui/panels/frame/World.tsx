import { useActions, useFrameState } from "../../store/page.ts";
import { plural, UNNAMED } from "../../widgets/format.ts";
import { Icon, type IconName } from "../../widgets/Icon.tsx";
import css from "./World.module.css";

/** Short reasons why nothing can be saved; a notice has the details. */
const WHY: Readonly<Record<string, string>> = {
  full: ": storage is full",
  unavailable: ": no storage",
  cleared: ": storage was cleared",
  left: ": an earlier world",
};

/** The world's name, which opens the list of worlds, and the save state of its actions. */
export default function World() {
  const { openDialog } = useActions();
  const name = useFrameState(({ frame }) => frame?.player?.kept?.name ?? "");
  return (
    <div className={css.world}>
      <button
        type="button"
        data-plain=""
        className={css.name}
        title="Worlds: open, rename, copy, delete, export, import (W)"
        aria-label={`Worlds; this one is ${name || UNNAMED}`}
        onClick={() => openDialog("worlds")}
      >
        <span>{name || UNNAMED}</span>
        <Icon name="down" size={12} />
      </button>
      <Saved />
      <Attached />
    </div>
  );
}

function Saved() {
  const role = useFrameState(({ frame }) => frame?.player?.kept?.role);
  const state = useFrameState(({ frame }) => frame?.player?.kept?.state ?? "");
  const pending = useFrameState(({ frame }) => frame?.player?.kept?.pending ?? 0);
  const failure = useFrameState(({ frame }) => frame?.player?.kept?.failure ?? "");
  const [icon, text]: [IconName, string] =
    role === "watching"
      ? ["lock", "Watching"]
      : state === "opening"
        ? ["rise", "Opening…"]
        : state === "saved"
          ? ["check", "Saved"]
          : state === "saving"
            ? ["rise", pending > 0 ? `Saving ${plural(pending, "action")}…` : "Saving…"]
            : ["cross", `Not saved${WHY[failure] ?? ""}`];
  return (
    <span className={css.saved} data-state={state} data-testid="saved">
      <Icon name={icon} size={12} />
      {text}
    </span>
  );
}

/**
 * Number of pages connected to the node that this page controls. A page that only watches shows it
 * in place of the transport.
 */
function Attached() {
  const attached = useFrameState(({ frame }) => frame?.player?.attached);
  if (!attached?.steers) return null;
  const { steering, watching } = attached;
  const who = `${plural(steering, "page")} in control, ${plural(watching, "page")} watching`;
  return (
    <span
      className={css.attached}
      title={`Attached to a node: ${who}`}
      data-attached
      data-testid="attached"
    >
      <Icon name="play" size={12} />
      <span>
        <span className={css.role}>In control{steering + watching > 1 && " · "}</span>
        {steering + watching > 1 && `${steering + watching} here`}
      </span>
    </span>
  );
}
