import { readConfig } from '#config/config.ts';
import { readSecrets } from '#config/secrets.ts';
import { isoTime } from '#kernel/clock.ts';
import { KEY_SCOPES, type KeyRecord, type KeyScope } from '#keys/key-unit.ts';
import { openFoundation } from '../foundation.ts';
import { type Command, UsageError } from './command.ts';

export const keys: Command = {
  name: 'keys',
  summary: 'list the service keys or rotate one',
  usage: `keys list | keys rotate <${KEY_SCOPES.join('|')}>`,
  examples: ['./avouch keys list', './avouch keys rotate receipts'],
  async run([action, scope, ...rest], terminal) {
    const isList = action === 'list' && scope === undefined;
    const isRotate = action === 'rotate' && KEY_SCOPES.includes(scope as KeyScope) && rest.length === 0;
    if (!isList && !isRotate) throw new UsageError('keys takes list, or rotate and a scope');
    const config = readConfig(terminal.env);
    await using foundation = await openFoundation({ config, secrets: readSecrets(config) }, false);
    const { keyRing } = foundation;
    if (isRotate) {
      await keyRing.rotate(scope as KeyScope);
      terminal.err('rotated: running processes use the new key from their next start\n');
    }
    for (const record of keyRing.records()) terminal.out(`${lineOf(record)}\n`);
    return 0;
  },
};

function lineOf({ keyId, scope, publicKey, validFromMs, retiredAtMs }: KeyRecord): string {
  const state = retiredAtMs === null ? 'in force' : `retired ${isoTime(retiredAtMs)}`;
  return [keyId, scope, publicKey, isoTime(validFromMs), state].join('\t');
}
