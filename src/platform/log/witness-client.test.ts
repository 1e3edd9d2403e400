import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { suite, test } from 'node:test';
import fc, { anyCharacter, runs } from '#properties';
import { sha256Hex } from '#kernel/ids.ts';
import { signCheckpoint } from '#protocol/checkpoint.ts';
import { ed25519Cosigner, mlDsa44Cosigner } from '#protocol/cosignature.ts';
import { ed25519PrivateKeyFromSeed } from '#protocol/ed25519.ts';
import { mlDsa44PrivateKeyFromSeed } from '#protocol/ml-dsa.ts';
import { formatNote, formatSignatureLine, parseNote } from '#protocol/note.ts';
import { parseAddCheckpoint } from '#protocol/witness-request.ts';
import { GrowingLog, ORIGIN, WITNESS } from '#witness/_growing-log.ts';
import { askWitness, latestKnown, type WitnessOutcome, type WitnessReply } from './witness-client.ts';
import { getFromWitness, postToWitness } from './witness-http.ts';

const NOW = 1_790_000_000;
const HUNG_MS = 60_000;
const SIZE = 20;
const log = new GrowingLog();
const cosigner = ed25519Cosigner(WITNESS, ed25519PrivateKeyFromSeed(new Uint8Array(32).fill(7)));
const stranger = ed25519Cosigner('other.example', ed25519PrivateKeyFromSeed(new Uint8Array(32).fill(8)));
const target = { name: 'w1', key: cosigner.key, url: 'https://witness.example/' };
const ownLog = { origin: ORIGIN, keys: [log.signer.key] };
const checkpoint = log.checkpoint(SIZE);
const { text } = parseNote(checkpoint);
const line = (by = cosigner, time = NOW, of = text) => formatSignatureLine(by.cosign(of, time));
const cosigned = (body: string): WitnessReply => ({ status: 200, contentType: 'text/plain', body });
const conflict = (body: string, contentType = 'text/x.tlog.size'): WitnessReply => ({ status: 409, contentType, body });

/** Asks a witness that gives these answers one after the other, and tells what it was sent. */
async function ask(replies: readonly (WitnessReply | Error)[], rememberedSize = 5) {
  const sent: { url: string; oldSize: bigint; proof: number }[] = [];
  const outcome = await askWitness({
    target,
    checkpoint,
    size: SIZE,
    rememberedSize,
    consistencyProof: (first, second) => log.consistencyProof(first, second),
    nowSeconds: NOW,
    post: async (url, body) => {
      const { oldSize, proof } = parseAddCheckpoint(body);
      sent.push({ url, oldSize, proof: proof.length });
      const reply = replies[sent.length - 1];
      assert.ok(reply !== undefined, 'asked once too often');
      if (reply instanceof Error) throw reply;
      return reply;
    },
  });
  assert.equal(sent.length, replies.length);
  return { outcome, sent };
}

