import { type Scope, SCOPES } from '#areas/wallet/agents/agent.ts';
import { readConfig } from '#platform/config/config.ts';
import { readSecrets } from '#platform/config/secrets.ts';
import { isoTime } from '#kernel/clock.ts';
import { KEY_SCOPES, type KeyScope } from '#platform/keys/key-scope.ts';
import type { KeyRecord } from '#platform/keys/key-unit.ts';
import { checkpointKeys } from '#platform/keys/key-view.ts';
import { declareKeys, replaceLostKeys, rotateKey } from '#platform/keys/rotation.ts';
import { attachToLog } from '#platform/log/public-log.ts';
import { statementStep } from '#platform/log/statement-unit.ts';
import { type Foundation, openFoundation } from '#platform/foundation.ts';
import { grantScope } from './agents.ts';
import { type Command, UsageError } from './command.ts';

const USAGE_ERROR =
  'keys takes list, prepare, rotate or replace and a scope, accept-secret, or grant, the id of an agent key and a scope';

export const keysCommand: Command = {
  name: 'keys',
  summary:
    'list the service keys, prepare the file of the next one or rotate to it, replace a lost one, accept a new server secret, grant a scope to a key of an agent',
  usage: `keys list | keys prepare|rotate|replace <${KEY_SCOPES.join('|')}> | keys accept-secret | keys grant <key id> <${SCOPES.join('|')}>`,
  examples: ['./avouch keys list', './avouch keys rotate log-checkpoint', './avouch keys accept-secret'],
  async run([action, given, ...rest], terminal) {
    const [scopeGiven, ...more] = rest;
    if (action === 'grant' && given !== undefined && more.length === 0 && SCOPES.includes(scopeGiven as Scope)) {
      return grantScope({ keyId: given, scope: scopeGiven as Scope }, terminal);
    }
    const isAlone = given === undefined;
    const isOfScope = KEY_SCOPES.includes(given as KeyScope) && rest.length === 0;
    const [isPrepare, isRotate] = [action === 'prepare' && isOfScope, action === 'rotate' && isOfScope];
    const isReplace = action === 'replace' && isOfScope;
    const [isList, isAccept] = [action === 'list' && isAlone, action === 'accept-secret' && isAlone];
    if (!isList && !isPrepare && !isRotate && !isReplace && !isAccept) throw new UsageError(USAGE_ERROR);
    const config = readConfig(terminal.env);
    await using foundation = await openFoundation(
      {
        config,
        secrets: readSecrets(config),
        patience: terminal.patience ?? 1,
        ...(isAccept && { acceptSecret: true }),
        ...(isReplace && { lacksKeyFiles: true }),
      },
      false,
    );
    if (isAccept) {
      terminal.err('accepted: start every process again, with this secret\n');
      return 0;
    }
    const { keyRing, store } = foundation;
    if (isPrepare) {
      const { keyId } = keyRing.nextKey(given as KeyScope);
      terminal.err(`prepared: ${keyId} has a file; copy it to every machine, then rotate on this one\n`);
    }
    if (isRotate) {
      const scope = given as KeyScope;
      const origin = await attachToLog(store, (sequencer) => store.attachLog(sequencer), checkpointKeys(keyRing));
      const log = { origin, sandbox: config.profile === 'sandbox' };
      const { keyId } = await rotateKey(keyRing, store, { scope, log });
      terminal.err(`rotated: ${keyId} is declared in the log and signs from now on; copy its file to every machine\n`);
    }
    if (isReplace) terminal.err(await replaced(foundation, given as KeyScope, config.profile === 'sandbox'));
    for (const record of keyRing.records()) terminal.out(`${lineOf(record)}\n`);
    return 0;
  },
};

/** The new key must be in force before anything can be signed, so its declaration is a commit of its own. */
async function replaced({ keyRing, store }: Foundation, scope: KeyScope, sandbox: boolean): Promise<string> {
  const { lost, key } = await replaceLostKeys(keyRing, store, scope);
  const origin = await attachToLog(store, (sequencer) => store.attachLog(sequencer), checkpointKeys(keyRing));
  const inception = { publicKey: undefined, entry: '' };
  await declareKeys(keyRing, store, { log: { origin, sandbox }, inception });
  const steps = lost.map(({ keyId }) => statementStep(`key.lost ${scope} ${keyId} replaced by ${key.keyId}`, sandbox));
  if (steps.length > 0) await store.runAll(steps);
  return `replaced: ${key.keyId} signs from now on, the log says so; copy its file to every machine\n`;
}

function lineOf(record: KeyRecord): string {
  const { keyId, scope, publicKey, validFromMs } = record;
  return [keyId, scope, publicKey, isoTime(validFromMs), stateOf(record)].join('\t');
}

function stateOf({ retiredAtMs, retiresAtMs }: KeyRecord): string {
  if (retiredAtMs !== null) return `retired ${isoTime(retiredAtMs)}`;
  return retiresAtMs === null ? 'in force' : `in force until ${isoTime(retiresAtMs)}`;
}
