import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { avouchClient } from '../../client/client.ts';
import { type HeldLease, holdLease, LeaseNotGranted } from '../../client/lease.ts';
import { InputError, type Run } from './line/spec.ts';
import { fieldsGiven } from './operation-members.ts';
import { serviceUrl } from './service-url.ts';

/** EX_TEMPFAIL of sysexits.h: the same command may work later. */
const LEASE_LOST = 75;
const NOT_FOUND = 127;
const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** After the loss, until somebody else may have the lease. */
const LAST_MOMENT_MS = 2_000;

/** Runs a command while a lease is held; gives its exit code. */
export const run: Run = async (given, output) => {
  const [key, program, ...args] = given.operands as [string, string, ...string[]];
  const url = serviceUrl(given.values['url'], output.env);
  const wait = given.values['wait'];
  const held = await holdLease(avouchClient({ baseUrl: url }), {
    ...(fieldsGiven('claim', given) as { agent: string }),
    key,
    ...(wait !== undefined && { waitSeconds: Number(wait) }),
  }).catch((error: unknown) => {
    throw error instanceof LeaseNotGranted ? new InputError(refusalText(error)) : error;
  });
  const lost = () => {
    output.note((held.signal.reason as Error).message);
    return LEASE_LOST;
  };
  // A grant whose answer came too late is lost already.
  if (held.signal.aborted) return lost();
  const env = { ...output.env, AVOUCH_FENCE: String(held.fence) };
  const ending = childUnder(held, [program, args], env);
  output.note(`Holding ${held.key}, fence ${held.fence}.`);
  const ended = await ending;
  const isStarted = ended !== 'not_started';
  await held.release(isStarted ? { outcome: ended === 0 ? 'done' : 'failed' } : {});
  if (held.signal.aborted) return lost();
  if (isStarted) return ended;
  output.note(`Cannot start ${program}. The lease is released.`);
  return NOT_FOUND;
};

function refusalText({ code, message, waitSeconds }: LeaseNotGranted): string {
  const wait =
    waitSeconds === undefined || message.includes(`${waitSeconds} s`) ? '' : ` Wait at most ${waitSeconds} s.`;
  return `Refused (${code}): ${message}${wait}`;
}

/** Resolves with the exit code of the command. It is stopped when the lease is lost. */
function childUnder(
  held: HeldLease,
  [program, args]: readonly [string, readonly string[]],
  env: NodeJS.ProcessEnv,
): Promise<number | 'not_started'> {
  // On a terminal it stays in the foreground; elsewhere it gets a group, so that what it starts is stopped too.
  const hasGroup = !process.stdin.isTTY;
  const child = spawn(program, args, { stdio: 'inherit', env, detached: hasGroup });
  const send = (signal: NodeJS.Signals) => {
    if (child.pid === undefined) return;
    try {
      process.kill(hasGroup ? -child.pid : child.pid, signal);
    } catch {
      // It has ended.
    }
  };
  const forward = (signal: NodeJS.Signals) => send(signal);
  for (const signal of FORWARDED) process.on(signal, forward);
  let last: ReturnType<typeof setTimeout> | undefined;
  const onLoss = () => {
    send('SIGTERM');
    last = setTimeout(() => send('SIGKILL'), LAST_MOMENT_MS);
  };
  held.signal.addEventListener('abort', onLoss, { once: true });
  return new Promise<number | 'not_started'>((resolve) => {
    child.on('error', () => resolve('not_started'));
    child.on('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal as NodeJS.Signals]));
  }).finally(() => {
    clearTimeout(last);
    held.signal.removeEventListener('abort', onLoss);
    for (const signal of FORWARDED) process.off(signal, forward);
  });
}
