import { PLATFORMS, suspensionUnit } from '#areas/mandates/suspension.ts';
import { readConfig } from '#platform/config/config.ts';
import { readSecrets } from '#platform/config/secrets.ts';
import { isoTime } from '#kernel/clock.ts';
import { openFoundation } from '#platform/foundation.ts';
import { givenArguments } from './arguments.ts';
import { type Command, UsageError } from './command.ts';

const USAGE_ERROR = 'platforms takes list, suspend <platform id> or resume <platform id>';
const STATUSES = { suspend: 'suspended', resume: 'active' } as const;

export const platformsCommand: Command = {
  name: 'platforms',
  summary: 'list the platforms that ask about mandates, suspend one or let it resume',
  usage: 'platforms list | suspend <platform id> | resume <platform id>',
  examples: ['./avouch platforms list', './avouch platforms suspend plt_0123456789abcdefghjkmnpqrs'],
  async run(args, terminal) {
    const [name, platformId, ...more] = givenArguments(args, {}, USAGE_ERROR).positionals;
    const status = STATUSES[name as keyof typeof STATUSES];
    const isList = name === 'list' && platformId === undefined;
    if (!isList && (status === undefined || platformId === undefined || more.length > 0))
      throw new UsageError(USAGE_ERROR);
    const config = readConfig(terminal.env);
    await using foundation = await openFoundation({ config, secrets: readSecrets(config) }, false);
    if (isList) {
      for (const { id, name: called, status: now, createdAtMs } of await foundation.store.read(PLATFORMS)) {
        terminal.out(`${id}  ${now}  ${isoTime(createdAtMs)}  ${called}\n`);
      }
      return 0;
    }
    const platform = await foundation.store.run(suspensionUnit, { platformId: platformId as string, status });
    if (platform === null) throw new Error('no platform has this id');
    terminal.out(`${platform.id}  ${platform.status}\n`);
    return 0;
  },
};
