import { readConfig } from '#platform/config/config.ts';
import { type Setting, SETTINGS } from '#platform/config/env.ts';
import { type Command, UsageError } from './command.ts';

export const configCommand: Command = {
  name: 'config',
  summary: 'show every setting with its value, default and source',
  usage: 'config',
  examples: ['./avouch config', 'AVOUCH_PROFILE=production ./avouch config'],
  async run(args, terminal) {
    if (args.length > 0) throw new UsageError('config takes no arguments');
    const { env } = terminal;
    const { AREA_SETTINGS } = await import('../areas.ts');
    for (const { name, fallback, secret, help } of [...(SETTINGS as readonly Setting[]), ...AREA_SETTINGS]) {
      const isSet = env[name] !== undefined || (secret === true && env[`${name}_FILE`] !== undefined);
      const preset = fallback ?? 'not set';
      const value = isSet && secret ? 'set' : (env[name] ?? preset);
      terminal.out(`${name}=${value}\tdefault ${preset}\t${isSet ? 'environment' : 'default'}\t${help}\n`);
    }
    // Faults are said after the list, so that a wrong setting can be seen beside its value.
    for (const warning of readConfig(env).warnings) terminal.err(`avouch config: warning: ${warning}\n`);
    return 0;
  },
};
