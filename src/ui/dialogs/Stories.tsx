import { createElement, Fragment, type ReactNode, useEffect, useState } from "react";
import { useActions } from "../store/page.ts";
import { Dialog } from "../widgets/Dialog.tsx";
import { OwnScenario } from "./OwnScenario.tsx";
import css from "./Stories.module.css";

interface Bundled {
  readonly file: string;
  readonly title: string;
  readonly about: string;
}

/** All bundled scenarios, and the way to one's own. */
export default function Stories() {
  const { runStory, openDialog, closeDialog } = useActions();
  const [stories, setStories] = useState<readonly Bundled[]>();
  const [problem, setProblem] = useState("");
  const [wanted, setWanted] = useState("");
  const isWanted = ({ title, about }: Bundled): boolean =>
    `${title} ${about}`.toLowerCase().includes(wanted.trim().toLowerCase());
  useEffect(() => {
    fetch("scenarios/index.json")
      .then((answer) => answer.json())
      .then(setStories, () => setProblem("The list of stories could not be read."));
  }, []);
  return (
    <Dialog title="Stories" wide>
      <div className={css.warning}>
        <p>A story has a world of its own. The one on screen stays among the worlds.</p>
        <div className={css.ways}>
          <button type="button" onClick={() => openDialog("own-chain")}>
            A chain of your own…
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
          placeholder="Find a story: a word of its title or text"
          value={wanted}
          onChange={(event) => setWanted(event.target.value)}
        />
      </label>
      {problem && <p role="alert">{problem}</p>}
      <ul className={css.stories}>
        {stories?.filter(isWanted).map((story) => (
          <li key={story.file} className={css.story}>
            <div>
              <h3>{story.title}</h3>
              <p className="small soft">{inline(story.about)}</p>
            </div>
            <button
              type="button"
              aria-label={`Run: ${story.title}`}
              onClick={() => {
                closeDialog();
                runStory(story.file);
              }}
            >
              Run
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

/** The little Markdown that descriptions use: code between backticks. */
function inline(text: string): ReactNode {
  const parts = text.split("`").map((part, i) => (i % 2 ? createElement("code", {}, part) : part));
  return createElement(Fragment, {}, ...parts);
}
