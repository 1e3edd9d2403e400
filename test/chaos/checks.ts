// What the books must say after the mixed load: nothing that was answered is lost, nothing happened twice.
import { join } from 'node:path';
import { walletOf } from '#platform/ledger/steps.ts';
import type { Row, Store } from '#platform/storage/store.ts';
import { verifyTrail } from '#platform/trail/verify.ts';
import type { Parties, Told } from './clients.ts';
import type { Load } from './load.ts';
import { checkCrossing } from './crossing-checks.ts';
import { readCrossingRows, readHistory } from '../support/events.ts';
import { inspectHistory } from './history.ts';
import { checkBooks as checkLedger } from '../models/ledger-model.ts';
import type { Journal } from '../support/journal.ts';
import { checkBooks as checkMandates } from '../models/mandate-model.ts';

export interface Books {
  readonly store: Store;
  readonly dataDir: string;
  readonly databaseUrl: string;
  readonly parties: Parties;
  readonly fundedMicro: number;
  /** What the buyer has paid, as the chain says. */
  readonly movedAtomic: bigint;
}

const PRICE_MICRO = 10_000;

type Answered = Pick<Load, 'parked' | 'acknowledged'>;

/** Sentences about everything that is lost, doubled or inconsistent. */
export async function checkAll(told: Told, load: Answered, crossing: Journal, books: Books): Promise<string[]> {
  told.journal.compareEnd();
  const found = [...told.violations, ...told.journal.violations];
  for (const { kind, path } of load.parked) found.push(`${kind} ${path} was never answered`);
  const { size: sealed } = told.journal.sealed;
  const seals = load.acknowledged.get('seal') ?? 0;
  if (sealed !== seals) found.push(`${sealed} seals are in the log, ${seals} were answered`);
  return [
    ...found,
    ...(await checkLeases(crossing, books)),
    ...(await checkPayments(told, books)),
    ...(await checkMandateRows(told, books)),
    ...(await checkWallet(told, books)),
    ...(await checkTasks(told, books)),
  ];
}

async function checkLeases(journal: Journal, { dataDir, databaseUrl }: Books): Promise<string[]> {
  const history = await readHistory(dataDir, databaseUrl);
  const rows = await readCrossingRows(dataDir, databaseUrl);
  const { lost, duplicated, violations } = inspectHistory(history, journal.acknowledged, journal.denied);
  const { faults } = await verifyTrail(join(dataDir, 'trail'));
  const trail = faults.map(({ file, line, detail }) => `audit trail, ${file} line ${line}: ${detail}`);
  const found = [...journal.wrong, ...journal.lost, ...lost, ...duplicated, ...violations, ...trail];
  return [...found, ...checkCrossing(history, rows, journal)];
}

/** One settlement for each authorization, and the sum of them is what left the buyer. */
async function checkPayments({ paid }: Told, { store, movedAtomic }: Books): Promise<string[]> {
  const rows = await store.read('SELECT state, amount FROM payment');
  const found = rows.filter(({ state }) => state !== 'settled').map(({ state }) => `a payment is ${String(state)}`);
  if (rows.length !== paid.length) found.push(`${rows.length} payments are kept, ${paid.length} were answered`);
  const kept = total(rows, 'amount');
  if (BigInt(kept) !== movedAtomic) found.push(`${kept} atomic USDC are kept as paid, ${movedAtomic} moved`);
  return found;
}

async function checkMandateRows({ verified, placed }: Told, { store, parties }: Books): Promise<string[]> {
  const found = await faultsOf(() => checkMandates(store, parties.mandates));
  const rows = await store.read("SELECT * FROM amh_verification WHERE state IN ('verified', 'placed')");
  if (rows.length !== verified.size) found.push(`${rows.length} verifications are kept, ${verified.size} were allowed`);
  const byRef = new Map(rows.map((row) => [String(row['ref']), row]));
  for (const [ref, cents] of verified) {
    const row = byRef.get(ref);
    const [state, column] = placed.has(ref) ? (['placed', 'committed'] as const) : (['verified', 'reserved'] as const);
    if (row?.['state'] !== state || row[column] !== cents) found.push(`${ref} is not ${state} for ${cents}`);
  }
  return found;
}

async function checkWallet({ executed }: Told, { store, parties, fundedMicro }: Books): Promise<string[]> {
  const found = await faultsOf(() => checkLedger(store));
  const charged = await store.read("SELECT id FROM ledger_tx WHERE kind = 'capability'");
  if (charged.length !== executed.size) found.push(`${charged.length} were charged, ${executed.size} answered`);
  const [wallet] = await store.read('SELECT posted, held FROM ledger_account WHERE id = $1', [
    walletOf(parties.agentId),
  ]);
  const left = fundedMicro - executed.size * PRICE_MICRO;
  if (wallet?.['posted'] !== left || wallet['held'] !== 0) {
    found.push(`the wallet has ${JSON.stringify(wallet)} where ${left} should be left`);
  }
  return found;
}

async function checkTasks({ tasks }: Told, { store }: Books): Promise<string[]> {
  const kept = new Set((await store.read('SELECT id FROM task')).map((row) => String(row['id'])));
  const given = new Set(tasks.values());
  const found = [...given].filter((id) => !kept.has(id)).map((id) => `task ${id} is lost`);
  if (given.size !== tasks.size) found.push(`${tasks.size} keys share ${given.size} tasks`);
  if (kept.size !== tasks.size) found.push(`${kept.size} tasks are kept, ${tasks.size} were answered`);
  return found;
}

function total(rows: readonly Row[], column: string): number {
  return rows.reduce((sum, row) => sum + Number(row[column]), 0);
}

/** What an assertion says, as a sentence. */
async function faultsOf(check: () => Promise<unknown>): Promise<string[]> {
  try {
    await check();
    return [];
  } catch (error) {
    return [(error as Error).message];
  }
}
