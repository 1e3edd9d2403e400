import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const SRC = new URL('./', import.meta.url).pathname;

/**
 * kernel < protocol < platform < areas and transport < service. What each layer, and each folder of the platform, may import;
 * everything may import itself. Areas and transport are handed services, not files.
 */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  kernel: [],
  protocol: ['kernel'],
  platform: ['kernel', 'protocol'],
  web: ['kernel'],
  areas: ['kernel', 'protocol', 'platform', 'web'],
  transport: ['kernel', 'protocol', 'platform', 'web'],
  sandbox: ['kernel', 'protocol', 'platform', 'web'],
  witness: ['kernel', 'protocol', 'platform/keys/key-file.ts'],
  root: ['kernel', 'protocol', 'platform', 'areas', 'transport', 'sandbox', 'cli'],
  cli: ['*'],
};

/** Those that the folders of the platform may import of each other; every one may import its small common files. */
const WITHIN_PLATFORM: Readonly<Record<string, readonly string[]>> = {
  config: [],
  storage: [],
  trail: ['log', 'storage'],
  keys: ['storage'],
  log: ['config', 'keys', 'storage'],
  ledger: ['log', 'storage'],
  recovery: ['keys', 'ledger', 'log', 'storage'],
  mail: ['config', 'storage'],
  outbound: [],
  observability: ['health', 'registers'],
  screening: [],
  'usage-rules': ['config', 'ledger', 'log', 'quality', 'storage', 'trail'],
  quality: [],
  documentation: [],
  registers: ['config', 'outbound', 'screening'],
  payments: ['config', 'keys', 'log', 'outbound', 'storage'],
  identity: ['keys', 'outbound', 'storage'],
  jobs: ['config', 'storage'],
  health: ['jobs', 'ledger', 'log', 'payments', 'trail'],
};
const COMMON = [
  'logger',
  'version',
  'simulators',
  'foundation',
  'platform',
  'open-platform',
  'below-normal',
  'thread',
].map((name) => `platform/${name}.ts`);

const HTTP_PLACES = [
  'transport',
  'platform/keys/address-tagger.ts',
  'witness',
  'platform/outbound',
  'sandbox/loopback.ts',
  'sandbox/facilitator/simulator.ts',
  'sandbox/registers/server.ts',
  'sandbox/model-provider/simulator.ts',
];

/** Packages and Node modules that only the named places may use. */
const OUTSIDE: Readonly<Record<string, readonly string[]>> = {
  fastify: ['transport'],
  '@modelcontextprotocol/server': ['transport'],
  pg: ['platform/storage'],
  stripe: ['areas/wallet/outside/stripe.ts'],
  nodemailer: ['platform/mail/smtp.ts'],
  'node:sqlite': ['platform/storage', 'witness'],
  'node:http': HTTP_PLACES,
  '#kernel/node-http.ts': HTTP_PLACES,
  'node:https': ['platform/outbound'],
  'node:tls': ['platform/outbound'],
  'node:net': [
    'platform/storage/forward',
    'transport',
    'platform/keys/address-tagger.ts',
    'platform/outbound',
    'platform/config',
    'cli',
    'witness',
    'sandbox/loopback.ts',
    'sandbox/registers/server.ts',
    'sandbox/model-provider/simulator.ts',
    'areas/capabilities/outside/heavy-process.ts',
  ],
  'node:fs': [
    'platform/storage',
    'platform/recovery',
    'cli',
    'platform/trail',
    'platform/keys',
    'platform/config',
    'witness',
    'platform/foundation.ts',
    'platform/log/witness-policy-file.ts',
    'platform/version.ts',
    'platform/documentation/documentation.ts',
    'areas/data/retrieval/public-documents.ts',
    'areas/discovery/documents.ts',
    'sandbox',
    'platform/observability',
    'web/assets.ts',
    'areas/capabilities/outside/heavy-process.ts',
    'areas/capabilities/outside/shipped-prices.ts',
  ],
  'node:fs/promises': [
    'platform/outbound',
    'platform/storage',
    'platform/recovery',
    'platform/trail',
    'platform/keys',
    'sandbox',
    'platform/registers/sanctions-list.ts',
    'platform/registers/list-worker.ts',
    'areas/capabilities/outside/barcode.ts',
  ],
  'node:crypto': [
    'kernel/ids.ts',
    'kernel/canonical-json.ts',
    'protocol',
    'platform/keys',
    'platform/log',
    'platform/trail',
    'platform/storage',
    'transport',
    'sandbox/chain/chain-file.ts',
  ],
  'tiny-secp256k1': ['protocol/payment/recover-engine.ts'],
  '@nomicfoundation/edr': ['sandbox/chain/edr.ts'],
};

