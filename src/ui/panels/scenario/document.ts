/** The scenario in the editor: its text, its parsed steps, and its last run. */
import { createStore, type StoreApi } from "zustand/vanilla";
import { errorText } from "../../../base/error-text.ts";
import { loadScenario, replaceByScenario } from "../../store/new-worlds.ts";
import type { Page } from "../../store/page.ts";
import type { ListedStep, Problem, ScenarioNames, Story } from "../../store/types.ts";
import { type Draft, loadDraft, saveDraft } from "./draft.ts";
import { type Edit, found, type Mark, positionAfter } from "./positions.ts";

export interface ScenarioDocument {
  readonly file: string;
  readonly text: string;
  readonly steps: readonly ListedStep[];
  readonly problems: readonly Problem[];
  /** Reason why the last action failed; otherwise empty. */
  readonly refusal: string;
  /** Names for references, from the last version without problems; undefined before that. */
  readonly names: ScenarioNames | undefined;
  /** Breakpoints: steps before which a run stops. */
  readonly stops: readonly Mark[];
  /** The step edited in a form; undefined if there is none, or it is gone. */
  readonly changing: Mark | undefined;
  /** The draft that opening something else replaced; undefined if nothing was lost. */
  readonly replaced: Draft | undefined;
  /** The last run; undefined before the first one. */
  readonly run: Run | undefined;
  /** True while the list of possible assertions is open. */
  readonly pinning: boolean;
}

export interface Run {
  /** Its world, and the name under which the world was saved. */
  readonly world: string;
  readonly name: string;
  /** The text that ran. */
  readonly text: string;
  /** The steps that ran, in JSON. */
  readonly steps: readonly string[];
}

export const EMPTY = "scenario: 1\nname: mine\ngenesis: { validators: 4 }\nsteps: []\n";

const documents = new WeakMap<Page, OpenScenario>();

export function scenarioOf(page: Page): OpenScenario {
  const known = documents.get(page) ?? new OpenScenario(page);
  documents.set(page, known);
  return known;
}

export class OpenScenario {
  readonly store: StoreApi<ScenarioDocument>;
  readonly #page: Page;
  /** Settled when the newest text is parsed; undefined once it is. */
  #reading: Promise<void> | undefined;
  /** The text as opened, or as saved to a file. */
  #saved = EMPTY;
  /** Edits of the list, in sequence. */
  #edits: Promise<unknown> = Promise.resolve();
  /** Completed edits: actions requested before them refer to an older list. */
  readonly #done: Edit[] = [];

  constructor(page: Page) {
    this.#page = page;
    this.store = createStore<ScenarioDocument>(() => ({
      ...(loadDraft() ?? { file: "mine.yaml", text: EMPTY }),
      steps: [],
      problems: [],
      refusal: "",
      stops: [],
      names: undefined,
      changing: undefined,
      replaced: undefined,
      run: undefined,
      pinning: false,
    }));
    this.#read();
  }

  /** Opens a text in place of the current one, which is stored until the next replacement. */
  open(file: string, text: string): void {
    const { file: before, text: source } = this.store.getState();
    const replaced = source === this.#saved ? undefined : { file: before, text: source };
    this.#saved = text;
    const none = { run: undefined, stops: [], changing: undefined, steps: [], problems: [] };
    this.store.setState({ file, text, replaced, refusal: "", ...none });
    saveDraft({ file, text });
    this.#read();
  }

  /** Reopens the replaced text. */
  reopen(): void {
    const { replaced } = this.store.getState();
    if (replaced === undefined) return;
    this.open(replaced.file, replaced.text);
    // It is not in a file.
    this.#saved = "";
  }

  /** Records that the text was saved to a file. */
  saved(): void {
    this.#saved = this.store.getState().text;
  }

  write(text: string): void {
    if (text === this.store.getState().text) return;
    this.store.setState({ text, refusal: "", replaced: undefined });
    saveDraft(this.store.getState());
    this.#read();
  }

