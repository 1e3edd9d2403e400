// Compiles the contracts of the sandbox chain: `npm run contracts` writes, `npm run contracts -- --check` compares.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';

interface SolcOutput {
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[];
  readonly contracts: Readonly<Record<string, Record<string, { evm: { deployedBytecode: { object: string } } }>>>;
}

const NAMES = ['SandboxUSDC', 'BatchSettle', 'Multicall'] as const;
const TARGET = new URL('../src/sandbox/chain/contracts.json', import.meta.url);
const SETTINGS = { viaIR: true, optimizer: { enabled: true, runs: 200 }, evmVersion: 'cancun' } as const;

const solc = createRequire(import.meta.url)('solc') as { compile(input: string): string; version(): string };
const sources = NAMES.map((name) => {
  const content = readFileSync(new URL(`../contracts/${name}.sol`, import.meta.url), 'utf8');
  return { name, content, sha256: createHash('sha256').update(content).digest('hex') };
});

const input = {
  language: 'Solidity',
  sources: Object.fromEntries(sources.map(({ name, content }) => [`${name}.sol`, { content }])),
  // Without the metadata hash the code depends on nothing but source, compiler and settings.
  settings: {
    ...SETTINGS,
    metadata: { bytecodeHash: 'none', appendCBOR: false },
    outputSelection: { '*': { '*': ['evm.deployedBytecode.object'] } },
  },
};
const output = JSON.parse(solc.compile(JSON.stringify(input))) as SolcOutput;
const faults = output.errors?.filter(({ severity }) => severity === 'error') ?? [];
if (faults.length > 0) throw new Error(faults.map(({ formattedMessage }) => formattedMessage).join('\n'));

const contracts = sources.map(({ name, sha256 }) => [
  name,
  { sourceSha256: sha256, runtime: `0x${output.contracts[`${name}.sol`]?.[name]?.evm.deployedBytecode.object}` },
]);
const document = { compiler: solc.version(), settings: SETTINGS, contracts: Object.fromEntries(contracts) };
const text = `${JSON.stringify(document, null, 2)}\n`;

if (process.argv.includes('--check')) {
  const isSame = readFileSync(TARGET, 'utf8') === text;
  console.log(isSame ? 'the bytecode is that of the sources' : 'the bytecode is not that of the sources');
  process.exitCode = isSame ? 0 : 1;
} else {
  writeFileSync(TARGET, text);
  for (const [name, { runtime }] of contracts as [string, { runtime: string }][]) {
    console.log(`${name}: ${runtime.length / 2 - 1} bytes`);
  }
}
