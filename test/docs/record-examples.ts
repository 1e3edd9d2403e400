// npm run examples [-- --check]: calls every example of every operation and keeps what was answered in the examples.json
// of its area. Names and inputs stand there as somebody wrote them; ids and keys in them become those that were given out.
import { seedWith } from './seeded-random.ts';
import { glob, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '../support/child-service.ts';
import { differences } from './differences.ts';

seedWith('start');
// Loaded once chance is tamed.
const { NOT_RECORDED, record } = await import('./recording.ts');

type Examples = Awaited<ReturnType<typeof record>>;

const isCheck = process.argv.includes('--check');
const files = new Map<string, Examples>();
for await (const path of glob('src/**/examples.json', { cwd: ROOT })) {
  files.set(path, JSON.parse(await readFile(join(ROOT, path), 'utf8')) as Examples);
}
const wanted = [...files.values()].flatMap((examples) => Object.keys(examples));
const recorded = await record(wanted.filter((operationId) => !(operationId in NOT_RECORDED)));
const now = [...files].map(([path, kept]) => {
  const examples = Object.fromEntries(Object.entries(kept).map(([id, before]) => [id, recorded[id] ?? before]));
  return { path, examples, unlike: differences(calledOf(kept), calledOf(examples)) };
});
/** Those that somebody wrote may have an id of the others, which is another on each busy machine. */
function calledOf(examples: Examples): Examples {
  return Object.fromEntries(Object.entries(examples).filter(([id]) => !(id in NOT_RECORDED)));
}

const changed = now.flatMap(({ path, unlike }) => unlike.map((where) => `${path} ${where}`));
// What was drawn for them may come out otherwise on a busy machine: that alone is no change. All are written or none, for
// the ids of one area stand in the examples of others.
if (!isCheck && changed.length > 0) {
  for (const { path, examples } of now) {
    await writeFile(join(ROOT, path), `${JSON.stringify(examples, undefined, 2)}\n`);
  }
}
for (const line of changed.slice(0, 50)) console.log(line);
console.log(`${wanted.length} operations, ${changed.length} members ${isCheck ? 'differ' : 'changed'}`);
process.exit(isCheck && changed.length > 0 ? 1 : 0);
