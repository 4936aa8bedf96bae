/** Checks a file against the rules of the trace event format. */

export interface TraceEvent {
  readonly name: string;
  readonly ph: "B" | "E" | "X" | "i" | "M";
  readonly ts: number;
  readonly dur: number;
  readonly pid: number;
  readonly tid: number;
  readonly s?: string;
  readonly args?: Readonly<Record<string, string | number>>;
}

/** The events of a trace. Throws an Error that names the violated rule. */
export function readTrace(text: string): readonly TraceEvent[] {
  const { traceEvents } = JSON.parse(text) as { readonly traceEvents: readonly TraceEvent[] };
  const named = new Set<string>();
  const open = new Map<string, TraceEvent[]>();
  const slices = new Map<string, (readonly [from: number, to: number])[]>();
  const last = new Map<string, number>();
  for (const event of traceEvents) {
    const { name, ph, ts, dur, pid, tid } = event;
    const refuse = (why: string): never => {
      throw new Error(`${why}: ${JSON.stringify(event)}`);
    };
    if (!Number.isInteger(pid) || !Number.isInteger(tid)) refuse("expected ids that are whole");
    if (typeof name !== "string" || name === "") refuse("expected a name");
    const thread = `${pid}/${tid}`;
    if (ph === "M") {
      if (/_name$/.test(name) && !event.args?.name) refuse("expected what it is called");
      if (name === "thread_name") named.add(thread);
      continue;
    }
    if (!named.has(thread)) refuse("expected a thread that has a name");
    if (!Number.isFinite(ts) || ts < 0) refuse("expected a time from 0 on");
    const begun = open.get(thread) ?? [];
    open.set(thread, begun);
    if (ph === "B" || ph === "E") {
      if (ts < (last.get(thread) ?? 0)) refuse("expected begins and ends of a thread in order");
      last.set(thread, ts);
    }
    if (ph === "B") begun.push(event);
    else if (ph === "E") {
      const from = begun.pop() ?? refuse("expected a begin before its end");
      if (from.name !== name) refuse(`expected the end of ${from.name}`);
    } else if (ph === "X") {
      if (!(dur > 0)) refuse("expected a duration above 0");
      slices.set(thread, [...(slices.get(thread) ?? []), [ts, ts + dur]]);
    } else if (ph === "i") {
      if (event.s !== "t") refuse("expected the scope of one thread");
    } else refuse("expected another phase");
  }
  for (const [thread, begun] of open) {
    if (begun.length > 0) throw new Error(`${thread}: ${begun.length} begins have no end`);
  }
  for (const [thread, all] of slices) {
    // The longer of two with the same start comes first.
    const sorted = all.toSorted(([a, x], [b, y]) => a - b || y - x);
    const around: number[] = [];
    for (const [from, to] of sorted) {
      while ((around.at(-1) ?? Number.POSITIVE_INFINITY) <= from + 1e-6) around.pop();
      const end = around.at(-1);
      if (end !== undefined && to > end + 1e-6) {
        throw new Error(`${thread}: a slice from ${from} to ${to} ends after the one around it`);
      }
      around.push(to);
    }
  }
  return traceEvents;
}
