// Makes what a release consists of: source, packages, image, files for operators, documentation, what it is made of,
// where it comes from, checksums and their signature.
//   npm run release -- --out DIR [--key FILE with an Ed25519 private key in PEM] [--log releases.log of the release before]
//     [--no-image] [--mcp-name com.example/avouch --base-url https://avouch.example.com: server.json for the MCP registry]
import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { makeRelease } from './release/make-release.ts';

const { values } = parseArgs({
  options: {
    out: { type: 'string' },
    key: { type: 'string' },
    log: { type: 'string' },
    image: { type: 'boolean' },
    'mcp-name': { type: 'string' },
    'base-url': { type: 'string' },
  },
  allowNegative: true,
});
if (values.out === undefined) throw new Error('--out names the folder that the release is written to');
const out = resolve(values.out);
try {
  const leftOut = await makeRelease({ ...values, out, mcpName: values['mcp-name'], baseUrl: values['base-url'] });
  console.log([readdirSync(out).join('\n'), ...leftOut].join('\n'));
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
