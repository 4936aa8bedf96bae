/** A wait may last as long as it goes on; without progress it ends after this time, in ms. */
export const STALLED_MS = 30_000;

/**
 * Tries again and again until an attempt succeeds.
 *
 * @param progress a figure that changes while what is waited for comes nearer
 * @param attempt rejects with what is missing
 * @param clock in ms
 * @throws what the last attempt lacked, once the figure has been the same for 30 s
 */
export async function whileProgressing(
  progress: () => Promise<string>,
  attempt: () => Promise<void>,
  clock = () => performance.now(),
): Promise<void> {
  let [figure, since] = [await progress(), clock()];
  for (;;) {
    try {
      return await attempt();
    } catch (cause) {
      const now = await progress();
      if (now !== figure) [figure, since] = [now, clock()];
      else if (clock() - since >= STALLED_MS) throw new Error(stalledAt(figure, cause), { cause });
    }
  }
}

const stalledAt = (figure: string, cause: unknown): string =>
  `no progress for ${STALLED_MS / 1000} s at "${figure}": ${cause instanceof Error ? cause.message : cause}`;
