import { type Config, inspectConfig } from '#platform/config/config.ts';
import type { Env } from '#platform/config/env.ts';

/** The configuration and all that is wrong with it, the settings of areas included: what a start would say. */
export async function inspectSettings(
  env: Env,
): Promise<{ readonly config: Config; readonly faults: readonly string[] }> {
  const { config, faults } = inspectConfig(env);
  // Loaded here: what knows the areas knows the whole service.
  const { settingsOfAreas } = await import('../areas.ts');
  const ofAreas = settingsOfAreas(config);
  const warnings = [...config.warnings, ...ofAreas.warnings];
  return { config: { ...config, warnings }, faults: [...faults, ...ofAreas.faults] };
}
