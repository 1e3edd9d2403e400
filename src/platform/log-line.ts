import { isoTime } from '#kernel/clock.ts';

export type LogLineLevel = 'debug' | 'info' | 'warn' | 'error';

/** Fields that a log line may carry: names of ours and figures, never what callers sent. */
export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

export interface LogRecord {
  readonly atMs: number;
  readonly level: LogLineLevel;
  /** A lower-case noun phrase, the same each time; what differs is in the fields. */
  readonly msg: string;
  readonly fields?: LogFields | undefined;
  /** What was thrown; undefined where nothing was. */
  readonly thrown?: unknown;
}

/** Machines read JSON, people at a terminal read plain lines. Both end with a line feed. */
export function logLine(record: LogRecord, isTerminal: boolean): string {
  return isTerminal ? plainLine(record) : jsonLine(record);
}

function jsonLine({ atMs, level, msg, fields, thrown }: LogRecord): string {
  const line = { at: isoTime(atMs), level, msg, ...fields, ...(thrown !== undefined && causeOf(thrown)) };
  return `${JSON.stringify(line, (_name, value: unknown) => (typeof value === 'string' ? masked(value) : value))}\n`;
}

function plainLine({ atMs, level, msg, fields = {}, thrown }: LogRecord): string {
  const { stack, ...cause } = thrown === undefined ? {} : causeOf(thrown);
  const shown = Object.entries({ ...fields, ...cause }).filter(([, value]) => value !== undefined);
  const words = [
    `${isoTime(atMs).slice(0, 'YYYY-MM-DDThh:mm:ss'.length)}Z`,
    level.padEnd('error'.length),
    escaped(msg),
    ...shown.map(([name, value]) => `${name}=${plainValue(value)}`),
  ];
  const frames = stack?.split('\n').filter((line) => /^ +at /.test(line)) ?? [];
  return `${[words.join(' '), ...frames.map((frame) => escaped(masked(frame)))].join('\n')}\n`;
}

function plainValue(value: unknown): string {
  const text = masked(String(value));
  return /^[^\s"=\p{C}]+$/u.test(text) ? text : escaped(JSON.stringify(text));
}

/** A terminal obeys control characters, and marks of direction show a line in another order. */
function escaped(text: string): string {
  return text.replaceAll(
    /[\p{Cc}\p{Cf}\u2028\u2029]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`,
  );
}

/** Errors of others quote the address that was called, with its password. */
function masked(text: string): string {
  return text.replaceAll(/\b([a-z][a-z\d+.-]*:\/\/[^\s/?#@:]*):[^\s/?#]*@/gi, '$1:[secret]@');
}

/** The chain of causes: text and stack of ours, for the operator only. */
function causeOf(thrown: unknown): { cause: string; stack?: string } {
  if (!(thrown instanceof Error)) return { cause: String(thrown) };
  const chain = [];
  for (let error: unknown = thrown; error instanceof Error; error = error.cause)
    chain.push(`${error.name}: ${error.message}`);
  return { cause: chain.join(' <- '), ...(thrown.stack !== undefined && { stack: thrown.stack }) };
}
