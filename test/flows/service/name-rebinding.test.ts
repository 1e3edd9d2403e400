// Names whose server says one thing to whoever judges and another to whoever connects, asked over UDP by a real resolver.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { startTlsServer, startWatchedPort } from '#platform/outbound/_loopback.ts';
import { GuardedClient, type GuardedClientOptions } from '#platform/outbound/guarded-client.ts';
import { isPublicAddress } from '#platform/outbound/public-address.ts';
import { buyer } from '../../support/capabilities.ts';
import { startNameServer } from '../../support/name-server.ts';
import { TestService } from '../../support/service.ts';

/** Says only that it hung. */
const HUNG_MS = 60_000;
/** Where the server that these tests take for a public one listens, beside all that is public indeed. */
const OPEN = '127.0.0.2';
const INNER = '127.0.0.1';
const isPublic = (address: string) => address === OPEN || isPublicAddress(address);
const NOT_PUBLIC = { state: 'blocked', reason: 'address_not_public' };

function clientOf(testing: GuardedClientOptions['testing']): GuardedClient {
  return new GuardedClient({ userAgent: 'test', monotonicMs: () => 0, testing: { timeoutMs: HUNG_MS, ...testing } });
}

/** Listens at every address of the machine: one of them is taken for public, and nobody may reach the others. */
async function startBoth(stack: AsyncDisposableStack, name: string, location?: string) {
  const { port, ca, reachedAt } = stack.use(
    await startTlsServer(
      name,
      (_request, response) => {
        if (location === undefined) response.end('public');
        else response.writeHead(302, { location }).end();
      },
      '0.0.0.0',
    ),
  );
  const count = (isOpen: boolean) => reachedAt.filter((address) => (address === OPEN) === isOpen).length;
  return { testing: { port, ca, isPublic }, reached: () => ({ open: count(true), inner: count(false) }) };
}

suite('a name that is bound anew', () => {
  test('with every answer is resolved once for each request, and the address that was judged is the one connected to', async () => {
    await using stack = new AsyncDisposableStack();
    const { testing, reached } = await startBoth(stack, 'turning.example.nl');
    // What whoever resolves a second time would be told is always the other one.
    const names = stack.use(await startNameServer((_name, nth) => [nth % 2 === 1 ? OPEN : INNER]));
    const guarded = clientOf({ ...testing, nameServers: [names.address] });
    for (let round = 0; round < 10; round += 1) {
      const answer = await guarded.get('https://turning.example.nl/');
      if (round % 2 === 1) assert.deepEqual(answer, NOT_PUBLIC);
      else assert.equal(answer.state === 'answered' && answer.body.toString(), 'public');
      assert.equal(names.questions.length, 2 * (round + 1), 'one question for each kind of address');
    }
    assert.deepEqual(reached(), { open: 5, inner: 0 });
  });

  test('while many ask for it at once leads none of them inside', async () => {
    await using stack = new AsyncDisposableStack();
    const { testing, reached } = await startBoth(stack, 'crowd.example.nl');
    const names = stack.use(await startNameServer((_name, nth) => [nth % 2 === 1 ? OPEN : INNER]));
    const guarded = clientOf({ ...testing, nameServers: [names.address] });
    const answers = await Promise.all(Array.from({ length: 40 }, () => guarded.get('https://crowd.example.nl/')));
    const blocked = answers.filter(({ state }) => state === 'blocked').length;
    const answered = answers.filter(({ state }) => state === 'answered').length;
    assert.deepEqual([blocked, answered], [20, 20]);
    assert.deepEqual(reached(), { open: 20, inner: 0 });
    assert.equal(names.questions.length, 80);
  });

  test('by a second packet to the same question keeps the address of the first', async () => {
    await using stack = new AsyncDisposableStack();
    const { testing, reached } = await startBoth(stack, 'raced.example.nl');
    const both = (name: string) => (name.startsWith('raced') ? [[OPEN], [INNER]] : [[INNER], [OPEN]]);
    const names = stack.use(await startNameServer((name) => ({ packets: both(name) })));
    const guarded = clientOf({ ...testing, nameServers: [names.address] });
    assert.equal((await guarded.get('https://raced.example.nl/')).state, 'answered');
    assert.deepEqual(await guarded.get('https://other.example.nl/'), NOT_PUBLIC);
    assert.deepEqual(reached(), { open: 1, inner: 0 });
  });

  test('and led to by a redirect is told as the redirect that it is: nothing is asked for it', async () => {
    await using stack = new AsyncDisposableStack();
    const { testing, reached } = await startBoth(stack, 'moved.example.nl', 'https://inner.example.nl/');
    const names = stack.use(await startNameServer((name) => [name.startsWith('moved') ? OPEN : INNER]));
    const answer = await clientOf({ ...testing, nameServers: [names.address] }).get('https://moved.example.nl/');
    assert.equal(answer.state === 'answered' && answer.status, 302);
    assert.deepEqual(reached(), { open: 1, inner: 0 });
    assert.deepEqual(names.questions.toSorted(), ['moved.example.nl A', 'moved.example.nl AAAA']);
  });

  test('is judged anew by every call of the service that goes out to an address of its caller', async () => {
    await using stack = new AsyncDisposableStack();
    const { testing, reached } = await startBoth(stack, 'shop.example.nl');
    const names = stack.use(await startNameServer((_name, nth) => [nth % 2 === 1 ? OPEN : INNER]));
    const probing = { ...testing, nameServers: [names.address], timeoutMs: HUNG_MS };
    const service = stack.use(await TestService.start({ probing }));
    const agent = await buyer(service);
    const fetched = async () => {
      const body = { input: { url: 'https://shop.example.nl/', seal: false } };
      return (await agent.execute('web.fetch_seal', body)).text;
    };
    const looked = async () => (await service.call('/v1/look?key=https://shop.example.nl/&probe=yes')).text;
    assert.match(await fetched(), /"text":"public"/);
    assert.match(await fetched(), /address_not_public/);
    assert.match(await looked(), /"state":"answered"/);
    assert.match(await fetched(), /address_not_public/);
    assert.deepEqual(reached(), { open: 2, inner: 0 });
    assert.equal(names.questions.length, 8);
  });
});

