// Many clients at once: every answer is checked as it comes, and nobody is overtaken by their own later call.
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { verifyConsistency, verifySealAnswer } from '../../../verify/avouch-verify.mjs';
import { ENGINES, hasPostgres } from '../../support/databases.ts';
import { TestService } from '../../support/service.ts';
import { BEGUN } from '../../support/log.ts';
import { LogCaller, type SealAnswer } from '../../referees/log-traffic.ts';
import { exchangeAhead } from '../../support/raw-http.ts';
import { SEAL_CASES } from '../../support/seal-cases.ts';

/** So many clients with so many calls each, on either engine. */
export async function hammer({ clients, calls }: { readonly clients: number; readonly calls: number }): Promise<void> {
  const noPostgres = !(await hasPostgres()) && 'no PostgreSQL here';
  for (const engine of ENGINES) {
    void suite(`${clients} clients at once on ${engine}`, { skip: engine === 'postgres' && noPostgres }, () => {
      let service: TestService;
      before(async () => {
        service = await TestService.start({ engine });
      });
      after(() => service[Symbol.asyncDispose]());

      test('each gets proofs that verify offline, in the order of its calls, from one log', async () => {
        using caller = new LogCaller(service.url);
        const [vkey] = (await caller.read<{ vkeys: [string] }>('/api/astralock/sth')).vkeys;
        const live = async (client: number) => {
          const answers: SealAnswer[] = [];
          for (let n = 0; n < calls; n += 1) {
            const row = SEAL_CASES[(client + n) % SEAL_CASES.length] as (typeof SEAL_CASES)[number];
            const answer = await caller.seal(row.schemaId, row.claim(`client ${client} call ${n}`));
            assert.equal(answer.code, row.code);
            const result = await verifySealAnswer(answer, vkey);
            assert.equal(result.valid, true, JSON.stringify(result.checks));
            answers.push(answer);
          }
          return answers;
        };
        const perClient = await Promise.all(Array.from({ length: clients }, (_, client) => live(client)));
        for (const answers of perClient) assertInOrder(answers);
        const all = perClient.flat();
        const seqs = all.map(({ seq }) => seq).toSorted((a, b) => a - b);
        assert.deepEqual(
          seqs,
          Array.from({ length: clients * calls }, (_, n) => n + BEGUN),
          'one number for each answer',
        );
        await assertOneLog(caller, all, vkey);
      });

      test('calls sent ahead on one connection stand in the log as they were sent', async () => {
        const send = async (client: number) => {
          const requests = Array.from({ length: calls }, (_, n) =>
            rawSeal(`client ${client} call ${n}`, n === calls - 1),
          );
          const answers = await exchangeAhead(service.url, requests.join(''));
          assert.equal(answers.length, calls);
          return answers.map(({ text }) => JSON.parse(text) as SealAnswer);
        };
        const perClient = await Promise.all(Array.from({ length: clients }, (_, client) => send(client)));
        for (const [client, answers] of perClient.entries()) {
          assertInOrder(answers);
          assert.deepEqual(
            answers.map(({ claim }) => claim['statement']),
            Array.from({ length: calls }, (_, n) => `client ${client} call ${n}`),
          );
        }
      });
    });
  }
}

function rawSeal(statement: string, isLast: boolean): string {
  const body = JSON.stringify({ schema_id: 'record.integrity.v1', claim: { statement } });
  const head = ['POST /api/attest/seal HTTP/1.1', 'host: x', 'content-type: application/json'];
  if (isLast) head.push('connection: close');
  return `${[...head, `content-length: ${body.length}`].join('\r\n')}\r\n\r\n${body}`;
}

function assertInOrder(answers: readonly SealAnswer[]): void {
  const seqs = answers.map(({ seq }) => seq);
  assert.deepEqual(
    seqs,
    seqs.toSorted((a, b) => a - b),
  );
  const times = answers.map(({ sealed_at: at }) => at);
  assert.deepEqual(times, times.toSorted());
}

/** All answered checkpoints are prefixes of the newest one, and no size has two. */
async function assertOneLog(caller: LogCaller, answers: readonly SealAnswer[], vkey: string): Promise<void> {
  const bySize = new Map(answers.map(({ inclusion, checkpoint }) => [inclusion.tree_size, checkpoint]));
  for (const { inclusion, checkpoint } of answers) assert.equal(bySize.get(inclusion.tree_size), checkpoint);
  for (const [size, older] of bySize) {
    const head = await caller.read<{ checkpoint: string; consistency: { hashes: string[] } }>(
      `/api/astralock/sth?first=${size}`,
    );
    const question = { older, newer: head.checkpoint, hashes: head.consistency.hashes };
    const result = await verifyConsistency(question, vkey);
    assert.equal(result.valid, true, JSON.stringify(result.checks));
  }
}
