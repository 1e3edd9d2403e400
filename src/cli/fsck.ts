import { asSentence } from '#kernel/sentence.ts';
import { fsckLog } from '#platform/log/fsck.ts';
import { KEY_OF_SERVICE } from './checks.ts';
import { count } from './line/progress.ts';
import type { Run } from './line/spec.ts';
import { fetchBytes, logKeysOf } from './log-client.ts';

export const fsck: Run = async ({ operands, values: { vkey } }, output) => {
  const [url] = operands as [string];
  const vkeys = vkey === undefined ? await logKeysOf(url) : [vkey];
  if (vkey === undefined) output.warn(KEY_OF_SERVICE('--vkey'));
  for (const key of vkeys) output.line(`key: ${key}`);
  using progress = output.progress('Rebuilding the log');
  const read = (path: string) => fetchBytes(url, `/astralock/${path}`);
  const report = await fsckLog(read, vkeys, (done, total) => progress.update({ done, total, unit: 'entries' }));
  progress.end();
  const { origin, size, rootHex, entries, entryBytes, bundles, hashTiles, faults } = report;
  output.line(`checkpoint: ${origin}, size ${size}, root ${rootHex}`);
  output.line(`re-hashed: ${entries} entries, ${entryBytes} bytes, ${bundles} bundles, ${hashTiles} hash tiles`);
  if (!output.isJson) for (const fault of faults) output.note(`Error: ${asSentence(fault)}`);
  const isOk = faults.length === 0;
  const { rootHex: root, entryBytes: entry_bytes, hashTiles: hash_tiles } = report;
  const value = {
    ok: isOk,
    keys: vkeys,
    origin,
    size,
    root,
    entries,
    entry_bytes,
    bundles,
    hash_tiles,
    errors: faults,
  };
  const verdict = isOk ? 'Log verified:' : 'Log broken:';
  output.result(value, `${verdict} ${count(entries)} entries in ${progress.took}.\n`);
  return isOk ? 0 : 1;
};