/** What the server of a name may say; each has an address among them that is not public. */
const HOSTILE: Readonly<Record<string, readonly string[]>> = {
  'an alias of an inner name': ['CNAME metadata.google.internal', '169.254.169.254'],
  'aliases one after the other': ['CNAME cdn.example.com', 'CNAME a.b.example.com', 'CNAME db.corp', '10.1.2.3'],
  'an alias of the machine itself': ['CNAME localhost', INNER, '::1'],
  'a public address beside an inner one': ['93.184.216.34', INNER],
  'an inner address beside a public one': [INNER, '93.184.216.34'],
  'public by one kind and inner by the other': ['93.184.216.34', '::1'],
  'inner by one kind and public by the other': [INNER, '2606:4700::1111'],
  'a mapped loopback address': ['::ffff:127.0.0.1'],
  'a mapped metadata address beside a public one': ['::ffff:169.254.169.254', '2606:4700::1111'],
  'a translated loopback address': ['64:ff9b::7f00:1'],
  'a loopback address of a tunnel': ['2002:7f00:1::'],
  'an address of any interface': ['0.0.0.0', '::'],
  'fourteen public addresses and an inner one': [...Array.from({ length: 14 }, (_, n) => `93.184.216.${n + 1}`), INNER],
};

suite('a name server that answers', () => {
  for (const [what, records] of Object.entries(HOSTILE)) {
    test(`${what} opens no connection`, async () => {
      await using watched = await startWatchedPort();
      await using names = await startNameServer(() => records);
      const guarded = clientOf({ port: watched.port, nameServers: [names.address] });
      for (const url of ['https://hostile.example.nl/', 'https://HOSTILE.example.nl./']) {
        assert.deepEqual(await guarded.get(url), NOT_PUBLIC, url);
      }
      assert.equal(names.questions.length, 4);
      assert.equal(watched.count(), 0);
    });
  }

  test('an alias without any address is a name without one', async () => {
    await using watched = await startWatchedPort();
    await using names = await startNameServer(() => ['CNAME localhost']);
    const guarded = clientOf({ port: watched.port, nameServers: [names.address] });
    assert.deepEqual(await guarded.get('https://hollow.example.nl/'), { state: 'failed', reason: 'no_address' });
    assert.equal(watched.count(), 0);
  });
});
