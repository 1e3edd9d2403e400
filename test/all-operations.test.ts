// The tests of every operation in one process: the modules of the service are loaded once.
import { readdirSync } from 'node:fs';

const folder = new URL('./operations/', import.meta.url);
for (const file of readdirSync(folder).toSorted()) await import(new URL(file, folder).href);
