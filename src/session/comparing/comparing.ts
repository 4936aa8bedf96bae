/** Compares the played world with other saved worlds and with scenarios. */

import { COMPARED, INPUT } from "../../base/limits.ts";
import { STATUS, StatusError } from "../../engine/framework/errors.ts";
import type { LabAnswer, LabRequest } from "../../gen/lab/v1/lab_plain.ts";
import { type Caller, checkThere } from "../caller.ts";
import type { History } from "../history/history.ts";
import type { Host, Storage } from "../history/storage.ts";
import type { Session } from "../session.ts";
import { checkHeight, compareWorlds, findDifference, type Side } from "./compare-worlds.ts";
import type { Compares } from "./compares.ts";
import { linkedHeight, linkNamed } from "./linked-height.ts";
import {
  idOf,
  type Open,
  type OpenedWorld,
  openSaved,
  openScenario,
  savesOf,
} from "./opened-world.ts";

/** A side as received in a call: absent fields are empty. */
type SideRequest = Partial<NonNullable<LabRequest<"compareWorlds">["a"]>>;

/** Maximum worlds that stay open for explanations. */
const MOST_EXPLAINED = 2;

interface OpenEntry {
  readonly key: string;
  readonly opened: Promise<OpenedWorld>;
}

/** The same side at a height that its world has. */
const atMostNewest = ({ opened, height }: Side): Side => ({
  ...{ opened, height: Math.min(height, opened.session.sim.height) },
});

/** Throws a StatusError that names a side whose world has no such height. */
function checkThereIs(name: string, { opened: { session }, height }: Side): void {
  try {
    checkHeight(session.sim, height);
  } catch (error) {
    throw named(name, error);
  }
}

/** Adds the name of the side to an error. */
const named = (name: string, error: unknown): unknown =>
  error instanceof StatusError ? new StatusError(error.code, `${name}: ${error.message}`) : error;

export class Comparing implements Compares {
  readonly #session: Session;
  readonly #storage: Storage;
  readonly #host: Host;
  readonly #open: Open;
  readonly #saved: () => Promise<History | undefined>;
  /** Worlds of the last query, which is usually repeated for another height. */
  #others: readonly OpenEntry[] = [];
  /** Pending queries. */
  #waiting = 0;
  /** Number of cancellations of comparisons by callers who may control the session. */
  #stops = 0;
  #last: Promise<unknown> = Promise.resolve();

  /** @param saved saves the played world; returns its history, if it has one */
  constructor(
    session: Session,
    storage: Storage,
    host: Host,
    open: Open,
    saved: () => Promise<History | undefined>,
  ) {
    this.#session = session;
    this.#storage = storage;
    this.#host = host;
    this.#open = open;
    this.#saved = saved;
  }