/** Text that may stand only in the named files. */
const ONLY_IN: readonly { readonly pattern: RegExp; readonly files: readonly string[]; readonly why: string }[] = [
  { pattern: /process\.env\b/, files: ['platform/config/env.ts'], why: 'the environment is read in one place' },
  { pattern: /\bDate\.now\(|performance\.now\(|new Date\(\)/, files: ['kernel/clock.ts'], why: 'time is injected' },
  {
    pattern: /Math\.random|randomUUID|randomFillSync|getRandomValues/,
    files: ['kernel/ids.ts'],
    why: 'one source of randomness',
  },
  {
    pattern: /\b(?:86_?400_?000|3_?600_?000)\b|\bconst (?:MINUTE|HOUR|DAY)_MS\b/,
    files: ['kernel/clock.ts'],
    why: 'a span of time has one name',
  },
  {
    pattern: /\bnew Worker\(|\bparentPort\b/,
    files: ['platform/thread.ts'],
    why: 'threads are asked in one way',
  },
  { pattern: /console\./, files: [], why: 'output goes through the logger or the terminal of a command' },
  { pattern: /'(?:viem|@x402)(?:\/[^']*)?'/, files: [], why: 'they judge what we do, and are not installed' },
  {
    pattern: /node:ffi/,
    files: ['protocol/payment/system-secp256k1.ts'],
    why: 'it is experimental, and a fault of it must not spread',
  },
  {
    pattern: /^import (?!type )[^;]* from 'node:http';/m,
    files: [],
    why: 'as an ES module it loads all of fetch; #kernel/node-http.ts does not',
  },
  { pattern: /process\.exit\(/, files: ['cli/serve.ts'], why: 'only a stop that hangs is forced' },
  { pattern: /\bz\.coerce\b/, files: [], why: 'it turns an empty text into 0' },
];

/** Forms that one of the two engines does not take, or takes differently. */
const NOT_PORTABLE = [
  /::/,
  /\bnow\(\)/i,
  /\bANY\(/i,
  /\$\$/,
  /\bLIKE\b/i,
  /\bgreatest\b/i,
  /\bBOOLEAN\b/i,
  /\bBLOB\b/i,
  /\bBYTEA\b/i,
  /\bSERIAL\b/i,
  /AUTOINCREMENT/i,
  /OR REPLACE/i,
];

const BAD_NAMES = /(^|\/)(utils?|helpers?|common|types|manager|index)\.ts$/;

interface SourceFile {
  readonly path: string;
  readonly layer: string;
  readonly text: string;
  readonly imports: readonly string[];
}

/** The layer of a file. */
function layerOf(path: string): string {
  return path.includes('/') ? (path.split('/')[0] as string) : 'root';
}

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') || path.endsWith('.sql'))
  .map((path): SourceFile => {
    const text = readFileSync(join(SRC, path), 'utf8');
    const imports = [...text.matchAll(/(?:from|import\()\s*'([^']+)'/g)].map((match) => match[1] as string);
    return { path, layer: layerOf(path), text, imports };
  });
const sources = files.filter(({ path }) => path.endsWith('.ts') && !path.endsWith('.test.ts') && !/(^|\/)_/.test(path));

/** The path under src that an import names, or undefined for a package. */
function targetOf(file: SourceFile, specifier: string): string | undefined {
  if (specifier.startsWith('#')) return specifier.slice(1);
  if (specifier.startsWith('.')) return join(file.path, '..', specifier);
  return undefined;
}

/** Whether a file imports nothing but types from there. */
function isTypeOnly({ text }: SourceFile, specifier: string): boolean {
  const statements = [...text.matchAll(/^import ([^;]*) from '([^']+)';/gm)].filter((match) => match[2] === specifier);
  return statements.length > 0 && statements.every((match) => match[1]?.startsWith('type '));
}

test('imports point down: a layer imports only what the table allows it', () => {
  const faults: string[] = [];
  for (const file of sources) {
    const allowed = MAY_IMPORT[file.layer];
    assert.ok(allowed !== undefined, `${file.path} lies in a layer that the table does not know`);
    for (const specifier of file.imports) {
      const target = targetOf(file, specifier);
      if (target === undefined || layerOf(target) === file.layer) continue;
      if (![layerOf(target), target, '*'].some((name) => allowed.includes(name)))
        faults.push(`${file.path} -> ${target}`);
    }
  }
  assert.deepEqual(faults, []);
});

test('a folder of the platform imports only those that the table allows it', () => {
  const faults: string[] = [];
  for (const file of sources.filter(({ path }) => /^platform\/[^/]+\//.test(path))) {
    const folder = file.path.split('/')[1] as string;
    const allowed = WITHIN_PLATFORM[folder];
    assert.ok(allowed !== undefined, `${file.path} lies in a folder that the table does not know`);
    for (const specifier of file.imports) {
      const target = targetOf(file, specifier) ?? '';
      const other = /^platform\/([^/]+)\//.exec(target)?.[1];
      const isCommon = !target.startsWith('platform/') || COMMON.includes(target);
      if (other === undefined ? !isCommon : other !== folder && !allowed.includes(other))
        faults.push(`${file.path} -> ${target}`);
    }
  }
  assert.deepEqual(faults, []);
});

test('the root holds its four files, and every area its manifest', () => {
  const loose = files.filter(({ path }) => !path.includes('/')).map(({ path }) => path);
  assert.deepEqual(loose.toSorted(), ['architecture.test.ts', 'areas.ts', 'main.ts', 'service.ts']);
  const areas = new Set(sources.flatMap(({ path }) => /^areas\/([^/]+)\//.exec(path)?.[1] ?? []));
  for (const area of areas)
    assert.ok(
      sources.some(({ path }) => path === `areas/${area}/area.ts`),
      area,
    );
});

test('the client imports of the service nothing but types, and of the service only commands import the client', () => {
  const folder = join(SRC, '../client');
  for (const name of readdirSync(folder)) {
    const text = readFileSync(join(folder, name), 'utf8');
    assert.doesNotMatch(text, /^import (?!type )[^;]*'(?:#|\.\.\/src)/m, `client/${name}`);
    assert.doesNotMatch(text, /from 'node:|process\.env/, `client/${name}`);
  }
  const users = sources.filter(({ imports }) =>
    imports.some((specifier) => /(?:^|\/)client\/[\w-]+\.ts$/.test(specifier)),
  );
  for (const { path, layer } of users) assert.equal(layer, 'cli', path);
  assert.ok(users.length > 0);
});

test('nobody but storage sees a bare row: queries say what their rows are', () => {
  for (const { path, text } of sources) {
    if (path.startsWith('platform/storage/') || /\.(?:test|more)\.ts$/.test(path)) continue;
    assert.doesNotMatch(text, /import [^;]*\bRow\b[^;]*from '#platform\/storage\/store\.ts'/, path);
    assert.doesNotMatch(text, /\brows?(?:\[\d\])?\??\.?\['\w+'\]/, path);
  }
});

/** What areas say their tables, reads and commands with; the rest of storage is the engines' own. */
const STORAGE_FACE = new Set(['store', 'table', 'head', 'expiry'].map((name) => `platform/storage/${name}.ts`));

test('an area imports of another area only the types of its port, and of storage only its face', () => {
  const faults = sources.flatMap((file) => {
    if (file.layer !== 'areas') return [];
    const area = file.path.split('/')[1];
    return file.imports.filter((specifier) => {
      const target = targetOf(file, specifier) ?? '';
      const isOtherArea = target.startsWith('areas/') && target.split('/')[1] !== area;
      const isPort = /^areas\/[a-z-]+\/port\.ts$/.test(target) && isTypeOnly(file, specifier);
      const isStorageCode = target.startsWith('platform/storage/') && !STORAGE_FACE.has(target);
      return (isOtherArea && !isPort) || isStorageCode;
    });
  });
  assert.deepEqual(faults, []);
  for (const file of sources.filter(({ layer }) => layer === 'areas')) {
    const isOutside = file.path.includes('/outside/');
    if (!isOutside)
      assert.doesNotMatch(file.text, /'#platform\/outbound/, `${file.path} is not the way to the outside`);
    assert.doesNotMatch(
      file.text,
      /import \{[^}]*\} from '#platform\/(?:storage(?!\/(?:store|table|head|expiry)\.ts)|log|registers)/,
      `${file.path} imports it at run time`,
    );
  }
});

/** Whether a file is the one that is named, or lies in the folder. */
function isIn(path: string, place: string): boolean {
  return path === place || path.startsWith(`${place}/`);
}

test('packages and Node modules with effects are used only where the table says', () => {
  const faults = sources.flatMap((file) =>
    file.imports
      .filter((specifier) => {
        const places = OUTSIDE[specifier];
        return places !== undefined && file.layer !== 'cli' && !places.some((place) => isIn(file.path, place));
      })
      .map((specifier) => `${file.path} uses ${specifier}`),
  );
  assert.deepEqual(faults, []);
});

test('what only one file may do is done only there', () => {
  for (const { pattern, files: allowed, why } of ONLY_IN) {
    const faults = sources.filter(({ path, text }) => pattern.test(text) && !allowed.includes(path));
    assert.deepEqual(
      faults.map(({ path }) => path),
      [],
      why,
    );
  }
});

test('every decision is free of clocks, randomness and I/O', () => {
  const decisions = sources.filter(({ path }) =>
    /\/(?:(?:[a-z-]+-)?decide(?:-[a-z-]+)?|(?:[a-z-]+-)?unit)\.ts$/.test(path),
  );
  assert.ok(decisions.length >= 40, 'the test must find the decisions');
  for (const { path, imports, text } of decisions) {
    for (const specifier of imports) assert.doesNotMatch(specifier, /^node:/, path);
    assert.doesNotMatch(text, /\bnew[A-Z]\w*(Id|Token|Key)\(|\bClock\b|\bawait |\basync /, path);
  }
});

test('SQL texts use only forms that both engines take', () => {
  const texts = files.flatMap(({ path, text }) => {
    if (path.endsWith('.sql')) return [{ path, sql: text }];
    if (/\.(?:test|more)\.ts$/.test(path)) return [];
    const literals = [...text.matchAll(/(['`])((?:SELECT|INSERT|UPDATE|DELETE|CREATE)[^'`]*)\1/g)];
    return literals.map((match) => ({ path, sql: match[2] as string }));
  });
  assert.ok(texts.length >= 20, 'the test must find the SQL');
  for (const { path, sql } of texts) for (const form of NOT_PORTABLE) assert.doesNotMatch(sql, form, path);
});

test('each table is named in the SQL of one area, or one folder of the platform, only', () => {
  const owners = new Map<string, string>();
  const homeOf = (path: string) =>
    path
      .split('/')
      .slice(0, /^(?:areas|platform)\//.test(path) ? 2 : 1)
      .join('/');
  for (const { path, text } of files.filter((file) => file.path.endsWith('.sql'))) {
    for (const match of text.matchAll(/CREATE TABLE (\w+)/g)) owners.set(match[1] as string, homeOf(path));
  }
  assert.ok(owners.size >= 8);
  for (const { path, text } of sources) {
    for (const match of text.matchAll(/\b(?:FROM|INTO|UPDATE|JOIN) ([a-z_]+)\b/g)) {
      const owner = owners.get(match[1] as string);
      if (owner !== undefined) assert.equal(homeOf(path), owner, `${path} names the table ${match[1]} of ${owner}`);
    }
  }
});

test('file names say what a file holds', () => {
  for (const { path } of sources) {
    assert.doesNotMatch(path, BAD_NAMES);
    assert.match(path, /^[a-z0-9./-]+$/, `${path} is not kebab-case`);
  }
});

test('no import leads back to where it began, types included', () => {
  const importsOf = new Map(sources.map((file) => [file.path, file.imports.map((name) => targetOf(file, name))]));
  const done = new Set<string>();
  const walk = (path: string, way: readonly string[]): void => {
    assert.ok(!way.includes(path), `a circle: ${[...way.slice(way.indexOf(path)), path].join(' -> ')}`);
    if (done.has(path)) return;
    for (const next of importsOf.get(path) ?? []) if (next !== undefined) walk(next, [...way, path]);
    done.add(path);
  };
  for (const path of importsOf.keys()) walk(path, []);
});

test('a literal has its members one to a line, not folded into another one', () => {
  for (const { path, text } of sources) assert.doesNotMatch(text, /\.\.\.\{(?: \w|$)/m, path);
});

test('named exports only', () => {
  for (const { path, text } of sources) assert.doesNotMatch(text, /^export default/m, path);
});
