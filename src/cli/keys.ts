import { readConfig } from '#config/config.ts';
import { readSecrets } from '#config/secrets.ts';
import { isoTime } from '#kernel/clock.ts';
import { KEY_SCOPES, type KeyRecord, type KeyScope } from '#keys/key-unit.ts';
import { openFoundation } from '../foundation.ts';
import { type Command, UsageError } from './command.ts';

export const keys: Command = {
  name: 'keys',
  summary: 'list the service keys, rotate one, or accept a new server secret',
  usage: `keys list | keys rotate <${KEY_SCOPES.join('|')}> | keys accept-secret`,
  examples: ['./avouch keys list', './avouch keys rotate receipts', './avouch keys accept-secret'],
  async run([action, scope, ...rest], terminal) {
    const isList = action === 'list' && scope === undefined;
    const isRotate = action === 'rotate' && KEY_SCOPES.includes(scope as KeyScope) && rest.length === 0;
    const isAccept = action === 'accept-secret' && scope === undefined;
    if (!isList && !isRotate && !isAccept)
      throw new UsageError('keys takes list, rotate and a scope, or accept-secret');
    const config = readConfig(terminal.env);
    await using foundation = await openFoundation(
      { config, secrets: readSecrets(config), ...(isAccept && { acceptSecret: true }) },
      false,
    );
    if (isAccept) {
      terminal.err('accepted: start every process again, with this secret\n');
      return 0;
    }
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
