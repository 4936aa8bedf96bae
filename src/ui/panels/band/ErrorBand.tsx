import { useFrameState } from "../../store/page.ts";
import { goTo } from "../../store/route.ts";
import { viewOf } from "../../views/views.ts";
import { shortName } from "../../widgets/format.ts";
import css from "./band.module.css";

/** The engine is gone: only a reload helps. A failed frame is requested again. */
export function ErrorBand() {
  const lost = useFrameState((state) => state.lost);
  const problem = useFrameState((state) => state.problem);
  const drawn = useFrameState(({ frame }) => frame !== undefined);
  if (lost === undefined && !drawn) {
    // The reason why there is nothing to show yet.
    return (
      <div className={css.band}>
        <p role="alert">{problem}</p>
      </div>
    );
  }
  if (lost === undefined) {
    return (
      <div className={css.band} data-tone="bad">
        <p role="alert">
          The page is out of date: <code>{problem}</code> Trying again…
        </p>
      </div>
    );
  }
  return (
    <div className={css.band} data-tone="bad">
      <p className={css.say} role="alert">
        <span>
          The engine has stopped: <code>{lost}</code>
        </span>
      </p>
      <div className={css.actions}>
        <button type="button" data-primary="" onClick={() => location.reload()}>
          Reload the page
        </button>
      </div>
    </div>
  );
}

/** An unknown view in the address shows the first one, an unknown selection none. */
export function NoSuchView({ name, unread = "" }: { name: string; unread: string | undefined }) {
  const view = viewOf(name);
  return (
    <div className={css.band}>
      <p className={css.say} role="alert">
        {view.name === name
          ? `There is no “${shortName(unread, 30)}” in this world. This is ${view.title}.`
          : `There is no view “${name}” here. This is ${view.title}.`}
      </p>
      <div className={css.actions}>
        <button type="button" onClick={() => goTo({ view: view.name })}>
          OK
        </button>
      </div>
    </div>
  );
}
