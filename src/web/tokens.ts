import { assetPath, servedAsset } from './assets.ts';

export interface DesignToken {
  readonly name: string;
  readonly light: string;
  /** The same as light where the dark scheme does not change it. */
  readonly dark: string;
}

const ROOT_RULE = /:root\{([^}]*)\}/g;
const PROPERTY = /--([\w-]+):([^;}]+)/g;

/** The custom properties of the style sheet, in its order. */
export function tokens(): DesignToken[] {
  const css = new TextDecoder().decode(servedAsset(assetPath('site.css').slice('/assets/'.length))?.bytes);
  const [light = new Map<string, string>(), dark = new Map<string, string>()] = [...css.matchAll(ROOT_RULE)].map(
    ([, rules = '']) => new Map([...rules.matchAll(PROPERTY)].map(([, name = '', value = '']) => [name, value])),
  );
  return [...light].map(([name, value]) => ({ name, light: value, dark: dark.get(name) ?? value }));
}
