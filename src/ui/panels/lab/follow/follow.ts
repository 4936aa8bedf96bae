/** Watched expressions of a lab: their file, their heights, and their values. */
import { createStore, type StoreApi } from "zustand/vanilla";
import type { Client } from "../../../../client/client.ts";
import type { Problem, SeriesOfRun } from "../../../store/types.ts";

/** A file, as it was run. */
export interface RunFile {
  readonly text: string;
  readonly file: string;
}

/** The requested heights, in the format of `chainlab probe`; 0 for no value. */
export interface Heights {
  readonly from: number;
  readonly to: number;
  readonly every: number;
}

export interface Followed {
  readonly expressions: readonly string[];
  readonly heights: Heights;
  /** True to evaluate the scenario of the current finding instead of the file. */
  readonly ofFinding: boolean;
  readonly answer: (SeriesOfRun & { readonly of: RunFile }) | undefined;
}

/** The limit of a call. */
export const MOST_EXPRESSIONS = 16;

const stores = new WeakMap<object, Following>();

/** Returns the watched expressions of a lab, creating them on first use. */
export function followingOf(lab: object, client: Client): Following {
  const known = stores.get(lab) ?? new Following(client);
  stores.set(lab, known);
  return known;
}

export class Following {
  readonly store: StoreApi<Followed>;
  readonly #client: Client;

  constructor(client: Client) {
    this.#client = client;
    this.store = createStore<Followed>(() => ({
      expressions: ["chain"],
      heights: { from: 0, to: 0, every: 1 },
      ofFinding: false,
      answer: undefined,
    }));
  }

  /** Replaces the expression at an index, or appends one at the end. */
  write(at: number, expression: string): void {
    const { expressions } = this.store.getState();
    if (at >= MOST_EXPRESSIONS) return;
    this.store.setState({
      expressions: [...expressions.slice(0, at), expression, ...expressions.slice(at + 1)],
    });
  }

  remove(at: number): void {
    const { expressions } = this.store.getState();
    this.store.setState({ expressions: expressions.filter((_, i) => i !== at) });
  }

  /**
   * Runs a file and reads the expressions at its heights, in a query with a name; returns their
   * problem as text.
   */
  async read(of: RunFile, question: string): Promise<string | undefined> {
    const { expressions, heights } = this.store.getState();
    const answer = await this.#client.lab.findSeries({
      ...{ file: of, expressions: [...expressions], ...heights, question },
    });
    const problem = problemOf(answer);
    if (problem === undefined) this.store.setState({ answer: { ...answer, of } });
    return problem;
  }
}

/** Returns the problem of a request as text. */
function problemOf({
  problems: [problem],
  wrong: [wrong],
  heights,
  beginning,
  height,
}: SeriesOfRun) {
  if (problem) return `line ${problem.line}: ${problem.message}`;
  if (wrong?.problem) return `expression ${wrong.expression + 1}: ${wrong.problem.message}`;
  if (heights.length === 0) return `the chain has heights ${beginning} to ${height}, none of those`;
  return undefined;
}

/** The text of an expression's problem; with its line if the expression has several. */
export const problemText = ({ line, message }: Problem): string =>
  line > 1 ? `line ${line}: ${message}` : message;
