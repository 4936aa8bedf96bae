import type { Applied } from "../../engine/network/node/applied.ts";
import { InvariantError } from "../../engine/simulation/invariants/holds.ts";
import { ModelInvariants } from "../../engine/simulation/invariants/model-invariants.ts";
import type { CommittedState } from "../../engine/store/multi-store.ts";
import type { Look, Reads } from "../expectation.ts";
import { lookedAt } from "../looked-at.ts";
import type { Scenario, ScenarioStep } from "../scenario.ts";
import { type StepContext, StepError, Unanswerable } from "../step-context.ts";
import { HaltedNodes } from "./halted-nodes.ts";
import type { Property } from "./property.ts";
import { type Violation, violationText } from "./violation.ts";

/** Progress of a property in a run, if it does not follow from the current world. */
export interface WatchedProperty {
  readonly name: string;
  /** For `eventually`: consensus rounds since genesis when its time started. */
  readonly since?: number;
  /** For `eventually` and `sometimes`: true if it was satisfied. */
  readonly met?: true;
}

/**
 * Checks the properties of a scenario, and the invariants of the model, while it runs. `look` is
 * called after each round and each step, and evaluates only properties whose answer can have
 * changed; the first violation ends the watch unless `endsBy` decides otherwise.
 */
export class PropertyWatch {
  readonly #context: StepContext;
  readonly #watched: Watched[];
  readonly #isFamily: boolean;
  readonly #model: ModelInvariants;
  readonly #halted: HaltedNodes;
  readonly #endsBy: (violation: Violation) => boolean;
  #height = -1;
  #head: Applied | undefined;
  #violations: readonly Violation[] = [];
  #isOver = false;

