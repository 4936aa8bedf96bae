import type { Frame, LabRequest, Player } from "../gen/lab/v1/lab_plain.ts";
import type { Notice } from "../gen/lab/v1/worlds_plain.ts";
import type { SessionOfWorlds } from "./worlds.ts";

/** Parts of a frame that do not come from the session. */
interface Besides extends Pick<Player, "attached"> {
  /** Notices of the session's host. */
  readonly notices?: readonly Notice[];
}

/** Builds frames of a session, including the state of its saves. */
export class SessionFrames {
  readonly #play: SessionOfWorlds;
  /** Id of the tab or the node. */
  readonly #id: string;
  /** Last shown value of those parts. */
  #shown = "";
  #changes = 0;

  constructor(play: SessionOfWorlds, id: string) {
    this.#play = play;
    this.#id = id;
  }

  build(request: LabRequest<"getFrame">, { notices: own = [], attached }: Besides): Frame {
    const { session, worlds, saving } = this.#play;
    const { state, pending, failure = "" } = saving;
    const id = worlds.current ?? "";
    const saved = { id, name: worlds.name, state, pending, failure, role: "owner" };
    const notices: Notice[] = saving.notices.map((notice) => ({
      ...notice,
      actions: [...notice.actions],
    }));
    notices.push(...own);
    // A revision covers both: it grows with either.
    const { world, past } = this.#play.look(request.height ?? 0) ?? {};
    const shown = JSON.stringify([saved, notices, attached, past, world?.id]);
    if (shown !== this.#shown) this.#changes += 1;
    this.#shown = shown;
    const revision = (request.revision ?? 0) - this.#changes;
    const frame = session.getFrame({ ...request, revision }, world);
    return {
      ...frame,
      revision: frame.revision + this.#changes,
      // Unique among tabs, since a tab that takes over continues the frames of another one.
      world: `${this.#id} ${frame.world}`,
      ...(past && frame.chain && { past }),
      player: frame.player && {
        ...frame.player,
        kept: saved,
        notices,
        ...(attached && { attached }),
      },
    };
  }
}
