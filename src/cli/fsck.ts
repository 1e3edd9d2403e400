import { parseArgs } from 'node:util';
import { systemClock } from '#kernel/clock.ts';
import { fsckLog as check } from '#platform/log/fsck.ts';
import { type Command, UsageError } from './command.ts';
import { fetchBytes, logKeysOf } from './log-client.ts';

const USAGE_ERROR = 'fsck takes the url of a service, and --vkey for a key that you trust';

export const fsckCommand: Command = {
  name: 'fsck',
  summary: 'derive a whole log again over HTTP and compare it with what the service signed and serves',
  usage: 'fsck <url> [--vkey <vkey>]',
  examples: [
    './avouch fsck http://127.0.0.1:8402',
    './avouch fsck https://attest.example --vkey attest.example/astralock+890106d5+AbcD...',
  ],
  async run(args, terminal) {
    const { url, vkey } = argumentsOf(args);
    const clock = systemClock();
    const startMs = clock.monotonicMs();
    const vkeys = vkey === undefined ? await logKeysOf(url) : [vkey];
    if (vkey === undefined) terminal.err('the key comes from the service itself: compare it with one you trust\n');
    for (const key of vkeys) terminal.out(`key: ${key}\n`);
    const report = await check((path) => fetchBytes(url, `/astralock/${path}`), vkeys);
    const { origin, size, rootHex, entries, entryBytes, bundles, hashTiles, faults } = report;
    terminal.out(`checkpoint: ${origin}, size ${size}, root ${rootHex}\n`);
    terminal.out(`re-hashed: ${entries} entries, ${entryBytes} bytes, ${bundles} bundles, ${hashTiles} hash tiles\n`);
    for (const fault of faults) terminal.err(`fault: ${fault}\n`);
    terminal.out(`duration: ${Math.round(clock.monotonicMs() - startMs)} ms\n`);
    terminal.out(faults.length === 0 ? 'the log holds\n' : 'the log is broken\n');
    return faults.length === 0 ? 0 : 1;
  },
};

function argumentsOf(args: readonly string[]): { url: string; vkey: string | undefined } {
  let parsed: { values: { vkey?: string | undefined }; positionals: string[] };
  try {
    parsed = parseArgs({ args: [...args], options: { vkey: { type: 'string' } }, allowPositionals: true });
  } catch {
    throw new UsageError(USAGE_ERROR);
  }
  const [url, ...more] = parsed.positionals;
  if (url === undefined || more.length > 0) throw new UsageError(USAGE_ERROR);
  return { url, vkey: parsed.values.vkey };
}
