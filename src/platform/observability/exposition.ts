/** A figure as Prometheus reads it; the sets of its labels are closed, so that no caller can make new series. */
export interface Metric {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly samples: () => Iterable<Sample>;
}

export interface Sample {
  readonly labels?: Readonly<Record<string, string>>;
  /** Null for what is not known: it is left out, never shown as zero. */
  readonly value: number | null;
  /** `_bucket`, `_sum` and `_count` of a histogram. */
  readonly suffix?: string;
}

export const EXPOSITION_MEDIA_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** The text format of Prometheus, version 0.0.4. */
export function exposition(metrics: readonly Metric[]): string {
  return metrics
    .map(({ name, help, type, samples }) => {
      const lines = [...samples()]
        .filter(({ value }) => value !== null)
        .map(({ labels = {}, value, suffix = '' }) => `${name}${suffix}${labelText(labels)} ${value}\n`);
      return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`;
    })
    .join('');
}

/** A figure without labels. */
export function gauge(name: string, help: string, read: () => number | null): Metric {
  return { name, help, type: 'gauge', samples: () => [{ value: read() }] };
}

function labelText(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function escaped(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