suite('asking a witness', () => {
  test('starts from the size remembered and keeps the cosignature with its time', async () => {
    const { outcome, sent } = await ask([cosigned(line())]);
    const proof = log.consistencyProof(5, SIZE).length;
    assert.deepEqual(sent, [{ url: 'https://witness.example/add-checkpoint', oldSize: 5n, proof }]);
    const signature = { ...cosigner.cosign(text, NOW) };
    assert.deepEqual(outcome, { outcome: 'cosigned', signature, timeSeconds: BigInt(NOW), size: SIZE });
  });

  for (const known of [0, 3, 19, SIZE]) {
    test(`asks once more from the size ${known} that a conflict names`, async () => {
      const { outcome, sent } = await ask([conflict(`${known}\n`), cosigned(line())]);
      assert.deepEqual([outcome.outcome, sent[1]?.oldSize], ['cosigned', BigInt(known)]);
      assert.equal(sent[1]?.proof, log.consistencyProof(known, SIZE).length);
    });
  }

  test('a size beyond our own is reported, from the first answer and from the second', async () => {
    const expected = { outcome: 'behind', detail: 'the witness says that it has cosigned size 21', knownSize: 21 };
    assert.deepEqual((await ask([conflict('21\n')])).outcome, expected);
    assert.deepEqual((await ask([conflict('3\n'), conflict('21\n')])).outcome, expected);
  });

  test('a remembered size beyond our own is put to the witness as our own size', async () => {
    const { outcome, sent } = await ask([conflict('30\n')], 30);
    assert.deepEqual([sent[0]?.oldSize, sent[0]?.proof, outcome.outcome], [BigInt(SIZE), 0, 'behind']);
    assert.equal((await ask([cosigned(line())], 30)).outcome.outcome, 'cosigned');
  });

  test('a second conflict ends it', async () => {
    const { outcome } = await ask([conflict('3\n'), conflict('4\n')]);
    assert.ok(outcome.outcome === 'refused');
    assert.equal(outcome.knownSize, 4);
  });

  test('lines of unknown keys are passed over', async () => {
    const namesake = ed25519Cosigner(WITNESS, ed25519PrivateKeyFromSeed(new Uint8Array(32).fill(9)));
    const { outcome } = await ask([cosigned(line(stranger) + line(namesake) + line())]);
    assert.ok(outcome.outcome === 'cosigned');
    assert.equal(outcome.signature.keyId, cosigner.key.keyId);
  });

  test('a time up to 60 seconds ahead is good, and of several lines the first good one is kept', async () => {
    assert.equal((await ask([cosigned(line(cosigner, NOW + 60))])).outcome.outcome, 'cosigned');
    const { outcome } = await ask([cosigned(line(cosigner, NOW + 61) + line(cosigner, NOW - 5))]);
    assert.ok(outcome.outcome === 'cosigned');
    assert.deepEqual(outcome.signature, cosigner.cosign(text, NOW - 5));
    assert.equal(outcome.timeSeconds, BigInt(NOW - 5));
  });

  const flipped = line().replace(/(.{20})(.)$/m, (_, kept, last) => `${kept}${last === 'A' ? 'B' : 'A'}`);
  const damaged = line().replace(/ (\S{20})(\S)/, (_, kept, next) => ` ${kept}${next === 'A' ? 'B' : 'A'}`);
  const other = parseNote(log.checkpoint(SIZE + 1)).text;
  const answers: readonly (readonly [string, WitnessReply | Error, WitnessOutcome['outcome']])[] = [
    ['a cosignature of another checkpoint', cosigned(line(cosigner, NOW, other)), 'bad_answer'],
    ['a damaged cosignature', cosigned(damaged), 'bad_answer'],
    ['a damaged line', cosigned(flipped), 'bad_answer'],
    ['a damaged line after a good one of another key', cosigned(line(stranger) + damaged), 'bad_answer'],
    ['a damaged cosignature before a good one', cosigned(damaged + line()), 'bad_answer'],
    ['only lines of others', cosigned(line(stranger)), 'bad_answer'],
    ['a time 61 seconds ahead', cosigned(line(cosigner, NOW + 61)), 'bad_answer'],
    ['an empty 200', cosigned(''), 'bad_answer'],
    ['HTML', cosigned('<html>welcome</html>\n'), 'bad_answer'],
    ['more bytes than the bound', cosigned(line().repeat(1000)), 'bad_answer'],
    ['a redirect', { status: 302, contentType: null, body: '' }, 'bad_answer'],
    ['201', { ...cosigned(line()), status: 201 }, 'bad_answer'],
    ['a conflict of the wrong type', conflict('3\n', 'text/plain'), 'bad_answer'],
    ['a conflict without a size', conflict('x\n'), 'bad_answer'],
    ['a conflict without a newline', conflict('3'), 'bad_answer'],
    ['a conflict with a size beyond all numbers', conflict('9223372036854775807\n'), 'bad_answer'],
    ['a conflict with the size that was sent', conflict('5\n'), 'bad_answer'],
    ['404', { status: 404, contentType: 'text/plain', body: 'who?\n' }, 'refused'],
    ['422', { status: 422, contentType: 'text/plain', body: 'no\n' }, 'refused'],
    ['503', { status: 503, contentType: 'text/plain', body: 'later\n' }, 'unreachable'],
    ['429', { status: 429, contentType: null, body: '' }, 'unreachable'],
    ['no connection', new TypeError('fetch failed', { cause: new Error('ECONNREFUSED') }), 'unreachable'],
  ];
  for (const [what, reply, expected] of answers) {
    test(`${what}: ${expected}`, async () => {
      const { outcome } = await ask([reply]);
      assert.equal(outcome.outcome, expected);
      assert.ok('detail' in outcome && outcome.detail.length > 3 && outcome.detail.length < 260);
    });
  }

  test('what a witness says is shown without anything unseen', async () => {
    const { outcome } = await ask([{ status: 403, contentType: null, body: 'no\u001b[2J\u202e\n way' }]);
    assert.deepEqual(outcome, { outcome: 'refused', detail: 'status 403: no[2J way' });
  });

  test('a cosigner of the other type is verified in its own way', async () => {
    const mlDsa = mlDsa44Cosigner(WITNESS, mlDsa44PrivateKeyFromSeed(new Uint8Array(32).fill(7)));
    const outcome = await askWitness({
      target: { ...target, key: mlDsa.key },
      checkpoint,
      size: SIZE,
      rememberedSize: 0,
      consistencyProof: () => [],
      nowSeconds: NOW,
      post: async () => cosigned(line(mlDsa)),
    });
    assert.equal(outcome.outcome, 'cosigned');
  });

  test('no answer whatever makes it throw or take a cosignature that is none', async () => {
    const reply = fc.record({
      status: fc.constantFrom(200, 409, 400, 404, 500, 302),
      contentType: fc.constantFrom(null, 'text/x.tlog.size', 'text/plain'),
      body: fc.oneof(
        fc.string(),
        fc.constantFrom('7\n', '25\n', line(stranger), damaged),
        fc.string({ unit: anyCharacter }),
      ),
    });
    const one = fc.asyncProperty(reply, reply, async (first, second) => {
      let asked = 0;
      const outcome = await askWitness({
        target,
        checkpoint,
        size: SIZE,
        rememberedSize: 5,
        consistencyProof: (from, to) => log.consistencyProof(from, to),
        nowSeconds: NOW,
        post: async () => [first, second][asked++] as WitnessReply,
      });
      assert.notEqual(outcome.outcome, 'cosigned');
      assert.ok(asked <= 2);
    });
    await fc.assert(one, { numRuns: runs(300) });
  });
});

