import type { Asking, Load } from "./doors.ts";

/**
 * Asks a door, and takes the time of each answer. It knows nothing but its arguments: a page runs its text.
 * @param ask asks once; rejects if it is refused
 */
export async function askedFor(
  ask: () => Promise<void>,
  { width, seconds, rate }: Asking,
): Promise<Load> {
  // The first request of each connection opens it, and what is refused at all is refused here.
  await Promise.all(Array.from({ length: width }, ask));
  const startMs = performance.now();
  const end = startMs + seconds * 1_000;
  const times: number[] = [];
  let refused = 0;
  const timed = async (): Promise<void> => {
    const from = performance.now();
    try {
      await ask();
      times.push(performance.now() - from);
    } catch {
      refused += 1;
    }
  };
  if (rate === undefined) {
    const line = async (): Promise<void> => {
      while (performance.now() < end) await timed();
    };
    await Promise.all(Array.from({ length: width }, line));
  } else {
    // Requests are due at their own times, whether or not those before are answered.
    const requested: Promise<void>[] = [];
    for (let now = startMs; now < end; now = performance.now()) {
      const due = Math.floor(((now - startMs) / 1_000) * rate);
      while (requested.length < due) requested.push(timed());
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    await Promise.all(requested);
  }
  const took = (performance.now() - startMs) / 1_000;
  times.sort((a, b) => a - b);
  const at = (share: number): number => times[Math.floor(times.length * share)] ?? 0;
  return { perSecond: times.length / took, p50: at(0.5), p99: at(0.99), refused };
}
