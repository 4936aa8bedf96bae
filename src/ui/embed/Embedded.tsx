import { Suspense, useEffect, useState } from "react";
import { errorText } from "../../base/error-text.ts";
import app from "../App.module.css";
import Inspector from "../panels/inspect/Inspector.tsx";
import { Sentence } from "../panels/present/Sentence.tsx";
import Timeline from "../panels/timeline/Timeline.tsx";
import { isShared, readLink } from "../share/link.ts";
import { replaceByScenario } from "../store/new-worlds.ts";
import { type Page, useActions, useFrameState, usePage } from "../store/page.ts";
import { FIRST_VIEW, goTo, useRoute } from "../store/route.ts";
import { situationPhrase } from "../store/situation.ts";
import { goLive } from "../store/travel.ts";
import { useView } from "../views/use-view.ts";
import { ControlButton } from "../widgets/ControlButton.tsx";
import { count } from "../widgets/format.ts";
import { Icon } from "../widgets/Icon.tsx";
import css from "./Embedded.module.css";
import { listenToEmbedder } from "./listen.ts";

/**
 * A chain within another page: the sentence, the timeline, one view, and the embedding page's
 * control.
 */
export default function Embedded() {
  const page = usePage();
  const { view, selection } = useRoute();
  const { title, Component } = useView(view);
  const known = useFrameState(({ frame }) => frame !== undefined);
  const [origin, setOrigin] = useState("");
  const [problem, setProblem] = useState("");
  useEffect(() => listenToEmbedder(page, setOrigin), [page]);
  useEffect(() => {
    // The embedding page has chosen the content of the address.
    void openLink(page).catch((error: unknown) => setProblem(errorText(error)));
  }, [page]);
  const world = useFrameState(({ frame }) => frame?.world);
  useEffect(
    () => () => {
      // A world that the embedding page loads instead clears the old problem.
      if (world !== undefined) setProblem("");
    },
    [world],
  );
  const shown = known && !problem;
  return (
    <div className={css.embedded}>
      <header className={css.sentence}>
        <h1 className="hidden">Chainlab</h1>
        {problem ? <p role="alert">{problem}</p> : shown && <Sentence />}
      </header>
      <section className={css.timeline} data-part="timeline" aria-label="Timeline">
        {shown && <Timeline />}
      </section>
      <div className={css.stage}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
        <main id="view" className={app.view} tabIndex={0} aria-label={title}>
          <Suspense>{shown && <Component />}</Suspense>
        </main>
        {shown && selection && (
          <aside className={css.details} aria-label="Details">
            <Inspector />
          </aside>
        )}
      </div>
      <footer className={css.foot}>
        {shown && <Ways />}
        <span className={css.space} />
        {origin && (
          <span data-testid="embedder">
            {origin === "null" ? "A page without an origin" : origin} has this chain do what it does
          </span>
        )}
        <a href="./" target="_blank" rel="noopener">
          Chainlab
        </a>
      </footer>
    </div>
  );
}

/**
 * Loads the scenario of a link in the address, paused. Rejects with the problem of the link: no
 * other chain runs then.
 */
async function openLink(page: Page): Promise<void> {
  const { lab } = page.client;
  if (!isShared(location.hash)) return;
  await lab.control({ action: { case: "pause", value: true } });
  const shared = await readLink(location.hash);
  goTo({ view: FIRST_VIEW });
  if (shared.kind === "scenario") {
    const { text, file } = shared;
    const [first] = await replaceByScenario(page, text, file, true);
    if (first) throw new Error(`${file}:${first.line} ${first.path} ${first.message}`);
    return;
  }
  const { problem, world } = await lab.importWorld({ name: shared.file, content: shared.content });
  if (problem) throw new Error(problem);
  await lab.openWorld({ world });
}

function Ways() {
  const { stepBlocks, togglePlay } = useActions();
  const running = useFrameState(({ frame }) =>
    Boolean(frame?.player?.playing || frame?.player?.busy),
  );
  const page = usePage();
  const past = useFrameState(({ travel }) => travel !== undefined);
  const height = useFrameState(({ frame }) => frame?.chain?.height ?? 0);
  const phrase = useFrameState(({ frame }) => (frame ? situationPhrase(frame) : ""));
  return (
    <>
      {past ? (
        <button type="button" data-plain="" onClick={() => goLive(page)}>
          Back to live
        </button>
      ) : (
        <>
          <ControlButton data-plain="" onClick={togglePlay}>
            <Icon name={running ? "pause" : "play"} size={14} />
            {running ? "Pause" : "Play"}
          </ControlButton>
          <ControlButton data-plain="" onClick={() => stepBlocks(1)} aria-label="One block">
            <Icon name="step" size={14} />
          </ControlButton>
        </>
      )}
      <span>
        height <b data-testid="height">{count(height)}</b>
      </span>
      <span data-testid="status">{past ? "Past" : phrase || (running ? "Live" : "Paused")}</span>
    </>
  );
}
