import { isoTime } from '#kernel/clock.ts';
import type { Clock } from '#kernel/clock.ts';

const LEVELS = { debug: 10, info: 20, warn: 30, error: 40, silent: 50 } as const;
export type LogLevelName = keyof typeof LEVELS;

/** Fields that a log line may carry: names of ours and figures, never what callers sent. */
type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields: LogFields, cause?: unknown): void;
}

/** Structured lines on standard error. The only maker of loggers. */
export function createLogger(level: LogLevelName, clock: Pick<Clock, 'now'>): Logger {
  const write = (name: Exclude<LogLevelName, 'silent'>, message: string, fields: LogFields = {}, cause?: unknown) => {
    if (LEVELS[name] < LEVELS[level]) return;
    const line = {
      at: isoTime(clock.now()),
      level: name,
      message,
      ...fields,
      ...(cause !== undefined && causeOf(cause)),
    };
    process.stderr.write(`${JSON.stringify(line)}\n`);
  };
  return {
    debug: (message, fields) => write('debug', message, fields),
    info: (message, fields) => write('info', message, fields),
    warn: (message, fields) => write('warn', message, fields),
    error: (message, fields, cause) => write('error', message, fields, cause),
  };
}

/** The chain of causes: text and stack of ours, for the operator only. */
function causeOf(cause: unknown): { cause: string; stack?: string } {
  if (!(cause instanceof Error)) return { cause: String(cause) };
  const chain = [];
  for (let error: unknown = cause; error instanceof Error; error = error.cause)
    chain.push(`${error.name}: ${error.message}`);
  return { cause: chain.join(' <- '), ...(cause.stack !== undefined && { stack: cause.stack }) };
}

/** Writes the line that a request id names. */
export function faultLogger(logger: Logger): (requestId: string, operation: string, error: unknown) => void {
  return (requestId, operation, cause) => logger.error('call failed', { request_id: requestId, operation }, cause);
}
