/** The hypothesis in the editor, its search, and the findings. */
import { createStore, type StoreApi } from "zustand/vanilla";
import { errorText } from "../../../base/error-text.ts";
import type { Page } from "../../store/page.ts";
import type { FamilyCheck, Problem, Search } from "../../store/types.ts";
import { halfPair } from "../scenario/document.ts";
import { type Draft, loadDraft, saveDraft } from "../scenario/draft.ts";

/** Limits and mode of a search. */
export interface Bounds {
  readonly seed: number;
  /** Number of cases; 0: as many as time allows. */
  readonly runs: number;
  /** Time limit; 0: until all cases have run. */
  readonly seconds: number;
  /** True to continue after the first finding. */
  readonly all: boolean;
  /** True to mutate earlier cases with new coverage. */
  readonly guided: boolean;
}

export interface LabDocument extends Draft {
  /** Title of the last valid text; empty before there was one. */
  readonly title: string;
  readonly bounds: Bounds;
  /** The engine's check of the text; undefined before the first, and while the text is invalid. */
  readonly check: FamilyCheck | undefined;
  readonly problems: readonly Problem[];
  /** Reason why the last action failed; otherwise empty. */
  readonly refusal: string;
  /** The search started last; undefined until it is known. */
  readonly search: Search | undefined;
  /** True from the start of a search on this page until its first finding is shown. */
  readonly isAwaited: boolean;
  /** Index of the selected finding. */
  readonly finding: number;
}

const FIRST: Draft = {
  file: "hypothesis.yaml",
  text: `scenario: 1
name: hypothesis
genesis: { validators: 4 }
steps:
  - run: 5
  - run: { to: 20 }
never:
  - { name: halted, chain: halted }
disturb: { most: 2, kinds: [crash, stop] }
`,
};

const KEY = "chainlab hypothesis";
const POLL_MS = 200;

/** States of a running search. */
const UNDER_WAY: readonly string[] = ["running", "shrinking"];

export const isUnderWay = (search: Search | undefined): boolean =>
  UNDER_WAY.includes(search?.state ?? "");

const documents = new WeakMap<Page, OpenLab>();

export function labOf(page: Page): OpenLab {
  const known = documents.get(page) ?? new OpenLab(page);
  documents.set(page, known);
  return known;
}

export class OpenLab {
  readonly store: StoreApi<LabDocument>;
  readonly #page: Page;
  #reading = false;
  #following = false;

  constructor(page: Page) {
    this.#page = page;
    this.store = createStore<LabDocument>(() => ({
      ...(loadDraft(KEY) ?? FIRST),
      title: "",
      bounds: { seed: 1, runs: 0, seconds: 60, all: false, guided: false },
      check: undefined,
      problems: [],
      refusal: "",
      search: undefined,
      isAwaited: false,
      finding: 0,
    }));
    void this.#read();
    void this.follow();
  }

  /** Opens a text in place of the current one. */
  open(file: string, text: string): void {
    this.store.setState({ file, text, title: "", check: undefined, problems: [], refusal: "" });
    saveDraft({ file, text }, KEY);
    void this.#read();
  }

  write(text: string): void {
    if (text === this.store.getState().text) return;
    this.store.setState({ text, refusal: "" });
    saveDraft(this.store.getState(), KEY);
    void this.#read();
  }

  /** Checks the newest text, and again if it was changed meanwhile. */
  async #read(): Promise<void> {
    if (this.#reading) return;
    this.#reading = true;
    for (;;) {
      const { text, file } = this.store.getState();
      const half = halfPair(text);
      const answer =
        half === undefined
          ? await this.#page.client.lab.checkFamily({ text, file }).catch(errorText)
          : { problems: [half] };
      if (text !== this.store.getState().text) continue;
      if (typeof answer === "string") this.store.setState({ refusal: answer });
      else {
        const check = "name" in answer && answer.problems.length === 0 ? answer : undefined;
        this.store.setState({
          problems: answer.problems,
          check,
          ...(check && { title: check.title }),
        });
      }
      break;
    }
    this.#reading = false;
  }

  /** Starts a search among the cases of the current text. */
  async start(): Promise<void> {
    const { text, file, bounds } = this.store.getState();
    try {
      const { problems } = await this.#page.client.lab.startSearch({
        family: { text, file },
        ...bounds,
      });
      // Discard the results of the previous search.
      const started = { search: undefined, isAwaited: true, finding: 0 };
      this.store.setState({ problems, refusal: "", ...(problems.length === 0 && started) });
      await this.follow();
    } catch (error) {
      this.store.setState({ refusal: errorText(error) });
    }
  }

  async stop(): Promise<void> {
    try {
      await this.#page.client.lab.stopSearch({});
    } catch (error) {
      this.store.setState({ refusal: errorText(error) });
    }
  }

  /** Polls the state of the search until it ends. */
  async follow(): Promise<void> {
    if (this.#following) return;
    this.#following = true;
    try {
      for (;;) {
        const before = this.store.getState().search;
        const revision = before?.revision ?? 0;
        const search = await this.#page.client.lab.getSearch({ revision });
        // An ended and known search is returned without its file.
        if (search.family !== undefined) this.store.setState({ search });
        if (!isUnderWay(search)) break;
        await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      }
    } catch (error) {
      this.store.setState({ refusal: errorText(error) });
    }
    this.#following = false;
  }
}
