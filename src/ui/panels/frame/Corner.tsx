import { useActions } from "../../store/page.ts";
import { Icon } from "../../widgets/Icon.tsx";
import css from "./Display.module.css";
import { Display } from "./Display.tsx";

/** Buttons about the page itself: sharing, appearance, keys and glossary. */
export default function Corner() {
  const { openDialog } = useActions();
  return (
    <div className={css.corner}>
      <button
        type="button"
        data-plain=""
        className={css.open}
        aria-label="Share"
        title="Share (L)"
        onClick={() => openDialog("share")}
      >
        <Icon name="rise" />
      </button>
      <Display />
      <button
        type="button"
        data-plain=""
        className={css.open}
        aria-label="Keys and terms"
        title="Keys and terms (?)"
        onClick={() => openDialog("help")}
      >
        ?
      </button>
    </div>
  );
}
