import { createElement, Fragment, type ReactNode, useEffect, useState, useTransition } from "react";
import { scenarioOf } from "../panels/scenario/document.ts";
import { recordWorld } from "../panels/scenario/open.ts";
import { useNewWorlds } from "../store/new-worlds.ts";
import { useActions, usePage } from "../store/page.ts";
import { showDocument } from "../views/documents.ts";
import { Dialog, useCloseDialog } from "../widgets/Dialog.tsx";
import { duration } from "../widgets/duration.ts";
import { type Bundled, groupsOf } from "./bundled-stories.ts";
import { OwnScenario } from "./OwnScenario.tsx";
import css from "./Stories.module.css";

/** All bundled scenarios, and the way to the user's own. */
export default function Stories() {
  const { openDialog } = useActions();
  const closeDialog = useCloseDialog();
  const { runStory } = useNewWorlds();
  const page = usePage();
  const [stories, setStories] = useState<readonly Bundled[]>();
  const [problem, setProblem] = useState("");
  const [wanted, setWanted] = useState("");
  const [isStarting, begin] = useTransition();
  const groups = stories && groupsOf(stories, wanted);
  useEffect(() => {
    fetch("scenarios/index.json")
      .then((answer) => answer.json())
      .then(setStories, () => setProblem("The list of stories could not be read."));
  }, []);
  return (
    <Dialog title="Stories" wide>
      <div className={css.warning}>
        <p>Each story runs in its own world. Your current one is kept under Worlds.</p>
        <div className={css.ways}>
          <button type="button" onClick={() => openDialog("own-chain")}>
            A chain of your own…
          </button>
          <button
            type="button"
            onClick={() => {
              closeDialog();
              showDocument("scenario");
            }}
          >
            Write a scenario…
          </button>
          <button
            type="button"
            onClick={() => {
              closeDialog();
              recordWorld(page);
            }}
          >
            Record what I did…
          </button>
          <button type="button" onClick={() => openDialog("worlds")}>
            Worlds…
          </button>
        </div>
      </div>
      <OwnScenario />
      <label className={css.find}>
        <span className="hidden">Find a story</span>
        <input
          type="search"
          placeholder="Find: slashing, jail, Cosmovisor…"
          value={wanted}
          onChange={(event) => setWanted(event.target.value)}
        />
      </label>
      {problem && <p role="alert">{problem}</p>}
      {groups?.length === 0 && <p role="status">No story has “{wanted.trim()}”.</p>}
      {groups?.map(({ title, stories: some }) => (
        <section key={title} aria-label={`${title}: stories`}>
          <h3 className={css.group}>
            {title} <span className="small soft">{some.length}</span>
          </h3>
          <ul className={css.stories}>
            {some.map((story) => (
              <Row
                key={story.file}
                story={story}
                edit={async () => {
                  const answer = await fetch(`scenarios/${story.file}`);
                  if (!answer.ok) return setProblem(`${story.file} could not be read.`);
                  scenarioOf(page).open(story.file, await answer.text());
                  closeDialog();
                  showDocument("scenario");
                }}
                run={() => {
                  // Until the story is loaded: the next press is meant for it.
                  if (!isStarting) begin(() => runStory(story.file).then(closeDialog));
                }}
              />
            ))}
          </ul>
        </section>
      ))}
    </Dialog>
  );
}

function Row({ story, run, edit }: { story: Bundled; run: () => void; edit: () => void }) {
  const { title, about, level, seconds } = story;
  const facts = [level, seconds && `about ${duration(seconds)}`].filter(Boolean);
  return (
    <li className={css.story}>
      <div>
        <h4>{title}</h4>
        <p className="small soft">{inline(about)}</p>
        {facts.length > 0 && <p className="small faint">{facts.join(" · ")}</p>}
      </div>
      <div className={css.ways}>
        <button type="button" aria-label={`Edit: ${title}`} onClick={edit}>
          Edit
        </button>
        <button type="button" aria-label={`Run: ${title}`} onClick={run}>
          Run
        </button>
      </div>
    </li>
  );
}

/** The Markdown subset of descriptions: code between backticks. */
function inline(text: string): ReactNode {
  const parts = text.split("`").map((part, i) => (i % 2 ? createElement("code", {}, part) : part));
  return createElement(Fragment, {}, ...parts);
}
