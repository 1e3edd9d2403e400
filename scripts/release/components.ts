// What the lockfile names, as a CycloneDX bill of materials and as a list of licences.

interface Locked {
  readonly version?: string;
  readonly license?: string;
  readonly integrity?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly link?: boolean;
}

export interface Lockfile {
  readonly name: string;
  readonly version: string;
  readonly packages: Readonly<Record<string, Locked>>;
}

export interface ReleaseComponent {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  /** Needed to run the service, or only to develop it. */
  readonly scope: 'required' | 'optional' | 'excluded';
  readonly integrity: string | undefined;
}

/** Licences that allow use, change and passing on, with no duty towards files of others. */
const PERMITTED = new Set([
  ...['0BSD', 'Apache-2.0', 'BSD-0-Clause', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', 'CC0-1.0', 'ISC', 'MIT'],
  ...['MIT-0', 'MPL-2.0', 'Unlicense'],
]);
/** Permitted for tools, which are not passed on. */
const PERMITTED_TOOLS = new Set([...PERMITTED, 'Artistic-2.0', 'CC-BY-3.0', 'Python-2.0', 'WTFPL']);
/** Packages that state their licence elsewhere than the lockfile reads it. */
const STATED: Readonly<Record<string, string>> = { memorystream: 'MIT' };

/** Every package once, by name and version; those of extras are optional. */
export function componentsOf({ packages }: Lockfile, extras: readonly Lockfile[] = []): ReleaseComponent[] {
  const found = new Map<string, ReleaseComponent>();
  const optional = extras.flatMap((extra) =>
    Object.entries(extra.packages).map(([path, locked]) => [path, { ...locked, optional: true }] as const),
  );
  for (const [path, locked] of [...optional, ...Object.entries(packages)]) {
    const name = /^(?:.*\/)?node_modules\/(.+)$/.exec(path)?.[1];
    if (name === undefined || locked.link === true) continue;
    const { version = '', license = STATED[name] ?? 'unknown', integrity } = locked;
    const scope = locked.dev === true ? 'excluded' : locked.optional === true ? 'optional' : 'required';
    const id = `${name}@${version}`;
    const isLess = scope === 'excluded' && found.has(id);
    if (found.get(id)?.scope !== 'required' && !isLess) found.set(id, { name, version, license, scope, integrity });
  }
  return [...found].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, component]) => component);
}

/** True where one of the alternatives is permitted, or all of those that hold together. */
function isPermitted({ license, scope }: ReleaseComponent): boolean {
  const permitted = scope === 'excluded' ? PERMITTED_TOOLS : PERMITTED;
  const choices = license.replaceAll(/[()]/g, '').split(' OR ');
  return choices.some((choice) => choice.split(' AND ').every((one) => permitted.has(one.trim())));
}

/** Sentences about licences that are not permitted. */
export function licenceFaults(components: readonly ReleaseComponent[]): string[] {
  const refused = components.filter((component) => !isPermitted(component));
  return refused.map(({ name, version, license }) => `${name} ${version} has the licence ${license}`);
}

/** CycloneDX 1.5; the same lockfile gives the same bytes. */
export function billOfMaterials(
  { name, version, packages }: Lockfile,
  components: readonly ReleaseComponent[],
): string {
  const license = packages['']?.license ?? 'unknown';
  const main = { type: 'application', name, version, purl: purl(name, version), licenses: [licenceOf(license)] };
  const bill = {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { component: { 'bom-ref': main.purl, ...main } },
    components: components.map((one) => ({
      type: 'library',
      'bom-ref': purl(one.name, one.version),
      name: one.name,
      version: one.version,
      scope: one.scope,
      purl: purl(one.name, one.version),
      licenses: [licenceOf(one.license)],
      ...(one.integrity !== undefined && { hashes: [hashOf(one.integrity)] }),
    })),
  };
  return `${JSON.stringify(bill, null, 1)}\n`;
}

function purl(name: string, version: string): string {
  return `pkg:npm/${name.replace(/^@/, '%40')}@${version}`;
}

function licenceOf(text: string): object {
  return / (?:OR|AND) /.test(text) ? { expression: text } : { license: { id: text } };
}

/** Subresource integrity as CycloneDX writes it. */
function hashOf(integrity: string): { alg: string; content: string } {
  const [algorithm = '', text = ''] = integrity.split('-', 2);
  return { alg: `SHA-${algorithm.slice(3)}`, content: Buffer.from(text, 'base64').toString('hex') };
}

/** What comes with the service, for its readers. */
export function thirdParty(components: readonly ReleaseComponent[]): string {
  const lines = components
    .filter(({ scope }) => scope !== 'excluded')
    .map(({ name, version, license, scope }) => `| ${name} | ${version} | ${license} | ${scope} |`);
  return `# Third-party packages

What a service that is installed from the lockfile runs, with what its extras add; the texts of the licences lie in the packages.

| package | version | licence | scope |
|---|---|---|---|
${lines.join('\n')}
`;
}
