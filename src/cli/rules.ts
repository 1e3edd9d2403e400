import { everyFlag, lift } from '#platform/usage-rules/rule-flags.ts';
import { readConfig } from '#platform/config/config.ts';
import { readSecrets } from '#platform/config/secrets.ts';
import { isoTime } from '#kernel/clock.ts';
import { checkpointKeys } from '#platform/keys/key-view.ts';
import { attachToLog } from '#platform/log/public-log.ts';
import { openFoundation } from '#platform/foundation.ts';
import { givenArguments } from './arguments.ts';
import { type Command, UsageError } from './command.ts';

const USAGE_ERROR = 'rules takes flags, or lift and the id of a flag or a suspension';

export const rulesCommand: Command = {
  name: 'rules',
  summary: 'list who was flagged and suspended under the usage rules, or lift a flag or a suspension',
  usage: 'rules flags | lift <flag id or suspension id>',
  examples: ['./avouch rules flags', './avouch rules lift sus_0123456789abcdefghjkmnpqrs'],
  async run(args, terminal) {
    const [name, id, ...more] = givenArguments(args, {}, USAGE_ERROR).positionals;
    const isWell = name === 'flags' ? id === undefined : name === 'lift' && id !== undefined && more.length === 0;
    if (!isWell) throw new UsageError(USAGE_ERROR);
    const config = readConfig(terminal.env);
    await using foundation = await openFoundation({ config, secrets: readSecrets(config) }, false);
    const { store, keyRing } = foundation;
    if (id === undefined) {
      const { flags, suspensions } = await everyFlag(store);
      const state = (liftedAtMs: number | null) => (liftedAtMs === null ? '' : `  lifted ${isoTime(liftedAtMs)}`);
      for (const { id: flagId, subject, rule, signal, atMs, liftedAtMs } of flags) {
        terminal.out(`${flagId}  ${isoTime(atMs)}  ${subject}  ${rule}  ${signal}${state(liftedAtMs)}\n`);
      }
      for (const { id: suspensionId, subject, rule, atMs, untilMs, liftedAtMs } of suspensions) {
        const times = `${isoTime(atMs)}  until ${isoTime(untilMs)}`;
        terminal.out(`${suspensionId}  ${times}  ${subject}  ${rule}${state(liftedAtMs)}\n`);
      }
      return 0;
    }
    await attachToLog(store, (sequencer) => store.attachLog(sequencer), checkpointKeys(keyRing));
    const lifted = await lift(store, id, config.profile === 'sandbox');
    if (lifted === null) throw new Error('no flag and no suspension has this id');
    terminal.out(`${id}  lifted ${isoTime(lifted.liftedAtMs as number)}  ${lifted.subject}\n`);
    return 0;
  },
};
