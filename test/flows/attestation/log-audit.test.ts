// The audit below the service, and through its thread.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { AuditThread } from '#platform/log/audit-thread.ts';
import type { AuditRequest } from '#platform/log/audit-report.ts';
import { StorageError } from '#platform/storage/store.ts';
import { TestService } from '../../support/service.ts';
import { sealRecord } from '../../support/log.ts';
import { auditInTurn, SCRUB } from './audit-in-turn.ts';

test('the auditor goes over full pages once and then in turn again, and remembers what it finds', () =>
  auditInTurn('sqlite'));

test('the thread of the audit answers a database that is not there as unavailable, and goes on when it is', async () => {
  await using service = await TestService.start();
  await sealRecord(service, 'one');
  await using nowhere = new AuditThread({ file: join(service.dataDir, 'none.db') });
  const head = (await service.call('/api/astralock/sth')).json as {
    tree_size: number;
    root_hash: string;
    vkeys: string[];
  };
  const request: AuditRequest = {
    head: { size: head.tree_size, rootHex: head.root_hash },
    vkeys: [head.vkeys[0] as string],
    range: null,
    scrub: SCRUB,
    nowMs: 0,
  };
  const isUnavailable = (error: unknown) => error instanceof StorageError && error.kind === 'unavailable';
  await assert.rejects(nowhere.run(request), isUnavailable);
  await assert.rejects(nowhere.run(request), isUnavailable);
  await using there = new AuditThread({ file: join(service.dataDir, 'avouch.db') });
  assert.equal((await there.run(request)).ok, true);
});

test('a thread that was stopped takes no more audits and lets those under way go', async () => {
  const thread = new AuditThread({ file: '/nowhere' });
  await thread[Symbol.asyncDispose]();
  await assert.rejects(
    thread.run({} as AuditRequest),
    (error) => error instanceof StorageError && error.kind === 'closed',
  );
});
