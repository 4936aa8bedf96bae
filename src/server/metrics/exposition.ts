/** Metrics as text, in the format 0.0.4 that Prometheus scrapes (rules/clients 4.1). */

type MetricType = "gauge" | "counter" | "histogram";

type Labels = Readonly<Record<string, string>>;

export const METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/** Writes metric families in sequence. */
export class Exposition {
  readonly #common: Labels;
  readonly #lines: string[] = [];

  /** @param common labels that every sample has */
  constructor(common: Labels) {
    this.#common = common;
  }

  get text(): string {
    return `${this.#lines.join("\n")}\n`;
  }

  gauge(name: string, help: string, value: number): void {
    this.gauges(name, help, [[{}, value]]);
  }

  /** A family with a sample for each set of labels; omitted without samples. */
  gauges(name: string, help: string, samples: Iterable<readonly [Labels, number]>): void {
    this.#family(name, help, "gauge", samples);
  }

  counter(name: string, help: string, value: number): void {
    this.counters(name, help, [[{}, value]]);
  }

  counters(name: string, help: string, samples: Iterable<readonly [Labels, number]>): void {
    this.#family(name, help, "counter", samples);
  }

  histogram(name: string, help: string, histogram: Histogram): void {
    this.#head(name, help, "histogram");
    for (const [bound, count] of histogram.cumulative()) {
      this.#sample(`${name}_bucket`, { le: numberText(bound) }, count);
    }
    this.#sample(`${name}_sum`, {}, histogram.sum);
    this.#sample(`${name}_count`, {}, histogram.count);
  }

  #family(
    name: string,
    help: string,
    type: MetricType,
    samples: Iterable<readonly [Labels, number]>,
  ): void {
    const all = [...samples];
    if (all.length === 0) return;
    this.#head(name, help, type);
    for (const [labels, value] of all) this.#sample(name, labels, value);
  }

  #head(name: string, help: string, type: MetricType): void {
    const text = help.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
    this.#lines.push(`# HELP ${name} ${text}`, `# TYPE ${name} ${type}`);
  }

  #sample(name: string, labels: Labels, value: number): void {
    const labelTexts = Object.entries({ ...this.#common, ...labels }).map(
      ([label, text]) => `${label}="${escaped(text)}"`,
    );
    this.#lines.push(`${name}{${labelTexts.join(",")}} ${numberText(value)}`);
  }
}

/** Counts observations by upper bounds. */
export class Histogram {
  readonly #bounds: readonly number[];
  readonly #counts: number[];
  sum = 0;
  count = 0;

  /** @param bounds ascending */
  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#counts = bounds.map(() => 0);
  }

  observe(value: number): void {
    const host = this.#bounds.findIndex((bound) => value <= bound);
    if (host >= 0) this.#counts[host] = (this.#counts[host] as number) + 1;
    this.sum += value;
    this.count += 1;
  }

  /** Number of observations at or below each bound; the total comes last. */
  *cumulative(): Generator<readonly [bound: number, count: number]> {
    let count = 0;
    for (const [place, bound] of this.#bounds.entries()) {
      count += this.#counts[place] as number;
      yield [bound, count];
    }
    yield [Number.POSITIVE_INFINITY, this.count];
  }
}

const escaped = (text: string): string =>
  text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");

function numberText(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return "+Inf";
  return value === Number.NEGATIVE_INFINITY ? "-Inf" : String(value);
}
