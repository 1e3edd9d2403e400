// Packs what others install, each as npm would publish it: npm run pack -- --out DIR
import { parseArgs } from 'node:util';
import { packAll } from './pack/pack-all.ts';

const { values } = parseArgs({ options: { out: { type: 'string' } } });
if (values.out === undefined) throw new Error('--out names the folder that the packages are written to');
for (const { name, file, bytes } of packAll(values.out))
  console.log(`${name}: ${file}, ${Math.ceil(bytes / 1_024)} KB`);