  /**
   * @param before progress of a resumed run
   * @param endsBy returns true if a violation ends the watch; one of an invariant always does
   */
  constructor(
    context: StepContext,
    { properties = [], isFamily = false }: Pick<Scenario, "properties" | "isFamily">,
    before: readonly WatchedProperty[] = [],
    endsBy: (violation: Violation) => boolean = () => true,
  ) {
    this.#context = context;
    this.#isFamily = isFamily;
    this.#endsBy = endsBy;
    this.#model = new ModelInvariants(context.sim);
    this.#halted = new HaltedNodes(context.sim);
    this.#watched = properties.map((property) => {
      const { since, met: wasSatisfied = false } =
        before.find(({ name }) => name === property.name) ?? {};
      return {
        property,
        look: lookOf(property),
        since,
        wasSatisfied,
        isEvaluated: false,
        violated: false,
      };
    });
  }

  /** The first violation; undefined if there is none. */
  get violation(): Violation | undefined {
    return this.#violations[0];
  }

  /** Violations in the order of detection, one per property. */
  get violations(): readonly Violation[] {
    return this.#violations;
  }

  /** Names of the satisfied `sometimes` properties. */
  get reached(): readonly string[] {
    return this.#watched.flatMap(({ property, wasSatisfied }) =>
      wasSatisfied && property.kind === "sometimes" ? property.name : [],
    );
  }

  /** Names of the properties without a result so far: never evaluated, or with rounds left. */
  get unasked(): readonly string[] {
    return this.#watched.flatMap(
      ({ property, isEvaluated: wasEvaluated, wasSatisfied, violated }) => {
        const isKnown = property.kind === "eventually" ? wasSatisfied || violated : wasEvaluated;
        return isKnown ? [] : property.name;
      },
    );
  }

  /** State that must be saved with the world. */
  get saved(): readonly WatchedProperty[] {
    return this.#watched.flatMap(({ property: { name }, since, wasSatisfied }) =>
      since === undefined && !wasSatisfied
        ? []
        : {
            name,
            ...(since !== undefined && { since }),
            ...(wasSatisfied && { met: wasSatisfied }),
          },
    );
  }

  /**
   * Evaluates properties that can have changed since the last call; returns the violation that has
   * ended the watch, if there is one.
   */
  look(step: number): Violation | undefined {
    if (!this.#isOver) {
      const broken = this.#broken(step);
      this.#note(broken ? [broken] : this.#unmet(step));
    }
    return this.#isOver ? this.#violations.at(-1) : undefined;
  }

  /** Records violations, up to the one that ends the watch. */
  #note(found: readonly Violation[]): void {
    if (found.length === 0) return;
    const isLast = (one: Violation) => one.kind === "invariant" || this.#endsBy(one);
    const last = found.findIndex(isLast);
    this.#isOver = last >= 0;
    this.#violations = [...this.#violations, ...(last < 0 ? found : found.slice(0, last + 1))];
  }

  /** A violated invariant of the model: a bug of the simulator. */
  #broken(step: number): Violation | undefined {
    return this.#brokenBy(() => {
      this.#model.look();
      this.#halted.look();
    }, step);
  }

  #brokenBy(look: () => void, step?: number): Violation | undefined {
    try {
      look();
      return undefined;
    } catch (error) {
      if (!(error instanceof InvariantError)) throw error;
      const { invariant: property, found: message } = error;
      const { height } = this.#context.sim;
      return {
        ...{ property, kind: "invariant", height, message },
        ...(step !== undefined && { step }),
      };
    }
  }

  #unmet(step: number): readonly Violation[] {
    if (this.#watched.length === 0) return [];
    const { sim } = this.#context;
    const { height, rounds } = sim;
    const { head } = sim.network.ledger;
    const hasBlock = height !== this.#height;
    const [before, now] = [stateOf(this.#head), stateOf(head)];
    const differs = (reads: Reads): boolean => {
      if (reads === "world") return true;
      if (reads === "blocks") return hasBlock;
      return before !== now && (reads === "stores" || rootOf(before, reads) !== rootOf(now, reads));
    };
    this.#height = height;
    this.#head = head;
    const violations: Violation[] = [];
    // All are evaluated: a violation that ends the watch may coincide with a satisfied `sometimes`
    // property.
    for (const watched of this.#watched) {
      const { property, wasSatisfied, isEvaluated: wasEvaluated, violated } = watched;
      const { kind, from, within, expected } = property;
      if (wasSatisfied || violated || height < from) continue;
      if (kind === "eventually") watched.since ??= from === 0 ? 0 : rounds;
      const isDue = kind === "eventually" && rounds - (watched.since ?? 0) >= within;
      if (wasEvaluated && !isDue && !differs(expected.reads)) continue;
      const found = watched.look(this.#context);
      if (found !== undefined) watched.isEvaluated = true;
      if (kind === "eventually" || kind === "sometimes") {
        if (found) watched.wasSatisfied = true;
        else if (isDue) violations.push(this.#violated(watched, step));
      } else if (found === (kind === "never")) violations.push(this.#violated(watched, step));
    }
    return violations;
  }

  /**
   * Checks at the end of a run: that the remedies for halted nodes work, and that each `sometimes`
   * property was satisfied.
   * @param isAll true if the latter can be checked: all steps ran, and it is not one of several
   * cases
   */
  end(isAll: boolean): Violation | undefined {
    const broken = this.#isOver ? undefined : this.#brokenBy(() => this.#halted.end());
    if (broken) this.#note([broken]);
    if (this.#isFamily || !isAll || this.violation) return this.violation;
    const { sim } = this.#context;
    const never = this.#watched.find(
      ({ property, wasSatisfied }) => property.kind === "sometimes" && !wasSatisfied,
    );
    if (never) {
      const { name, kind } = never.property;
      const message = `it was not true at any time up to height ${sim.height}; at the end: ${this.#foundBy(never)}`;
      this.#note([{ property: name, kind, height: sim.height, message }]);
    }
    return this.violation;
  }

  /** A step that fails with the violation as its message, as soon as one is found. */
  watched(step: ScenarioStep, index: number): ScenarioStep {
    return lookedAt(step, () => {
      const violation = this.look(index);
      if (violation) throw new StepError(violationText(violation));
    });
  }

  #violated(watched: Watched, step: number): Violation {
    watched.violated = true;
    const { property } = watched;
    const { name, kind, within } = property;
    const found = this.#foundBy(watched);
    const message =
      kind === "never"
        ? `expected that it is not true, found ${found}`
        : kind === "eventually"
          ? `it did not come true within ${within} rounds: ${found}`
          : found;
    const { height } = this.#context.sim;
    return { property: name, kind, height, step, message };
  }

  /** Describes the current value of a property. */
  #foundBy({ property }: Watched): string {
    try {
      return property.expected.verify(this.#context);
    } catch (error) {
      if (error instanceof StepError) return error.message;
      throw error;
    }
  }
}

interface Watched {
  readonly property: Property;
  readonly look: Look;
  since: number | undefined;
  wasSatisfied: boolean;
  /** True once it was evaluated. */
  isEvaluated: boolean;
  /** True once it is violated; it is not checked again. */
  violated: boolean;
}

/** State of the stores after a block: the same object as before if nothing was written. */
const stateOf = (applied: Applied | undefined) => applied?.outcome?.state ?? applied?.state;

/** The tree of one store: the same object as before if nothing was written to it. */
const rootOf = (state: CommittedState | undefined, { store }: { readonly store: string }) =>
  state?.has(store) ? state.store(store).root : undefined;

/** Check of a property, with state from one call to the next. */
function lookOf({ expected }: Property): Look {
  const look = expected.look();
  return (context) => {
    try {
      if (look) return look(context);
      expected.verify(context);
      return true;
    } catch (error) {
      if (error instanceof Unanswerable) return undefined;
      if (error instanceof StepError) return false;
      throw error;
    }
  };
}