  compare(
    { a, b, limit = 0, link = "" }: LabRequest<"compareWorlds">,
    one: Caller,
  ): Promise<LabAnswer<"compareWorlds">> {
    return this.#inTurn(one, async (caller) => {
      if (!caller.mayControl && limit > COMPARED.listed) {
        const text = `limit: expected at most ${COMPARED.listed}, found ${limit}`;
        throw new StatusError(STATUS.invalidArgument, text);
      }
      const requested = linkNamed(link);
      const sides = await this.#sides(a, b, caller);
      const [ofA, ofB] =
        requested === "height" ? [atMostNewest(sides[0]), atMostNewest(sides[1])] : sides;
      checkThereIs(a?.scenario?.file || "a", ofA);
      if (requested === undefined || requested === "height") {
        checkThereIs(b?.scenario?.file || "b", ofB);
        return compareWorlds(ofA, ofB, limit, caller);
      }
      const resting = async () => {
        checkThere(caller);
        await this.#host.delay(0);
      };
      const most = caller.mayControl ? undefined : COMPARED.linkedRounds;
      const { opened } = ofB;
      const height = await linkedHeight(ofA, opened, requested, resting, most);
      return compareWorlds(ofA, { opened, height }, limit, caller);
    });
  }

  find(
    { a, b, from = 0, backwards = false }: LabRequest<"findDifference">,
    one: Caller,
  ): Promise<LabAnswer<"findDifference">> {
    return this.#inTurn(one, async (caller) => {
      const [ofA, ofB] = await this.#sides(a, b, caller);
      return findDifference(ofA.opened, ofB.opened, { from, backwards }, async () => {
        checkThere(caller);
        await this.#host.delay(0);
      });
    });
  }

  explain(
    { side, kind = "", id = "" }: LabRequest<"explainCompared">,
    one: Caller,
  ): Promise<LabAnswer<"explainCompared">> {
    return this.#inTurn(one, async (caller) => {
      const used = new Set<OpenEntry>();
      // The worlds of the comparison stay open, since it will be queried again.
      const { opened, height } = await this.#side("side", used, caller, side);
      this.#others = this.#others.slice(-MOST_EXPLAINED);
      return opened.session.query((queries) =>
        queries.labReading("getExplanation", { kind, id }, height || undefined),
      );
    });
  }

  async stop(): Promise<void> {
    this.#stops += 1;
    await this.#last;
    this.#others = [];
  }

  /** Answers one query at a time: each may open two worlds, which are closed with the next. */
  #inTurn<T>(asking: Caller, answer: (caller: Caller) => Promise<T>): Promise<T> {
    const caller = asking.mayControl ? this.#stoppable(asking) : asking;
    if (!caller.mayControl && this.#waiting >= COMPARED.waiting) {
      const text = `${this.#waiting} comparisons wait for their turn: ask again later`;
      return Promise.reject(new StatusError(STATUS.resourceExhausted, text));
    }
    this.#waiting += 1;
    const turn = this.#last.then(() => {
      checkThere(caller);
      return answer(caller);
    });
    this.#last = turn.then(
      () => this.#ended(),
      () => this.#ended(),
    );
    return turn;
  }

  /** A caller that counts as gone once comparisons are cancelled. */
  #stoppable({ mayControl, gone }: Caller): Caller {
    const stops = this.#stops;
    return { mayControl, gone: () => this.#stops !== stops || gone?.() === true };
  }

  #ended(): void {
    this.#waiting -= 1;
  }

  async #sides(
    a: SideRequest | undefined,
    b: SideRequest | undefined,
    caller: Caller,
  ): Promise<[Side, Side]> {
    const used = new Set<OpenEntry>();
    const sides: [Side, Side] = [
      await this.#side("a", used, caller, a),
      await this.#side("b", used, caller, b),
    ];
    // Worlds of earlier queries are closed.
    this.#others = this.#others.filter((one) => used.has(one));
    return sides;
  }

  async #side(
    name: string,
    used: Set<OpenEntry>,
    caller: Caller,
    { world = "", scenario, height = 0 }: SideRequest = {},
  ): Promise<Side> {
    await this.#session.restored;
    const history = await this.#saved();
    try {
      if (scenario !== undefined) {
        if (!caller.mayControl) {
          const text =
            "expected a world and a height: a scenario is compared by one who steers the chain";
          throw new StatusError(STATUS.invalidArgument, text);
        }
        const { text = "", file = "" } = scenario;
        if (text.length > INPUT.fileBytes) {
          throw new StatusError(
            STATUS.invalidArgument,
            `expected a scenario of at most ${INPUT.fileBytes} bytes`,
          );
        }
        const key = `scenario ${file}\n${text}`;
        return {
          opened: await this.#other(key, used, () => this.#run(text, file, caller)),
          height,
        };
      }
      const isPlayed = world === "" || world === history?.id;
      const id = isPlayed ? history?.id : await idOf(world, this.#storage);
      if (id === undefined || id === history?.id) return { opened: this.#played(history), height };
      const key = `world ${id} ${await savesOf(id, this.#storage)}`;
      const opened = await this.#other(key, used, () =>
        openSaved(id, this.#storage, this.#host, this.#open, caller),
      );
      return { opened, height };
    } catch (error) {
      throw named(name, error);
    }
  }

  #played(history: History | undefined): OpenedWorld {
    const { id: world = "", name = "", note = "", parent } = history ?? {};
    return { session: this.#session, world, name, note, parent, failure: "" };
  }

  #run(text: string, file: string, caller: Caller): Promise<OpenedWorld> {
    return openScenario(text, file, this.#host, this.#open, caller);
  }

  /** Returns a world that is already open, or opens it. */
  #other(
    key: string,
    used: Set<OpenEntry>,
    open: () => Promise<OpenedWorld>,
  ): Promise<OpenedWorld> {
    let other = this.#others.find((one) => one.key === key);
    if (other === undefined) {
      const opening = { key, opened: open() };
      other = opening;
      this.#others = [...this.#others, opening];
      // After a failure the next request tries again.
      opening.opened.catch(() => {
        this.#others = this.#others.filter((one) => one !== opening);
      });
    }
    used.add(other);
    return other.opened;
  }
}
