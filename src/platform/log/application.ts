import { DAY_MS } from '#kernel/clock.ts';

/** How often a log asks its witnesses. */
export function requestsPerDay(everySeconds: number): number {
  return Math.ceil(DAY_MS / 1_000 / everySeconds);
}

export interface LogApplication {
  readonly origin: string;
  readonly vkey: string;
  readonly everySeconds: number;
  readonly list: string;
  readonly contact: string;
  readonly operator: string;
}

/** The entry of a witness network's log list; the order of its lines is fixed. */
export function listEntry({ vkey, everySeconds, contact }: LogApplication): string {
  return `vkey ${vkey}\nqpd ${requestsPerDay(everySeconds)}\ncontact ${contact}\n`;
}

/** The email by which a log asks to be listed. */
export function applicationText(application: LogApplication): string {
  const { origin, vkey, everySeconds, list, contact, operator } = application;
  return `Subject: New log for the ${list} list: ${origin}

Origin: ${origin}
Verifier key: ${vkey}
Rate: ${requestsPerDay(everySeconds)} add-checkpoint requests per day, one every ${everySeconds} seconds
List: ${list}
Contact: ${contact}
Purpose: public log of sealed records, run by ${operator}
Lifetime: as long as the service is offered; its tiles stay readable

Entry:

${listEntry(application)}`;
}
