// A data directory in which everything has been done so many times before. The public log and the ledger grow through the real sequencer
// and the real ledger; of everything else a few real rows are copied until there are enough.
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { loggedIn, registered } from '../test/support/cabinet.ts';
import { sealMany } from '../test/support/log.ts';
import { asked, mandate, mandateBody, registered as registeredPlatform } from '../test/support/mandates.ts';
import { calculated, ordered } from '../test/support/orders.ts';
import { TestService } from '../test/support/service.ts';
import { made } from '../test/support/tasks.ts';
import { temporaryDirectory } from '../test/support/temporary.ts';
import { agentOf, fund } from '../test/support/wallet.ts';

const LOG_BATCH = 8_192;
const LEDGER_BATCH = 1_024;
const PLENTY_MICRO = 10 ** 13;

/** Which columns tell one row from the next; the others are the same in each copy. */
const COPIED: Readonly<Record<string, readonly string[]>> = {
  event: ['rev', 'key'],
  ended: ['id', 'key', 'ended_at'],
  mark: ['seq', 'key', 'at'],
  amh_verification: ['ref', 'payload_key', 'created_at'],
  amh_seal: ['attestation_id', 'ref', 'at'],
  task: ['id', 'receipt_id', 'receipt_key_sha256', 'created_at'],
  task_step: ['task_id', 'at'],
  supplier_order: ['id', 'created_at'],
  execution: ['id', 'finished_at'],
  agent_call: ['at', 'n'],
};

/** Who calls, and what was made for them once. */
export interface Callers {
  readonly agentId: string;
  readonly agentKey: string;
  readonly platformKey: string;
  readonly mandateId: string;
  readonly calculationId: string;
  readonly cookie: string;
}

export interface FirstData {
  readonly dataDir: string;
  readonly callers: Callers;
}

/** One of each, made by real calls. */
export async function firstData(): Promise<FirstData> {
  const dataDir = await temporaryDirectory();
  await using service = await TestService.start({ dataDir });
  const owned = await registered(service);
  const agent = agentOf(service, owned);
  await agent.fund(PLENTY_MICRO);
  const { cookie } = await loggedIn(service);
  const key = { key: 'bench key', agent: 'bench' };
  const { json: claim } = await service.call('/v1/claim', { method: 'POST', body: key });
  const release = { lease: claim['lease'], token: claim['token'] };
  await service.call('/v1/release', { method: 'POST', body: release });
  await service.call('/v1/mark', { method: 'POST', body: { ...key, kind: 'note', note: 'needs hardware' } });
  const platform = await registeredPlatform(service);
  const body = mandateBody(Date.now(), { max_commit_cents: Number.MAX_SAFE_INTEGER });
  const { mandate_id: mandateId } = await mandate(service, body);
  const { json: verified } = await platform.verify(asked(mandateId, 100, 'first'));
  await platform.seal(verified['verify_ref'], 'placed');
  await agent.post('/capabilities/execute', { capability: 'text.redact', input: { text: 'Call 555' } });
  await service.call('/v1/bounties');
  await made(service, { agent_id: owned.id, need: 'open bounties' }, { 'x-agent-key': owned.key });
  const { order_id: orderId } = await ordered(agent);
  await agent.post(`/api/v1/orders/${String(orderId)}/cancel`, {});
  const calculationId = await calculated(agent, 10);
  const callers = {
    agentId: owned.id,
    agentKey: owned.key,
    platformKey: platform.key,
    mandateId,
    calculationId,
    cookie,
  };
  return { dataDir, callers };
}

/** A copy of the first data in which there are so many of each. */
export async function grownData({ dataDir: first, callers }: FirstData, size: number): Promise<string> {
  const dataDir = await temporaryDirectory();
  await cp(first, dataDir, { recursive: true });
  {
    await using service = await TestService.start({ dataDir });
    const { store } = service.service;
    for (let left = size; left > 0; left -= LOG_BATCH) await sealMany(store, Math.min(left, LOG_BATCH));
    for (let left = size; left > 0; left -= LEDGER_BATCH) {
      const credits = Array.from({ length: Math.min(left, LEDGER_BATCH) }, () => fund(store, callers.agentId, 10_000));
      await Promise.all(credits);
    }
  }
  copyRows(join(dataDir, 'avouch.db'), size);
  return dataDir;
}

interface Column {
  readonly name: string;
  readonly type: string;
}

/** A copy of a value: another text, a number above all earlier ones, a time so many milliseconds before. */
function copyOf({ name, type }: Column, table: string): string {
  if (type === 'TEXT') return `${name} || '-' || number`;
  if (/(^|_)at$/.test(name)) return `${name} - number`;
  return `${name} + number * (SELECT MAX(${name}) - MIN(${name}) + 1 FROM ${table})`;
}

function copyRows(file: string, size: number): void {
  const database = new DatabaseSync(file);
  database.exec('PRAGMA synchronous = OFF; BEGIN');
  for (const [table, differing] of Object.entries(COPIED)) {
    const columns = database.prepare('SELECT name, type FROM pragma_table_info(?)').all(table) as unknown as Column[];
    const { count } = database.prepare(`SELECT COUNT(*) AS count FROM ${table}`).get() as { count: number };
    if (count === 0) throw new Error(`no call has left a row in ${table}`);
    const copies = Math.ceil(size / count);
    const values = columns.map((column) => (differing.includes(column.name) ? copyOf(column, table) : column.name));
    database.exec(
      `WITH RECURSIVE copy (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM copy WHERE number < ${copies})
       INSERT INTO ${table} (${columns.map(({ name }) => name).join(', ')})
       SELECT ${values.join(', ')} FROM ${table}, copy`,
    );
  }
  database.exec('UPDATE head SET rev = 1 + (SELECT MAX(rev) FROM event); COMMIT');
  database.close();
}
