/** The scenario that is written in the page: its text, what the engine has read in it, and how it ran. */
import { createStore, type StoreApi } from "zustand/vanilla";
import { errorText } from "../../../input/error-text.ts";
import { loadScenario } from "../../store/new-worlds.ts";
import type { Page } from "../../store/page.ts";
import type { ListedStep, Problem } from "../../store/types.ts";

export interface ScenarioDocument {
  readonly file: string;
  readonly text: string;
  readonly steps: readonly ListedStep[];
  readonly problems: readonly Problem[];
  /** Whether `steps` and `problems` are of this very text. */
  readonly isRead: boolean;
  /** Why the last thing could not be done; empty if it was. */
  readonly refusal: string;
  /** Steps before which a run stops, in JSON. */
  readonly stops: ReadonlySet<string>;
  /** The steps that ran last, in JSON; undefined before the first run. */
  readonly ran: readonly string[] | undefined;
}

export type Edit = {
  readonly edit: string;
  readonly at: number;
  readonly to?: number;
  readonly step?: string;
};

export const EMPTY = "scenario: 1\nname: mine\ngenesis: { validators: 4 }\nsteps: []\n";

const documents = new WeakMap<Page, OpenScenario>();

/** The scenario of a page. */
export function scenarioOf(page: Page): OpenScenario {
  const known = documents.get(page) ?? new OpenScenario(page);
  documents.set(page, known);
  return known;
}

export class OpenScenario {
  readonly store: StoreApi<ScenarioDocument>;
  readonly #page: Page;
  #reading = false;

  constructor(page: Page) {
    this.#page = page;
    this.store = createStore<ScenarioDocument>(() => ({
      file: "mine.yaml",
      text: EMPTY,
      steps: [],
      problems: [],
      isRead: false,
      refusal: "",
      stops: new Set(),
      ran: undefined,
    }));
    void this.#read();
  }

  open(file: string, text: string): void {
    this.store.setState({ file, ran: undefined, stops: new Set(), refusal: "" });
    this.write(text);
  }

  write(text: string): void {
    if (text === this.store.getState().text) return;
    this.store.setState({ text, isRead: false, refusal: "" });
    void this.#read();
  }

  /** Reads the newest text, and again if it was changed meanwhile. */
  async #read(): Promise<void> {
    if (this.#reading) return;
    this.#reading = true;
    for (;;) {
      const { text, file } = this.store.getState();
      try {
        const { problems, steps } = await this.#page.client.lab.editScenario({ text, file });
        if (text === this.store.getState().text) {
          this.store.setState({ problems, steps, isRead: true });
          break;
        }
      } catch (error) {
        this.store.setState({ refusal: errorText(error), isRead: true });
        break;
      }
    }
    this.#reading = false;
  }

  /** Edits the list of steps. Returns whether it could be done. */
  async edit(edit: Edit): Promise<boolean> {
    const { text: before, file } = this.store.getState();
    try {
      const answer = await this.#page.client.lab.editScenario({ text: before, file, ...edit });
      const { text, problems, steps, refusal } = answer;
      // What was written meanwhile is not overwritten.
      if (before !== this.store.getState().text) return false;
      this.store.setState({ text, problems, steps, refusal, isRead: true });
      return refusal === "";
    } catch (error) {
      this.store.setState({ refusal: errorText(error) });
      return false;
    }
  }

  toggleStop(json: string): void {
    const stops = new Set(this.store.getState().stops);
    if (!stops.delete(json)) stops.add(json);
    this.store.setState({ stops });
  }

  /** Runs it from the beginning: up to a position of the list, to the first stop, or to its end. */
  async run(to?: number): Promise<void> {
    const { text, file, steps, stops } = this.store.getState();
    const { client } = this.#page;
    const stop = steps.findIndex(({ json, index }) => index >= 0 && stops.has(json));
    const end = to ?? (stop < 0 ? undefined : stop);
    try {
      const cut =
        end === undefined
          ? { text, refusal: "" }
          : await client.lab.editScenario({ text, file, edit: "cut", at: end });
      if (cut.refusal !== "") throw new Error(cut.refusal);
      const problems = await loadScenario(this.#page, cut.text, file, true);
      if (problems.length > 0) {
        this.store.setState({ problems });
        return;
      }
      const ran = steps.slice(0, end).flatMap(({ index, json }) => (index < 0 ? [] : [json]));
      this.store.setState({ ran, refusal: "" });
      const { story } = await client.lab.getFrame({});
      const last = (story?.beats.length ?? 0) - 1;
      if (last < 0) return;
      // All of it at once: its sentences were written here.
      await client.lab.control({
        action: { case: "beat", value: { index: last, done: true } },
      });
    } catch (error) {
      this.store.setState({ refusal: errorText(error) });
    }
  }

  /** Opens what was done in the world on screen. */
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
