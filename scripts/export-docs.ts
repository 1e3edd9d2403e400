// Writes the documentation as a site of files: npm run docs -- --out DIR
import { parseArgs } from 'node:util';
import { exportDocs } from './docs/site.ts';

const { values } = parseArgs({ options: { out: { type: 'string' } } });
if (values.out === undefined) throw new Error('--out names the folder that the site is written to');
const files = await exportDocs(values.out);
console.log(`${files.length} files in ${values.out}`);
