import type { Clock } from '#kernel/clock.ts';
import { type LogFields, logLine, type LogLineLevel } from './log-line.ts';

const LEVELS = { debug: 10, info: 20, warn: 30, error: 40, silent: 50 } as const;
export type LogLevelName = keyof typeof LEVELS;

/** `msg` is a lower-case noun phrase; the cause and everything else that varies is in the fields. */
export interface Logger {
  /** Every call: for the search for one error. */
  debug(msg: string, fields?: LogFields): void;
  /** Start, stop and recovery: nothing to do. */
  info(msg: string, fields?: LogFields): void;
  /** Something failed that the service retries or works without. */
  warn(msg: string, fields?: LogFields): void;
  /** Something failed that needs the operator. */
  error(msg: string, fields: LogFields, thrown?: unknown): void;
}

/** Writes to standard error: JSON lines, or plain lines where that is a terminal. The only maker of loggers. */
export function createLogger(
  level: LogLevelName,
  clock: Pick<Clock, 'now'>,
  isTerminal: boolean = process.stderr.isTTY,
): Logger {
  const write = (name: LogLineLevel, msg: string, fields?: LogFields, thrown?: unknown) => {
    if (LEVELS[name] < LEVELS[level]) return;
    process.stderr.write(logLine({ atMs: clock.now(), level: name, msg, fields, thrown }, isTerminal));
  };
  return {
    debug: (msg, fields) => write('debug', msg, fields),
    info: (msg, fields) => write('info', msg, fields),
    warn: (msg, fields) => write('warn', msg, fields),
    error: (msg, fields, thrown) => write('error', msg, fields, thrown),
  };
}

/** Writes the line that a request id names. */
export function faultLogger(logger: Logger): (requestId: string, operation: string, error: unknown) => void {
  return (requestId, operation, thrown) => logger.error('call failed', { request_id: requestId, operation }, thrown);
}
