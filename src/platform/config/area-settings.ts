import { ConfigError } from './config.ts';
import { OF_AREAS, type Setting } from './env.ts';

/** What an area can be told by the environment. */
export interface AreaSettings<T = unknown> {
  readonly settings: readonly Setting[];
  /** Reads them all; `text` gives the value or the fallback, `refuse` names what is wrong. */
  read(text: (name: string) => string, refuse: (fault: string) => void): T;
}

/** The values of an area, or every fault of them at once. */
export function readAreaSettings(area: string, group: AreaSettings, env: Readonly<Record<string, string>>): unknown {
  const prefix = `${OF_AREAS}${area.toUpperCase().replaceAll('-', '_')}_`;
  const { settings } = group;
  const names = settings.map(({ name }) => name);
  const faults = [
    ...names.filter((name) => !name.startsWith(prefix)).map((name) => `${name} must begin with ${prefix}`),
    ...Object.keys(env)
      .filter((name) => name.startsWith(prefix) && !names.includes(name))
      .map(
        (name) => `${name} is not a setting of this release: correct its name or unset it; ./avouch config lists all`,
      ),
  ];
  const fallbacks = new Map(settings.map(({ name, fallback }) => [name, fallback ?? '']));
  const value = group.read(
    (name) => env[name] || (fallbacks.get(name) ?? ''),
    (fault) => faults.push(fault),
  );
  if (faults.length > 0) throw new ConfigError(faults);
  return value;
}
