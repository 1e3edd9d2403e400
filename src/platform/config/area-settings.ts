import type { Config } from './config.ts';
import { OF_AREAS, type Setting, unknownSetting } from './env.ts';

/** What an area can be told by the environment. */
export interface AreaSettings<T = unknown> {
  readonly settings: readonly Setting[];
  /** Reads them all; `text` gives the value or the fallback, `refuse` names what is wrong. */
  read(text: (name: string) => string, refuse: (fault: string) => void): T;
}

/** What the environment tells all areas, and everything that is wrong with it. */
interface InspectedAreaSettings {
  /** By the area's name. */
  readonly values: ReadonlyMap<string, unknown>;
  readonly faults: readonly string[];
  readonly warnings: readonly string[];
}

/** A name that no area has is a typo that would leave a default on: production stops, the sandbox warns. */
export function inspectAreaSettings(
  areas: readonly (readonly [area: string, group: AreaSettings])[],
  { profile, ofAreas }: Pick<Config, 'profile' | 'ofAreas'>,
): InspectedAreaSettings {
  const faults: string[] = [];
  const warnings: string[] = [];
  const known = new Set(areas.flatMap(([, { settings }]) => settings.map(({ name }) => name)));
  for (const name of Object.keys(ofAreas)) {
    if (!known.has(name)) (profile === 'production' ? faults : warnings).push(unknownSetting(name));
  }
  const values = new Map(areas.map(([area, group]) => [area, valuesOf(area, group, { env: ofAreas, faults })]));
  return { values, faults, warnings };
}

interface Reading {
  readonly env: Readonly<Record<string, string>>;
  readonly faults: string[];
}

function valuesOf(area: string, group: AreaSettings, { env, faults }: Reading): unknown {
  const prefix = prefixOf(area);
  const { settings } = group;
  const misnamed = settings.filter(({ name }) => !name.startsWith(prefix));
  faults.push(...misnamed.map(({ name }) => `${name} must begin with ${prefix}`));
  const fallbacks = new Map(settings.map(({ name, fallback }) => [name, fallback ?? '']));
  return group.read(
    (name) => env[name] || (fallbacks.get(name) ?? ''),
    (fault) => faults.push(fault),
  );
}

function prefixOf(area: string): string {
  return `${OF_AREAS}${area.toUpperCase().replaceAll('-', '_')}_`;
}
