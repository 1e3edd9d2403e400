import { readConfig } from '#platform/config/config.ts';
import { SETTINGS } from '#platform/config/env.ts';
import { columns } from './line/columns.ts';
import type { Run } from './line/spec.ts';

const HEADER = ['SETTING', 'VALUE', 'SOURCE', 'DEFAULT', 'MEANING'];

export const showConfig: Run = async (_given, output) => {
  const { env } = output;
  const { AREA_SETTINGS } = await import('../areas.ts');
  const settings = [...SETTINGS, ...AREA_SETTINGS].map(({ name, fallback, secret, help }) => {
    const isSet = env[name] !== undefined || (secret === true && env[`${name}_FILE`] !== undefined);
    const preset = fallback ?? 'not set';
    const value = isSet && secret ? 'set' : (env[name] ?? preset);
    return { name, value, source: isSet ? 'environment' : 'default', default: preset, help };
  });
  // The default says nothing new where it is the value.
  const rows = settings.map(({ name, value, source, default: preset, help }) => {
    return [name, value, source, source === 'default' ? '' : preset, help];
  });
  output.result({ settings }, columns(HEADER, rows));
  // Errors are said after the list, so that a wrong setting can be seen beside its value.
  for (const warning of readConfig(env).warnings) output.warn(warning);
  return 0;
};
