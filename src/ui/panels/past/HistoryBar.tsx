import { useFrameState, usePage } from "../../store/page.ts";
import { goLive, liveHeight, shownHeight, travelBy } from "../../store/travel.ts";
import { count } from "../../widgets/format.ts";
import { Icon } from "../../widgets/Icon.tsx";
import bar from "../frame/TopBar.module.css";
import transport from "../timeline/Transport.module.css";
import css from "./past.module.css";

/**
 * Replaces the status and the transport: shows the height, with controls to move and to return to
 * live.
 */
export default function HistoryBar() {
  const page = usePage();
  const shown = useFrameState(({ frame }) => frame?.chain?.height ?? 0);
  const to = useFrameState(shownHeight);
  const newest = useFrameState(liveHeight);
  const first = useFrameState(({ frame }) => frame?.chain?.initialHeight ?? 1);
  return (
    <>
      <span className={`${bar.pill} ${css.pill}`} data-testid="status">
        <Clock />
        Past · {count(shown)} of {count(newest)}
      </span>
      <span className={bar.space} />
      <fieldset className={`${transport.transport} ${css.ways}`}>
        <legend className="hidden">Travel through the history</legend>
        <button
          type="button"
          disabled={to <= first}
          onClick={() => travelBy(page, -1)}
          aria-label="The block before"
          title="The block before (←)"
        >
          <span className={css.back}>
            <Icon name="step" />
          </span>
        </button>
        <button
          type="button"
          data-primary=""
          className={css.home}
          onClick={() => goLive(page)}
          title="Back to the newest block (End)"
        >
          Back to live <kbd>End</kbd>
        </button>
        <button
          type="button"
          onClick={() => travelBy(page, 1)}
          aria-label="The block after"
          title="The block after (→)"
        >
          <Icon name="step" />
        </button>
      </fieldset>
    </>
  );
}

const Clock = () => (
  <svg width={14} height={14} viewBox="0 0 16 16" className={css.clock} aria-hidden="true">
    <path d="M14 8A6 6 0 1 1 2 8a6 6 0 0 1 12 0zM8 4.6V8l2.3 1.6" />
  </svg>
);
