import { Suspense, useEffect, useState } from "react";
import { errorText } from "../../input/error-text.ts";
import app from "../App.module.css";
import Inspector from "../panels/inspect/Inspector.tsx";
import { Sentence } from "../panels/present/Sentence.tsx";
import Timeline from "../panels/timeline/Timeline.tsx";
import { isShared, readLink } from "../share/link.ts";
import { useActions, useFrameState, usePage } from "../store/page.ts";
import { FIRST_VIEW, goTo, useRoute } from "../store/route.ts";
import { situationPhrase } from "../store/situation.ts";
import { useView } from "../views/use-view.ts";
import { count } from "../widgets/format.ts";
import { Icon } from "../widgets/Icon.tsx";
import { SteerButton } from "../widgets/SteerButton.tsx";
import css from "./Embedded.module.css";
import { listenToEmbedder } from "./listen.ts";

/** A chain within another page: the sentence, the timeline, one view, and who has it do what it does. */
export default function Embedded() {
  const page = usePage();
  const { view, selection } = useRoute();
  const { title, Component } = useView(view);
  const known = useFrameState(({ frame }) => frame !== undefined);
  const [origin, setOrigin] = useState("");
  const [problem, setProblem] = useState("");
  useEffect(() => listenToEmbedder(page, setOrigin), [page]);
  useEffect(() => {
    // The page around has chosen what the address holds.
    void openLink(page.client.lab).catch((error: unknown) => setProblem(errorText(error)));
  }, [page]);
  return (
    <div className={css.embedded}>
      <header className={css.sentence}>
        <h1 className="hidden">Chainlab</h1>
        {problem ? <p role="alert">{problem}</p> : known && <Sentence />}
      </header>
      <section className={css.timeline} data-part="timeline" aria-label="Timeline">
        {known && <Timeline />}
      </section>
      <div className={css.stage}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
        <main id="view" className={app.view} tabIndex={0} aria-label={title}>
          <Suspense>{known && <Component />}</Suspense>
        </main>
        {selection && (
          <aside className={css.details} aria-label="Details">
            <Inspector />
          </aside>
        )}
      </div>
      <footer className={css.foot}>
        <Ways />
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

/** Loads the scenario of a link in the address, paused. */
async function openLink(lab: ReturnType<typeof usePage>["client"]["lab"]): Promise<void> {
  if (!isShared(location.hash)) return;
  const shared = await readLink(location.hash);
  goTo({ view: FIRST_VIEW });
  if (shared.kind === "scenario") {
    const { text, file } = shared;
    const { problems } = await lab.loadScenario({ text, file, paused: true });
    const [first] = problems;
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
  const height = useFrameState(({ frame }) => frame?.chain?.height ?? 0);
  const phrase = useFrameState(({ frame }) => (frame ? situationPhrase(frame) : ""));
  return (
    <>
      <SteerButton data-plain="" onClick={togglePlay}>
        <Icon name={running ? "pause" : "play"} size={14} />
        {running ? "Pause" : "Play"}
      </SteerButton>
      <SteerButton data-plain="" onClick={() => stepBlocks(1)} aria-label="One block">
        <Icon name="step" size={14} />
      </SteerButton>
      <span>
        height <b data-testid="height">{count(height)}</b>
      </span>
      <span data-testid="status">{phrase || (running ? "Live" : "Paused")}</span>
    </>
  );
}
