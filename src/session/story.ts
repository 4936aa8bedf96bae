import type { Story } from "../gen/lab/v1/lab_plain.ts";
import type { StepResult } from "../scenario/runner.ts";
import type { Scenario } from "../scenario/scenario.ts";

const NO_STORY: Story = {
  name: "",
  title: "",
  about: "",
  steps: [],
  state: "none",
  file: "",
  current: 0,
};

export type StoryState = "none" | "running" | "passed" | "failed";

/** Progress of a scenario's steps, as the page shows it. */
export class StoryProgress {
  readonly #scenario: Scenario;
  readonly #file: string;
  #results: readonly StepResult[] = [];
  #state: StoryState = "none";
  #drawn: Story | undefined;

  constructor(scenario: Scenario, file: string) {
    this.#scenario = scenario;
    this.#file = file;
  }

  get state(): StoryState {
    return this.#state;
  }
  /** Position of the step that runs or ran last. */
  get current(): number {
    const ended = this.#results.length;
    return this.#state === "running" ? ended : Math.max(ended - 1, 0);
  }
  /** Message of the failed step. */
  get message(): string {
    return this.#results.at(-1)?.message ?? "";
  }

  begin(): void {
    this.#change(this.#scenario.steps.length > 0 ? "running" : "passed", []);
  }

  stepEnded(result: StepResult): void {
    const results = [...this.#results, result];
    const over = results.length === this.#scenario.steps.length;
    this.#change(result.ok ? (over ? "passed" : "running") : "failed", results);
  }

  /** Restores the progress: the current step and how it ended, if it did. */
  resume(state: StoryState, current: number, message: string): void {
    const { steps } = this.#scenario;
    const ended = state === "running" ? current : state === "none" ? 0 : current + 1;
    const results = steps.slice(0, ended).map(({ verb }, index) => {
      const failed = state === "failed" && index === current;
      return { index, verb, ok: !failed, height: 0, message: failed ? message : "" };
    });
    this.#change(state, results);
  }

  #change(state: StoryState, results: readonly StepResult[]): void {
    this.#state = state;
    this.#results = results;
    this.#drawn = undefined;
  }

  draw(): Story {
    this.#drawn ??= this.#draw();
    return this.#drawn;
  }

  #draw(): Story {
    const { name, title, about, steps } = this.#scenario;
    if (steps.length === 0 && this.#file === "") return NO_STORY;
    const running = this.#state === "running" ? this.#results.length : -1;
    return {
      name,
      title,
      about,
      state: this.#state,
      file: this.#file,
      current: this.current,
      steps: steps.map(({ verb, note }, index) => {
        const result = this.#results[index];
        const state = result
          ? result.ok
            ? "ok"
            : "failed"
          : index === running
            ? "running"
            : "pending";
        return { index, verb, note: note ?? "", state, message: result?.message ?? "" };
      }),
    };
  }
}