suite('the latest size that a witness shows', () => {
  const shown = (note: string, status = 200) => {
    const urls: string[] = [];
    const get = async (url: string) => {
      urls.push(url);
      return { status, contentType: 'text/plain', body: note };
    };
    return { urls, latest: latestKnown(target, ownLog, get) };
  };
  const noted = (time: number, by = cosigner) =>
    formatNote({ text, signatures: [...parseNote(log.checkpoint(SIZE)).signatures, by.cosign(text, time)] });

  test('is asked for at the hash of the origin and believed with the signature of the witness, of any time', async () => {
    const { urls, latest } = shown(noted(NOW));
    const rootHex = Buffer.from(text.split('\n')[2] ?? '', 'base64').toString('hex');
    assert.deepEqual(await latest, { known: SIZE, rootHex, isSigned: true });
    assert.deepEqual(urls, [`https://witness.example/${sha256Hex(ORIGIN)}/checkpoint`]);
    assert.deepEqual(await shown(noted(2 ** 40)).latest, { known: SIZE, rootHex, isSigned: true });
    const alone = formatNote({ text, signatures: [cosigner.cosign(text, NOW)] });
    assert.deepEqual(await shown(alone).latest, { known: SIZE, rootHex, isSigned: false });
  });

  test('is never where the witness has none, and unknown where it cannot be believed', async () => {
    const foreign = signCheckpoint({ origin: 'other.example', size: 9, root: Buffer.alloc(32) }, [log.signer]);
    const foreignText = parseNote(foreign).text;
    const forged = { ...cosigner.cosign(text, NOW), signature: Buffer.alloc(72, 1) };
    assert.equal(await shown('', 404).latest, 'never');
    for (const note of [
      log.checkpoint(SIZE),
      noted(NOW, stranger),
      formatNote({ text, signatures: [forged] }),
      formatNote({ text: foreignText, signatures: [cosigner.cosign(foreignText, NOW)] }),
      'rubbish',
      '',
      noted(NOW) + line(stranger).repeat(800),
    ])
      assert.equal(await shown(note).latest, 'unreachable', note.slice(0, 100));
    assert.equal(await shown(noted(NOW), 500).latest, 'unreachable');
    assert.equal(await latestKnown(target, ownLog, () => Promise.reject(new Error('no'))), 'unreachable');
  });
});

suite('over HTTP', () => {
  async function against<T>(listener: RequestListener, run: (url: string) => Promise<T>): Promise<T> {
    const server = createServer(listener).listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      return await run(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  }
  const request = (url: string) => ({
    target: { ...target, url },
    checkpoint,
    size: SIZE,
    rememberedSize: 5,
    consistencyProof: (first: number, second: number) => log.consistencyProof(first, second),
    nowSeconds: NOW,
    post: (to: string, body: string) => postToWitness(to, body, HUNG_MS),
  });

  test('an endless answer is cut off and called bad', async () => {
    const endless: RequestListener = (_, response) => {
      const more = () => void (response.write('x'.repeat(10_000)) ? setImmediate(more) : response.once('drain', more));
      more();
    };
    const outcome = await against(endless, (url) => askWitness(request(url)));
    assert.equal(outcome.outcome, 'bad_answer');
  });

  test('a redirect is not followed', async () => {
    let hits = 0;
    const redirecting: RequestListener = (_, response) => {
      hits += 1;
      response.writeHead(307, { location: '/elsewhere' }).end();
    };
    const outcome = await against(redirecting, (url) => askWitness(request(url)));
    assert.deepEqual([outcome.outcome, hits], ['bad_answer', 1]);
    const latest = await against(redirecting, (url) =>
      latestKnown({ ...target, url }, ownLog, (from) => getFromWitness(from, HUNG_MS)),
    );
    assert.equal(latest, 'unreachable');
  });

  test('rubbish, a broken answer and nobody at all are told apart', async () => {
    const rubbish = await against(
      (_, response) => void response.end('<!doctype html>'),
      (url) => askWitness(request(url)),
    );
    assert.equal(rubbish.outcome, 'bad_answer');
    const broken: RequestListener = (_, response) => {
      response.writeHead(200, { 'content-length': '500' }).write('x');
      setImmediate(() => response.destroy());
    };
    assert.equal((await against(broken, (url) => askWitness(request(url)))).outcome, 'unreachable');
    assert.equal((await askWitness(request('http://127.0.0.1:1'))).outcome, 'unreachable');
    assert.equal((await askWitness(request('no address'))).outcome, 'unreachable');
  });
});
