import { isoTime } from '#kernel/clock.ts';
import type { Config } from '#platform/config/config.ts';
import type { KeyScope } from '#platform/keys/key-scope.ts';
import type { KeyRecord } from '#platform/keys/key-unit.ts';
import { declareKeys, replaceLostKeys, rotateKey } from '#platform/keys/rotation.ts';
import { statementStep } from '#platform/log/statement-unit.ts';
import { columns } from './line/columns.ts';
import type { Output } from './line/output.ts';
import type { Run } from './line/spec.ts';
import { joinLog, openStore } from './operator-store.ts';

const HEADER = ['KEY', 'SCOPE', 'STATE', 'VALID FROM', 'PUBLIC KEY'];
/** A post-quantum key has 1,752 characters; `--json` prints it whole. */
const MAX_SHOWN = 44;

export const listKeys: Run = async (_given, output) => {
  await using opened = await openStore(output);
  tellKeys(opened.foundation.keyRing.records(), output);
  return 0;
};

export const prepareKey: Run = async ({ operands }, output) => {
  await using opened = await openStore(output);
  const { keyRing } = opened.foundation;
  const { keyId } = keyRing.nextKey(operands[0] as KeyScope);
  output.note(`Prepared key ${keyId}. Copy its file to every machine, then run \`avouch keys rotate\` on this one.`);
  tellKeys(keyRing.records(), output);
  return 0;
};

export const rotateServiceKey: Run = async ({ operands }, output) => {
  await using opened = await openStore(output);
  const { foundation, isSandbox } = opened;
  const { keyRing, store } = foundation;
  const log = { origin: await joinLog(foundation), sandbox: isSandbox };
  const { keyId, declaredIn } = await rotateKey(keyRing, store, { scope: operands[0] as KeyScope, log });
  const declared = declaredIn === null ? '' : 'is declared in the log and ';
  output.note(`Rotated. Key ${keyId} ${declared}signs from now on. Copy its file to every machine.`);
  remindOfWitnesses(operands[0] as KeyScope, opened.config, output);
  tellKeys(keyRing.records(), output);
  return 0;
};

/** The new key must be in force before anything can be signed, so its declaration is a commit of its own. */
export const replaceKey: Run = async ({ operands }, output) => {
  const scope = operands[0] as KeyScope;
  await using opened = await openStore(output, { lacksKeyFiles: true });
  const { foundation, isSandbox } = opened;
  const { keyRing, store } = foundation;
  const { lost, key } = await replaceLostKeys(keyRing, store, scope);
  const log = { origin: await joinLog(foundation), sandbox: isSandbox };
  await declareKeys(keyRing, store, { log, inception: { publicKey: undefined, entry: '' } });
  const steps = lost.map(({ keyId }) =>
    statementStep(`key.lost ${scope} ${keyId} replaced by ${key.keyId}`, isSandbox),
  );
  if (steps.length > 0) await store.runAll(steps);
  output.note(`Replaced. Key ${key.keyId} signs from now on, which the log records. Copy its file to every machine.`);
  remindOfWitnesses(scope, opened.config, output);
  tellKeys(keyRing.records(), output);
  return 0;
};

/** No protocol tells a witness of a new key: it goes on refusing signatures that it does not know. */
function remindOfWitnesses(scope: KeyScope, { witnessPolicyFile }: Config, output: Output): void {
  if (scope !== 'log-checkpoint' || witnessPolicyFile === null) return;
  output.note(
    "Witnesses learn a changed key only by hand: send the new vkey (/api/astralock/sth) to each one's operator.",
  );
}

export const acceptSecret: Run = async (_given, output) => {
  await using _opened = await openStore(output, { acceptSecret: true });
  output.result({ accepted: true }, 'The server secret is accepted. Restart every process with this secret.\n');
  return 0;
};

function tellKeys(records: readonly KeyRecord[], output: Output): void {
  const keys = records.map((record) => ({
    key_id: record.keyId,
    scope: record.scope,
    state: stateOf(record),
    valid_from: isoTime(record.validFromMs),
    public_key: record.publicKey,
  }));
  const rows = keys.map(({ key_id, scope, state, valid_from, public_key }) => {
    const shown =
      public_key.length > MAX_SHOWN
        ? `${public_key.slice(0, MAX_SHOWN)}… (${public_key.length} characters)`
        : public_key;
    return [key_id, scope, state, valid_from, shown];
  });
  output.result({ keys }, columns(HEADER, rows));
}

function stateOf({ retiredAtMs, retiresAtMs }: KeyRecord): string {
  if (retiredAtMs !== null) return `retired ${isoTime(retiredAtMs)}`;
  return retiresAtMs === null ? 'in force' : `in force until ${isoTime(retiresAtMs)}`;
}
