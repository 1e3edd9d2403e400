import { ConfigError } from './config-error.ts';
import { OF_AREAS, type Setting } from './env.ts';

/** What an area can be told by the environment. */
export interface AreaSettings<T = unknown> {
  readonly settings: readonly Setting[];
  /** Reads them all; `text` gives the value or the fallback, `refuse` names what is wrong. */
  read(text: (name: string) => string, refuse: (fault: string) => void): T;
}

/** A setting of an area that there is not is a typo that would leave a default on. */
export function requireOwners(areas: readonly string[], env: Readonly<Record<string, string>>): void {
  const nobodys = Object.keys(env).filter((name) => !areas.some((area) => name.startsWith(prefixOf(area))));
  if (nobodys.length > 0) throw new ConfigError(nobodys.map(unknownSetting));
}

/** The values of an area, or every fault of them at once. */
export function readAreaSettings(area: string, group: AreaSettings, env: Readonly<Record<string, string>>): unknown {
  const prefix = prefixOf(area);
  const { settings } = group;
  const names = settings.map(({ name }) => name);
  const unknown = Object.keys(env).filter((name) => name.startsWith(prefix) && !names.includes(name));
  const faults = [
    ...names.filter((name) => !name.startsWith(prefix)).map((name) => `${name} must begin with ${prefix}`),
    ...unknown.map(unknownSetting),
  ];
  const fallbacks = new Map(settings.map(({ name, fallback }) => [name, fallback ?? '']));
  const value = group.read(
    (name) => env[name] || (fallbacks.get(name) ?? ''),
    (fault) => faults.push(fault),
  );
  if (faults.length > 0) throw new ConfigError(faults);
  return value;
}

function prefixOf(area: string): string {
  return `${OF_AREAS}${area.toUpperCase().replaceAll('-', '_')}_`;
}

function unknownSetting(name: string): string {
  return `${name} is not a setting of this release: correct its name or unset it; ./avouch config lists all`;
}
