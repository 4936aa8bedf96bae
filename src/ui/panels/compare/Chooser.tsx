import { useCallback, useEffect, useState } from "react";
import { errorText } from "../../../base/error-text.ts";
import { groupsOf } from "../../dialogs/bundled-stories.ts";
import { useBundledStories } from "../../dialogs/use-bundled-stories.ts";
import { asTree } from "../../dialogs/world-tree.ts";
import { sharedOf } from "../../share/dropped-files.ts";
import type { Compared } from "../../store/dialog.ts";
import { useDialog, useFrameState, usePage } from "../../store/page.ts";
import type { WorldComparison, WorldInfo } from "../../store/types.ts";
import { closeDocument } from "../../views/close-document.ts";
import { FilePick } from "../../widgets/FilePick.tsx";
import { count, UNNAMED } from "../../widgets/format.ts";
import { Segmented } from "../../widgets/Segmented.tsx";
import css from "./compare.module.css";
import { Letter } from "./Letter.tsx";
import { FILE, SAME_WORLD, STORY, storeFile, WORLD } from "./other.ts";

/** Links that determine the height of B from that of A. */
const LINKS = [
  ["height", "same height"],
  ["time", "same time"],
  ["command", "same command"],
  ["own", "each its own"],
] as const;

interface ChooserProps {
  height: number;
  /** The newest height of A, and of both. */
  newest: number;
  longest: number;
  answer: WorldComparison | undefined;
  onHeight: (height: number) => void;
  onOther: (other: string) => void;
  /** @param at own height of the second, or the link that determines it; 0: as the first */
  onAt: (at: Compared["at"]) => void;
}

/** The saved worlds, and a function that opens a file to compare with. */
function useSources(onOther: ChooserProps["onOther"]) {
  const { client } = usePage();
  const [worlds, setWorlds] = useState<readonly WorldInfo[]>([]);
  const [problem, setProblem] = useState("");
  const list = useCallback(async () => {
    // If the worlds cannot be listed, none is offered.
    const { worlds } = await client.lab.listWorlds({}).catch(() => ({ worlds: [] }));
    setWorlds(worlds);
  }, [client]);
  useEffect(() => void list(), [list]);
  /** A scenario runs for the comparison; the world of a file is added to the saved ones. */
  const openFile = async (file: File): Promise<void> => {
    setProblem("");
    try {
      const input = await sharedOf(file);
      if (input.kind === "scenario") return onOther(storeFile(input.file, input.text));
      const { file: name, content } = input;
      const { problem, world } = await client.lab.importWorld({ name, content });
      if (problem) throw new Error(problem);
      await list();
      onOther(WORLD + world);
    } catch (error) {
      setProblem(`${file.name}: ${errorText(error)}`);
    }
  };
  return { worlds, problem, openFile };
}

/** Selects the other side of the comparison, and the heights. */
export function Chooser(props: ChooserProps) {
  const { onOther } = props;
  const { client } = usePage();
  const compared = useDialog((dialog) => dialog.compared);
  const own = useFrameState(({ travel, frame }) => (travel?.live.frame ?? frame)?.player?.kept);
  const { worlds, problem, openFile } = useSources(onOther);
  const close = (): void => {
    closeDocument("compare");
    // If this call fails, the next comparison replaces the old one anyway.
    void client.lab.stopComparing({}).catch(() => {});
  };
  const chosen = compared?.other ?? "";
  return (
    <section className={`card ${css.chooser}`} aria-label="What is compared">
      <div className={css.who}>
        <span className={css.this}>
          <Letter of="A" /> <b>{own?.name || UNNAMED}</b>
        </span>
        <label className={css.pick}>
          <Letter of="B" /> <span className="hidden">Compared with</span>
          <select value={chosen} onChange={({ target }) => onOther(target.value)}>
            {chosen === "" && <option value="">Choose what to compare with…</option>}
            {chosen.startsWith(FILE) && <option value={chosen}>{chosen.slice(FILE.length)}</option>}
            <option value={SAME_WORLD}>Another height of this world</option>
            <Others worlds={worlds} ownId={own?.id} />
          </select>
        </label>
        <FilePick
          className={css.file}
          label="A file…"
          title="A scenario, or the file of a world"
          accept=".yaml,.yml,.json,.chainlab"
          onPick={(file) => void openFile(file)}
        />
        <button type="button" data-plain="" onClick={close}>
          Close
        </button>
      </div>
      {problem && <p role="alert">{problem}</p>}
      {compared !== undefined && <Heights {...props} compared={compared} />}
    </section>
  );
}

/** The other worlds and the bundled stories, as options. */
function Others({ worlds, ownId }: { worlds: readonly WorldInfo[]; ownId: string | undefined }) {
  const stories = useBundledStories();
  return (
    <>
      <optgroup label="Worlds and branches">
        {asTree(worlds.map((world) => ({ world })))
          .filter(({ world }) => world.id !== ownId && world.problem === "")
          .map(({ world, depth }) => (
            <option key={world.id} value={WORLD + world.id}>
              {`${"  ".repeat(depth)}${world.name || UNNAMED} · block ${count(world.height)}`}
            </option>
          ))}
      </optgroup>
      {groupsOf(stories, "").map(({ title, stories: some }) => (
        <optgroup key={title} label={`Stories: ${title}`}>
          {some.map((story) => (
            <option key={story.file} value={STORY + story.file}>
              {story.title}
            </option>
          ))}
        </optgroup>
      ))}
    </>
  );
}

interface HeightsProps extends Omit<ChooserProps, "onOther"> {
  compared: Compared;
}

/** The height of A, and that of B or how it follows. */
function Heights({ compared, height, newest, longest, answer, onHeight, onAt }: HeightsProps) {
  const first = useFrameState(({ frame }) => frame?.chain?.initialHeight ?? 1);
  const { at } = compared;
  const link = typeof at === "string" ? at : undefined;
  const isOwn = compared.other === SAME_WORLD || (link === undefined && at !== 0);
  const lastOfB = answer?.b?.newestHeight ?? longest;
  return (
    <div className={css.heights}>
      <Height
        label={isOwn || link ? "A at block" : "Both at block"}
        value={height}
        min={first}
        max={isOwn || link ? Math.max(newest, height) : longest}
        onChange={onHeight}
      />
      {isOwn && (
        <Height
          label="B at block"
          value={(link === undefined && Number(at)) || height}
          min={answer?.b?.initialHeight ?? first}
          max={lastOfB}
          onChange={onAt}
        />
      )}
      {compared.other !== SAME_WORLD && (
        <Segmented
          legend="The height of B"
          options={LINKS}
          value={link ?? (isOwn ? "own" : "height")}
          onChange={(chosen) =>
            onAt(chosen === "height" ? 0 : chosen === "own" ? Math.min(height, lastOfB) : chosen)
          }
        />
      )}
    </div>
  );
}

interface HeightProps {
  label: string;
  value: number;
  min: number;
  max: number;
  onChange: (height: number) => void;
}

function Height({ label, value, min, max, onChange }: HeightProps) {
  return (
    <label className={css.slide}>
      <span>
        {label} <b>{count(value)}</b>
      </span>
      <input
        type="range"
        aria-label={label}
        min={Math.min(min, max)}
        max={max}
        value={value}
        onChange={({ target }) => onChange(Number(target.value))}
      />
    </label>
  );
}
