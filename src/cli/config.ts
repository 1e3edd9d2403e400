import { ConfigError } from '#platform/config/config-error.ts';
import { type Setting, SETTINGS } from '#platform/config/env.ts';
import { columns } from './line/columns.ts';
import { inspectSettings } from './inspect-settings.ts';
import type { Run } from './line/spec.ts';

const HEADER = ['SETTING', 'VALUE', 'SOURCE', 'DEFAULT', 'MEANING'];

export const showConfig: Run = async (_given, output) => {
  const { env } = output;
  const { AREA_SETTINGS } = await import('../areas.ts');
  const settings = [...SETTINGS, ...AREA_SETTINGS].map((setting) => {
    const { name, fallback, secret, help } = setting;
    const isSet = env[name] !== undefined || (secret === true && env[`${name}_FILE`] !== undefined);
    const preset = fallback ?? 'not set';
    const value = isSet && secret ? 'set' : withoutUser(env[name] ?? preset, setting);
    return { name, value, source: isSet ? 'environment' : 'default', default: preset, help };
  });
  // The default says nothing new where it is the value.
  const rows = settings.map(({ name, value, source, default: preset, help }) => {
    return [name, value, source, source === 'default' ? '' : preset, help];
  });
  output.result({ settings }, columns(HEADER, rows));
  // Errors are said after the list, so that a wrong setting can be seen beside its value.
  const { config, faults } = await inspectSettings(env);
  if (faults.length > 0) throw new ConfigError(faults);
  for (const warning of config.warnings) output.warn(warning);
  return 0;
};

/** An address with a user or password is refused, but printed before that: both are left out. */
function withoutUser(value: string, { type = '' }: Setting): string {
  const url = URL.parse(value);
  const isPlain = /^(?:https?|mailto):$/.test(url?.protocol ?? '') && url?.username === '' && url.password === '';
  const isAddress = type.includes('URL') || value.includes('//');
  return isAddress && !isPlain ? value.replace(/^(.*?\/\/)?.*@/s, '$1…@') : value;
}
