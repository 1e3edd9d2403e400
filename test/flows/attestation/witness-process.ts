// A witness as a process of its own: how it is started and asked, and what stays of it when it is killed.
import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { after, test } from 'node:test';
import { parseCheckpoint } from '#protocol/checkpoint.ts';
import { parseNote } from '#protocol/note.ts';
import { parseVkey } from '#protocol/note-key.ts';
import { sha256Hex } from '#kernel/ids.ts';
import { askWitness, type WitnessOutcome, type WitnessTarget } from '#platform/log/witness-client.ts';
import * as http from '#platform/log/witness-http.ts';
import { GrowingLog, ORIGIN, WITNESS } from '../../../src/witness/_growing-log.ts';
import { ChildService } from '../../support/child-service.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { seededRandom } from '../../support/random.ts';

export const log = new GrowingLog();
/** Says only that it hung: a busy machine is no outage of a witness. */
const HUNG_MS = 60_000;
export const postToWitness = (url: string, body: string) => http.postToWitness(url, body, HUNG_MS);
export const getFromWitness = (url: string) => http.getFromWitness(url, HUNG_MS);
export const nowSeconds = () => Math.floor(Date.now() / 1000);

export function argsOf(directory: string, ...more: readonly string[]): string[] {
  return ['--name', WITNESS, '--data', directory, '--log', log.vkey, '--port', '0', ...more];
}

/** Killed at the end of its scope unless it has ended before. */
interface Running extends AsyncDisposable {
  readonly child: ChildService;
  readonly target: WitnessTarget;
}

/** A witness as a process of its own, with the key that it prints. */
export async function start(directory: string, ...more: readonly string[]): Promise<Running> {
  const child = await ChildService.start({}, ['witness', ...argsOf(directory, ...more)]);
  const vkey = /^vkey: (.*)$/m.exec(child.output.stdout)?.[1] ?? '';
  const target = { name: 'w1', key: parseVkey(vkey), url: child.url };
  return { child, target, [Symbol.asyncDispose]: async () => void (await child.end('SIGKILL')) };
}

export function ask(target: WitnessTarget, size: number, rememberedSize: number, grown = log): Promise<WitnessOutcome> {
  return askWitness({
    target,
    checkpoint: grown.checkpoint(size),
    size,
    rememberedSize,
    consistencyProof: (first, second) => grown.consistencyProof(first, second),
    nowSeconds: nowSeconds(),
    post: postToWitness,
  });
}

const CALLERS = 4;

/** So many kills at any moment. */
export function witnessKills(rounds: number): void {
  test('killed at any moment, a witness stands by every cosignature that it has answered', async () => {
    const directory = await temporaryDirectory();
    after(() => rm(directory, { recursive: true, force: true }));
    const random = seededRandom(20261115);
    const histories = [log, new GrowingLog({ forkAt: 40 })];
    const answered: { size: number; root: string }[] = [];
    let key: string | undefined;
    for (let round = 0; round < rounds; round += 1) {
      await using running = await start(directory);
      const { child, target } = running;
      key ??= target.key.keyId;
      assert.equal(target.key.keyId, key);
      await assertStandsBy(target, answered);
      const over = new AbortController();
      const goal = answered.length + 1 + Math.floor(random() * 8);
      const reached = Promise.withResolvers<void>();
      const callers = Array.from({ length: CALLERS }, async (_, caller) => {
        let known = 0;
        while (!over.signal.aborted) {
          // One caller tries to lead the witness onto another history.
          const grown = histories[caller === 0 ? 1 : 0] as GrowingLog;
          const size = known + 1 + Math.floor(random() * 3);
          const outcome = await ask(target, size, known, grown);
          if (outcome.outcome === 'cosigned') {
            answered.push({ size, root: grown.tree.root(size).toString('hex') });
            known = size;
            if (answered.length >= goal) reached.resolve();
          } else if ('knownSize' in outcome && outcome.knownSize !== undefined) known = outcome.knownSize;
          else if (outcome.outcome === 'refused') known += 1;
        }
      });
      const allDone = Promise.all(callers);
      await Promise.race([reached.promise, allDone]);
      await child.end('SIGKILL');
      over.abort();
      await allDone;
    }
    await using running = await start(directory);
    const { child, target } = running;
    await assertStandsBy(target, answered);
    assert.equal(await child.end('SIGTERM'), 0);
  });
}

/** The tree shown after a restart holds every tree that was ever cosigned for anybody. */
async function assertStandsBy(
  target: WitnessTarget,
  answered: readonly { size: number; root: string }[],
): Promise<void> {
  if (answered.length === 0) return;
  const { body } = await getFromWitness(`${target.url}/${sha256Hex(ORIGIN)}/checkpoint`);
  const latest = parseCheckpoint(parseNote(body).text);
  const histories = [log, new GrowingLog({ forkAt: 40 })];
  const shown = histories.filter(({ tree }) => Buffer.compare(tree.root(Number(latest.size)), latest.root) === 0);
  assert.ok(shown.length > 0, 'a tree of no history');
  for (const { size, root: hash } of answered) {
    assert.ok(BigInt(size) <= latest.size, `size ${size} was answered, and ${latest.size} is shown`);
    assert.ok(
      shown.some(({ tree }) => tree.root(size).toString('hex') === hash),
      `another tree of size ${size}`,
    );
  }
}
