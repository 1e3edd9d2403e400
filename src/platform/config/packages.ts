import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import type { Config } from './config.ts';
import type { Extra } from './extras.ts';

/** Extras that are packages beside the service. A checkout has them; the published service leaves them to its users. */
const PACKAGES = {
  cards: { what: 'Card payments', packages: ['stripe'] },
  models: {
    what: 'Capabilities by model providers',
    packages: ['ai', '@ai-sdk/anthropic', '@ai-sdk/openai-compatible'],
  },
  documents: { what: 'Languages, PDF files and barcodes', packages: ['eld', 'unpdf', 'zxing-wasm', 'qrcode'] },
  mail: { what: 'Email by SMTP', packages: ['nodemailer'] },
} as const;
export type PackageExtra = keyof typeof PACKAGES;

/** The version of a package that the service can load; null where there is none. */
export type InstalledVersion = (name: string) => string | null;

interface Manifest {
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

const OWN = readManifest(new URL('../../../package.json', import.meta.url));

/** Each of these extras, with what of it is installed now. */
export function readPackageExtras(installedOf: InstalledVersion = installedVersion): Extra[] {
  return (Object.keys(PACKAGES) as PackageExtra[]).map((name) => {
    const packages = PACKAGES[name].packages.map((one) => ({
      name: one,
      wanted: wantedVersion(one),
      installed: installedOf(one),
    }));
    const count = packages.filter(({ installed }) => installed !== null).length;
    const state = count === packages.length ? 'installed' : count === 0 ? 'not installed' : 'incomplete';
    return { name, what: PACKAGES[name].what, folder: '', packages, state, install: installCommand(name, installedOf) };
  });
}

function isPackageExtra(name: string): name is PackageExtra {
  return Object.hasOwn(PACKAGES, name);
}

/** What of an extra is missing, such as `stripe@23.1.0`. */
export function missingPackages(extra: PackageExtra, installedOf: InstalledVersion = installedVersion): string[] {
  return PACKAGES[extra].packages
    .filter((name) => installedOf(name) === null)
    .map((name) => `${name}@${wantedVersion(name)}`);
}

/** The command that installs what is missing of an extra. */
export function installCommand(extra: string, installedOf: InstalledVersion = installedVersion): string {
  return isPackageExtra(extra)
    ? `npm i ${missingPackages(extra, installedOf).join(' ')}`
    : `./avouch extras install ${extra}`;
}

/** Settings that need a package that is not installed. */
export function packageFaults(config: Config, installedOf: InstalledVersion = installedVersion): string[] {
  const { topUp, mail, capabilities } = config;
  const needs: readonly (readonly [setting: string, extra: PackageExtra, isNeeded: boolean])[] = [
    ['AVOUCH_WALLET_TOPUP=stripe', 'cards', topUp.by === 'stripe'],
    ['AVOUCH_MAIL=smtp', 'mail', mail.by === 'smtp'],
    ['AVOUCH_CAPABILITY_PROVIDERS', 'models', capabilities.providers !== null],
  ];
  return needs
    .filter(([, extra, isNeeded]) => isNeeded && missingPackages(extra, installedOf).length > 0)
    .map(([setting, extra]) => {
      const missing = missingPackages(extra, installedOf);
      const noun = missing.length === 1 ? 'the package' : 'the packages';
      const named = missing.map((one) => one.replace(/@(?=[^@]*$)/, ' ')).join(', ');
      return `${setting} needs ${noun} ${named}: ${installCommand(extra, installedOf)}`;
    });
}

function wantedVersion(name: string): string {
  return OWN.dependencies?.[name] ?? OWN.peerDependencies?.[name] ?? 'latest';
}

function installedVersion(name: string): string | null {
  try {
    const file = findPackageJSON(name, import.meta.url);
    return file === undefined ? null : readManifest(file).version;
  } catch {
    return null;
  }
}

function readManifest(file: string | URL): Manifest {
  return JSON.parse(readFileSync(file, 'utf8')) as Manifest;
}
