// The tests beside the code in one process: most are shorter than the start of a process.
import { readdirSync } from 'node:fs';

const folder = new URL('../src/', import.meta.url);
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
for (const file of files.toSorted()) if (file.endsWith('.test.ts')) await import(new URL(file, folder).href);