  /** Parses the newest text, and again if it was changed meanwhile. */
  #read(): void {
    this.#reading ??= Promise.resolve().then(() => this.#readNewest());
  }

  async #readNewest(): Promise<void> {
    for (;;) {
      const { text, file } = this.store.getState();
      const half = halfPair(text);
      if (half !== undefined) {
        this.store.setState({ problems: [half] });
        break;
      }
      const answer = await this.#page.client.lab.editScenario({ text, file }).catch(errorText);
      if (text !== this.store.getState().text) continue;
      if (typeof answer === "string") this.store.setState({ refusal: answer });
      else {
        const { names = this.store.getState().names } = answer;
        this.store.setState({ names });
        this.#listed(answer.steps, answer.problems);
      }
      break;
    }
    this.#reading = undefined;
  }

  /** Receives a list of steps, and locates the marked ones in it. */
  #listed(steps: readonly ListedStep[], problems: readonly Problem[]): void {
    const { stops, changing } = this.store.getState();
    const stay = (mark: Mark): readonly Mark[] => [found(mark, steps) ?? []].flat();
    this.store.setState({
      ...{ steps, problems, stops: stops.flatMap(stay) },
      changing: changing && found(changing, steps),
    });
  }

  /** Edits the list of steps, after earlier edits. Resolves to false if it failed. */
  edit(edit: Edit): Promise<boolean> {
    const seen = this.#done.length;
    const done = this.#edits.then(() => this.#edit(edit, seen));
    this.#edits = done;
    return done;
  }

  async #edit(requested: Edit, seen: number): Promise<boolean> {
    let at: number | undefined = requested.at;
    for (const one of this.#done.slice(seen)) at = at === undefined ? at : positionAfter(one, at);
    if (at === undefined) return false;
    const edit = { ...requested, at };
    const { text: before, file, stops, changing } = this.store.getState();
    const half = halfPair(before);
    if (half !== undefined) {
      this.store.setState({ refusal: `Line ${half.line}: ${half.message}` });
      return false;
    }
    const answer = await this.#page.client.lab
      .editScenario({ text: before, file, ...edit })
      .catch(errorText);
    const refusal = typeof answer === "string" ? answer : answer.refusal;
    if (typeof answer === "string" || refusal !== "") {
      this.store.setState({ refusal });
      return false;
    }
    if (before !== this.store.getState().text) {
      this.store.setState({ refusal: "The text was changed meanwhile: nothing was done." });
      return false;
    }
    const { text, steps, problems } = answer;
    this.#done.push(edit);
    const moved = (mark: Mark): readonly Mark[] => {
      const after = positionAfter(edit, mark.at);
      return after === undefined ? [] : [{ at: after, json: steps[after]?.json ?? mark.json }];
    };
    this.store.setState({
      ...{ text, refusal, replaced: undefined, file: nameOf(file, text) },
      ...{ stops: stops.flatMap(moved), changing: changing && moved(changing)[0] },
    });
    saveDraft(this.store.getState());
    this.#listed(steps, problems);
    return true;
  }

  /** Edits the step at a position in the form, or closes the form. */
  change(at: number | undefined): void {
    const json = at === undefined ? undefined : this.store.getState().steps[at]?.json;
    this.store.setState({
      changing: at === undefined || json === undefined ? undefined : { at, json },
    });
  }

  toggleStop(at: number): void {
    const { stops, steps } = this.store.getState();
    const others = stops.filter((stop) => stop.at !== at);
    const json = steps[at]?.json ?? "";
    this.store.setState({
      stops: others.length < stops.length ? others : [...stops, { at, json }],
    });
  }

  /** Runs it from the beginning: up to a position of the list, to the first stop, or to its end. */
  async run(to?: number): Promise<void> {
    // Wait for the latest edits to be listed.
    await Promise.all([this.#reading, this.#edits]);
    const { text, file, steps, stops } = this.store.getState();
    const { client } = this.#page;
    const stop = steps.findIndex(
      ({ index }, at) => index >= 0 && stops.some((one) => one.at === at),
    );
    const end = to ?? (stop < 0 ? undefined : stop);
    try {
      const ran = steps.slice(0, end).flatMap(({ index, json }) => (index < 0 ? [] : [json]));
      const part = end === undefined ? {} : { steps: ran.length, withoutSteps: ran.length === 0 };
      // The world stores the complete text, however far it runs.
      const again = await this.#runBefore(text);
      const load = again ? replaceByScenario : loadScenario;
      const problems = await load(this.#page, text, file, true, part);
      const [first] = problems;
      if (first !== undefined) {
        this.store.setState({ problems });
        // The world on screen belongs to the previous run.
        const line = first.line > 0 ? `, line ${first.line}` : "";
        this.#page.actions.notify(`${file}${line}: ${first.message}`, "error");
        return;
      }
      const { story, world, player } = await client.lab.getFrame({});
      const { name = "" } = player?.kept ?? {};
      this.store.setState({ run: { world, name, text, steps: ran }, refusal: "" });
      if (again) await client.lab.deleteWorld({ world: again, forever: true });
      const last = (story?.beats.length ?? 0) - 1;
      // If it stops before its first step, nothing was played yet.
      if (last < 0 || ran.length === 0) return;
      // At full speed: the user wrote its sentences.
      await client.lab.control({
        action: { case: "beat", value: { index: last, done: true } },
      });
    } catch (error) {
      this.store.setState({ refusal: errorText(error) });
    }
  }

  /** Continues the run from its stop: to the next stop, or to its end. */
  async continueRun(): Promise<void> {
    const { run, steps, stops } = this.store.getState();
    if (run === undefined) return;
    const next = steps.find(
      ({ index }, at) => index > run.steps.length && stops.some((one) => one.at === at),
    );
    const end = next?.index ?? 0;
    try {
      await this.#page.client.lab.control({ action: { case: "runOn", value: end } });
      const all = steps.flatMap(({ index, json }) => (index < 0 ? [] : [json]));
      const ran = all.slice(0, end || all.length);
      this.store.setState({ run: { ...run, steps: ran }, refusal: "" });
    } catch (error) {
      this.store.setState({ refusal: errorText(error) });
    }
  }

  /**
   * Id of the last run's world, if it is on screen, ran the same text, and has no other actions: a
   * new run would lead to the same world.
   */
  async #runBefore(text: string): Promise<string | undefined> {
    const { run } = this.store.getState();
    if (run?.text !== text) return undefined;
    const { world, story, player } = await this.#page.client.lab.getFrame({});
    const { id, name } = player?.kept ?? {};
    const isSame = run.world === world && run.name === name;
    return isSame && story?.acted === false ? id : undefined;
  }

  /** Opens the actions of the world on screen as a scenario. */
  async record(): Promise<void> {
    try {
      const { file, text, leftOut } = await this.#page.client.lab.recordScenario({});
      this.open(file, text);
      if (leftOut.length > 0) this.store.setState({ refusal: `Left out: ${leftOut.join(" ")}` });
    } catch (error) {
      this.store.setState({ refusal: errorText(error) });
    }
  }
}

/** Returns the state of a run's story; undefined unless the story has all steps of the run. */
export function stateOf(run: Run | undefined, story: Story | undefined): string | undefined {
  if (run === undefined || story === undefined) return undefined;
  if (run.steps.length === 0) return story.state === "none" ? "passed" : story.state;
  return story.steps.length === run.steps.length ? story.state : undefined;
}

/** True if a run is paused at a stop with steps remaining, and the text has not changed since. */
export function isAtStop(
  { run, text, steps }: Pick<ScenarioDocument, "run" | "text" | "steps">,
  story: Story | undefined,
): boolean {
  const all = steps.filter(({ index }) => index >= 0).length;
  const more = run !== undefined && run.text === text && run.steps.length < all;
  return more && stateOf(run, story) === "passed";
}

/**
 * Finds half of a surrogate pair in a text. No file or transport preserves it: it would become
 * another character.
 */
export function halfPair(text: string): Problem | undefined {
  const found = /\p{Cs}/u.exec(text);
  if (found === null) return undefined;
  const line = text.slice(0, found.index).split("\n").length;
  const code = found[0].charCodeAt(0).toString(16).toUpperCase();
  const message = `expected text, found U+${code}, half of a surrogate pair, in it`;
  return { path: "", line, column: 0, message };
}

/** The name of a file that is no longer JSON after edits in YAML style. */
const nameOf = (file: string, text: string): string =>
  text.trimStart().startsWith("{") ? file : file.replace(/\.json$/i, ".yaml");
