import { isLoopbackHost } from '#platform/config/loopback.ts';
import { vkeyOf } from '#platform/keys/key-scope.ts';
import { applicationText, listEntry, requestsPerDay } from '#platform/log/application.ts';
import { InputError, type Run } from './line/spec.ts';
import { joinLog, openStore } from './operator-store.ts';

/** Prints what a witness network wants to know of this log. */
export const logApplication: Run = async ({ values: { list = 'staging' } }, output) => {
  await using opened = await openStore(output);
  const { foundation, config, isSandbox } = opened;
  const origin = await joinLog(foundation);
  if (isSandbox || isLoopbackHost(origin.split(/[:/]/)[0] ?? '')) {
    throw new InputError(`${origin} is the log of a sandbox or of this machine. Only the log of production can apply.`);
  }
  const [key] = foundation.keyRing.inForce('log-checkpoint');
  const vkey = key === undefined ? null : vkeyOf(key, origin);
  if (vkey === null) throw new InputError('The log has no key in force.');
  const { contact, name: operator } = config.operator;
  const application = { origin, vkey, everySeconds: config.witnessEverySeconds, list, contact, operator };
  output.note('Witnesses learn a changed key only by hand, one by one: rotate log-checkpoint as rarely as possible.');
  output.result(
    { origin, vkey, qpd: requestsPerDay(application.everySeconds), list, contact, entry: listEntry(application) },
    applicationText(application),
  );
  return 0;
};
