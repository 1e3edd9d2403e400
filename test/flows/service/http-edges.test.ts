import assert from 'node:assert/strict';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { temporaryDirectory } from '../../support/temporary.ts';
import { TestService } from '../../support/service.ts';
import { exchangeAhead, exchangeOnce, type RawAnswer } from '../../support/raw-http.ts';
import { registeredAgent } from '../../support/wallet.ts';

const HOST = 'Host: avouch.example\r\n';
const JSON_TYPE = 'Content-Type: application/json\r\n';

let service: TestService;
before(async () => (service = await TestService.start()));
after(() => service[Symbol.asyncDispose]());

/** Sends the bytes on a connection of their own and expects exactly one answer. */
async function send(
  bytes: string | Uint8Array,
  isHead = false,
): Promise<RawAnswer & { json: Record<string, unknown> }> {
  const answers = await exchangeOnce(service.url, bytes, isHead);
  assert.equal(answers.length, 1, JSON.stringify(answers));
  const [answer] = answers as [RawAnswer];
  const isJson = answer.headers['content-type']?.endsWith('json') === true && answer.text !== '';
  return { ...answer, json: isJson ? (JSON.parse(answer.text) as Record<string, unknown>) : {} };
}

const get = (path: string, headers = '') => send(`GET ${path} HTTP/1.1\r\n${HOST}${headers}\r\n`);

function post(path: string, body: string | Uint8Array, headers = JSON_TYPE) {
  const bytes = Buffer.from(body as string);
  const head = `POST ${path} HTTP/1.1\r\n${HOST}${headers}Content-Length: ${bytes.length}\r\n\r\n`;
  return send(Buffer.concat([Buffer.from(head), bytes]));
}

function assertProblem(
  answer: RawAnswer & { json: Record<string, unknown> },
  status: number,
  code: string,
  instance?: string,
) {
  assert.deepEqual([answer.status, answer.json['code']], [status, code], answer.text);
  assert.equal(answer.headers['content-type'], 'application/problem+json');
  assert.equal(answer.json['status'], status);
  assert.equal(answer.json['type'], `${service.url}/problems/${code}`);
  if (instance !== undefined) assert.equal(answer.json['instance'], instance);
}

/** Each grant is one revision, so the number of stored changes can be read off two grants. */
let grants = 0;
async function revision(): Promise<number> {
  grants += 1;
  const { status, json } = await get(`/v1/claim?key=revision-${grants}&agent=counter`);
  assert.equal(status, 200);
  return json['rev'] as number;
}

async function assertNothingStored(act: () => Promise<unknown>): Promise<void> {
  const earlier = await revision();
  await act();
  assert.equal(await revision(), earlier + 1);
}

for (const path of [
  '/v1',
  '/v1/claim/',
  '//v1/claim',
  '/V1/CLAIM',
  '/v1/claim/x',
  '/v1%2Fclaim',
  '/x/../v1/claim',
  '/.git/config',
  '//',
  `/${'/'.repeat(60_000)}`,
  `/${'log'.repeat(20_000)}`,
  '*',
]) {
  test(`${path.slice(0, 40)} is not found, and its query is not part of the instance`, async () => {
    assertProblem(await get(`${path}?key=k&agent=a7`), 404, 'not_found', path);
    const page = await get(`${path}?key=k&agent=a7`, 'Accept: text/html\r\n');
    assert.deepEqual([page.status, page.headers['content-type']], [404, 'text/html; charset=utf-8']);
  });
}

test('an unknown path is not found whatever its method and body', async () => {
  assertProblem(await post('/nothing', 'x', 'Content-Type: text/plain\r\n'), 404, 'not_found');
  assertProblem(await post('/nothing', 'x'.repeat(70_000)), 404, 'not_found');
  assertProblem(await post('/nothing', '{'), 404, 'not_found');
});

for (const method of ['PUT', 'DELETE', 'PATCH', 'TRACE', 'PROPFIND', 'QUERY']) {
  test(`${method} on a path that has other methods is 405 with Allow, also with a body that nobody could read`, async () => {
    await assertNothingStored(async () => {
      const answer = await send(`${method} /v1/claim?key=k&agent=a7 HTTP/1.1\r\n${HOST}Content-Length: 2\r\n\r\nxx`);
      assertProblem(answer, 405, 'method_not_allowed', '/v1/claim');
      assert.equal(answer.headers['allow'], 'GET, OPTIONS, POST');
    });
  });
}

test('POST on a path that only reads is 405 and its Allow names HEAD', async () => {
  const answer = await post('/api/v1/health', '{}');
  assertProblem(answer, 405, 'method_not_allowed');
  assert.equal(answer.headers['allow'], 'GET, HEAD, OPTIONS');
});

test('HEAD on a call that changes state is 405 and stores nothing', async () => {
  await assertNothingStored(async () => {
    for (const path of STATE_CHANGING) {
      const answer = await send(`HEAD ${path} HTTP/1.1\r\n${HOST}\r\n`, true);
      assert.deepEqual([answer.status, answer.headers['allow']], [405, 'GET, OPTIONS, POST']);
    }
  });
});

test('HEAD on a document has the headers of GET and no body', async () => {
  const full = await get('/problems/held');
  const head = await send(`HEAD /problems/held HTTP/1.1\r\n${HOST}\r\n`, true);
  assert.equal(head.status, 200);
  for (const name of ['etag', 'content-length', 'content-type', 'cache-control', 'vary']) {
    assert.ok(head.headers[name], name);
    assert.equal(head.headers[name], full.headers[name], name);
  }
});

const UNWANTED: readonly (readonly [headers: string, code: string])[] = [
  ['Sec-Purpose: prefetch\r\n', 'prefetch'],
  ['Sec-Purpose: prefetch;prerender\r\n', 'prefetch'],
  ['Purpose: prefetch\r\n', 'prefetch'],
  ['Purpose: Preview\r\n', 'prefetch'],
  ['X-Purpose: preview\r\n', 'prefetch'],
  ['X-Moz: prefetch\r\n', 'prefetch'],
  ['User-Agent: Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)\r\n', 'prefetch'],
  ['User-Agent: Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)\r\n', 'prefetch'],
  ['User-Agent: TelegramBot (like TwitterBot)\r\n', 'prefetch'],
  ['User-Agent: WhatsApp/2.23.20.0\r\n', 'prefetch'],
  ['Sec-Fetch-Site: cross-site\r\n', 'cross_site_request'],
  ['Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: no-cors\r\nSec-Fetch-Dest: image\r\n', 'cross_site_request'],
  ['Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: cors\r\nSec-Fetch-Dest: empty\r\n', 'cross_site_request'],
  ['Sec-Fetch-Site: cross-site\r\nSec-Purpose: prefetch\r\n', 'prefetch'],
];
const STATE_CHANGING = [
  '/v1/claim?key=unwanted&agent=a7',
  '/v1/mark?key=unwanted&agent=a7&kind=dead',
  '/v1/release?lease=L000000000000&token=a-secret-that-the-caller-made&outcome=done',
];
for (const [headers, code] of UNWANTED) {
  test(`a GET that changes state is refused with ${JSON.stringify(headers)} and stores nothing`, async () => {
    await assertNothingStored(async () => {
      for (const path of STATE_CHANGING) assertProblem(await get(path, headers), 403, code);
      assertProblem(await get('/v1/%63laim?key=unwanted&agent=a7', headers), 403, code);
      assertProblem(await get('http://avouch.example/v1/claim?key=unwanted&agent=a7', headers), 403, code);
    });
  });
}

for (const site of ['same-origin', 'same-site', 'none']) {
  test(`a GET that changes state is served with Sec-Fetch-Site: ${site}`, async () => {
    const { status } = await get(`/v1/claim?key=site-${site}&agent=a7`, `Sec-Fetch-Site: ${site}\r\n`);
    assert.equal(status, 200);
  });
}

test('a POST from another site is served, because browsers ask before they send it', async () => {
  const { status } = await post(
    '/v1/claim',
    '{"key":"cors","agent":"a7"}',
    `${JSON_TYPE}Sec-Fetch-Site: cross-site\r\n`,
  );
  assert.equal(status, 200);
});

test('a preflight is told the methods and headers that a page of any site may use', async () => {
  const asked =
    'Origin: https://other.example\r\nAccess-Control-Request-Method: POST\r\nAccess-Control-Request-Headers: content-type\r\n';
  const { status, headers, text } = await send(`OPTIONS /v1/claim HTTP/1.1\r\n${HOST}${asked}\r\n`);
  assert.deepEqual([status, text], [204, '']);
  assert.equal(headers['access-control-allow-origin'], '*');
  assert.equal(headers['access-control-allow-methods'], 'GET, OPTIONS, POST');
  assert.match(headers['access-control-allow-headers'] ?? '', /content-type.*x-crossing-token/);
  const answer = await get('/v1/claim?key=preflight&agent=a7', 'Origin: https://other.example\r\n');
  assert.equal(answer.headers['access-control-allow-origin'], '*');
  assert.match(answer.headers['access-control-expose-headers'] ?? '', /RateLimit.*Retry-After.*X-Request-Id/);
});

test('a body of 65,536 bytes is read and one byte more is 413, by length and by chunks', async () => {
  const body = (length: number) => '{"key":"large","agent":"a7"}'.padEnd(length);
  assert.equal((await post('/v1/claim', body(65_536))).status, 200);
  assertProblem(await post('/v1/claim', body(65_537)), 413, 'body_too_large', '/v1/claim');
  const head = `POST /v1/claim HTTP/1.1\r\n${HOST}${JSON_TYPE}Transfer-Encoding: chunked\r\n\r\n`;
  const chunked = (length: number) => send(`${head}${length.toString(16)}\r\n${body(length)}\r\n0\r\n\r\n`);
  assertProblem(await chunked(65_537), 413, 'body_too_large');
  assertProblem(await chunked(65_536), 409, 'already_yours');
});

for (const type of [
  'text/plain',
  'application/x-www-form-urlencoded',
  'application/jsonx',
  'application/problem+json',
  ';;;',
  '',
]) {
  test(`a body of the type ${JSON.stringify(type)} is 415`, async () => {
    const answer = await post('/v1/claim', '{"key":"type","agent":"a7"}', `Content-Type: ${type}\r\n`);
    assertProblem(answer, 415, 'unsupported_media_type');
  });
}

test('a body without a type is 415, and no body at all is 400', async () => {
  assertProblem(await post('/v1/claim', '{}', ''), 415, 'unsupported_media_type');
  assertProblem(await post('/v1/claim', '', ''), 400, 'invalid_parameters');
});

test('the type of a body may be written in any case and with a charset', async () => {
  for (const type of ['APPLICATION/JSON', 'application/json; charset=utf-8', 'application/json ;charset=UTF-8']) {
    const answer = await post('/v1/claim', '{"key":1}', `Content-Type: ${type}\r\n`);
    assertProblem(answer, 400, 'invalid_parameters');
  }
});

for (const origin of ['https://elsewhere.example', 'null', 'https://avouch.example.evil.example', 'nonsense']) {
  test(`a browser that says only its origin, ${origin}, changes no state by a GET`, async () => {
    await assertNothingStored(async () => {
      const answer = await get('/v1/claim?key=foreign&agent=a7', `Origin: ${origin}\r\n`);
      assertProblem(answer, 403, 'cross_site_request', '/v1/claim');
    });
  });
}

test('pages of this installation change state, by whatever name and port it is reached', async () => {
  for (const [number, origin] of ['https://avouch.example', 'http://avouch.example:80', service.url].entries()) {
    const answer = await get(`/v1/claim?key=own-${number}&agent=a7`, `Origin: ${origin}\r\n`);
    assert.equal(answer.status, 200, `${origin} ${answer.text}`);
  }
});

for (const [what, header] of [
  ['a content coding', 'Content-Encoding: gzip\r\n'],
  ['several content codings', 'Content-Encoding: identity, br\r\n'],
  ['another charset', 'Content-Type: application/json; charset=utf-16\r\n'],
  ['another charset in quotes', 'Content-Type: application/json;charset="ISO-8859-1"\r\n'],
] as const) {
  test(`a body with ${what} is 415, and is not taken for plain JSON`, async () => {
    const type = header.startsWith('Content-Type') ? '' : JSON_TYPE;
    await assertNothingStored(async () => {
      const answer = await post('/v1/claim', '{"key":"coded","agent":"a7"}', `${type}${header}`);
      assertProblem(answer, 415, 'unsupported_coding', '/v1/claim');
    });
  });
}

test('a plain body may say that it has no coding, and that it is ASCII', async () => {
  const headers = 'Content-Type: application/json;charset=us-ascii\r\nContent-Encoding: Identity\r\n';
  assert.equal((await post('/v1/claim', '{"key":"plain","agent":"a7"}', headers)).status, 200);
});

test('a key that is missing is named before the coding of a body', async () => {
  const answer = await post('/capabilities/execute', '{}', `${JSON_TYPE}Content-Encoding: gzip\r\n`);
  assertProblem(answer, 401, 'key_missing');
});

test('a transfer coding beside chunked is 501, and nothing of the request is run', async () => {
  const head = `POST /v1/claim HTTP/1.1\r\n${HOST}${JSON_TYPE}Transfer-Encoding: gzip, chunked\r\n\r\n`;
  const body = '{"key":"squeezed","agent":"a7"}';
  await assertNothingStored(async () => {
    const answer = await send(`${head}${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`);
    assertProblem(answer, 501, 'not_implemented', '/v1/claim');
  });
});

test('CONNECT is answered 501: the service is no proxy', async () => {
  assertProblem(
    await send('CONNECT example.org:443 HTTP/1.1\r\nHost: example.org:443\r\n\r\n'),
    501,
    'not_implemented',
  );
});

const MALFORMED = ['', '{', '{"key":"a",}', "{'key':'a'}", '{}{}', 'undefined', '\u0000', '['.repeat(19_000)];
for (const body of MALFORMED) {
  test(`the body ${JSON.stringify(body.slice(0, 20))} is malformed JSON`, async () => {
    assertProblem(await post('/v1/claim', body), 400, 'malformed_json', '/v1/claim');
  });
}

test('invalid UTF-8 in a body is refused and not replaced', async () => {
  for (const bytes of ['\xff', '\xc0\x80', '\xed\xa0\x80', '\xf4\x90\x80\x80', '\xe2\x82']) {
    const body = Buffer.from(`{"key":"a${bytes}","agent":"a7"}`, 'latin1');
    assertProblem(await post('/v1/claim', body), 400, 'malformed_json');
  }
});

test('a JSON body that is no object is refused as such', async () => {
  for (const body of ['null', '[]', '"x"', '1', 'true']) {
    const answer = await post('/v1/claim', body);
    assertProblem(answer, 400, 'invalid_parameters');
    assert.deepEqual(answer.json['errors'], [
      { pointer: '#', code: 'wrong_type', detail: 'The body must be a JSON object.' },
    ]);
  }
});

test('a POST with parameters in its address is refused, so that no value is read from two places', async () => {
  const answer = await post('/v1/claim?ttl=60', '{"key":"two","agent":"a7"}');
  assertProblem(answer, 400, 'invalid_parameters');
  assert.equal((answer.json['errors'] as { code: string }[])[0]?.code, 'query_beside_body');
});

test('one token in the header and another in the query are refused as repeated', async () => {
  const token = 't'.repeat(30);
  const answer = await get(`/v1/claim?key=token&agent=a7&token=${token}`, `X-Crossing-Token: ${token}2\r\n`);
  assertProblem(answer, 400, 'invalid_parameters');
  const [fault] = answer.json['errors'] as { pointer: string; code: string }[];
  assert.deepEqual([fault?.pointer, fault?.code], ['#/token', 'repeated']);
});

test('members named __proto__ and constructor are no parameters, in the query and in the body', async () => {
  const faultsOf = (answer: Awaited<ReturnType<typeof get>>) => {
    assertProblem(answer, 400, 'invalid_parameters');
    return (answer.json['errors'] as { pointer: string; code: string }[]).map((one) => `${one.pointer} ${one.code}`);
  };
  const inBody = await post('/v1/claim', '{"key":"p","agent":"a7","__proto__":{"mode":"once"}}');
  assert.deepEqual(faultsOf(inBody), ['#/__proto__ forbidden_name']);
  const unknown = await post('/v1/claim', '{"key":"p","agent":"a7","constructor":1}');
  assert.deepEqual(faultsOf(unknown), ['#/constructor unknown_parameter']);
  const inQuery = await get('/v1/claim?key=p&agent=a7&__proto__=1&constructor=1');
  assert.deepEqual(faultsOf(inQuery), ['#/__proto__ unknown_parameter', '#/constructor unknown_parameter']);
});

test('a malformed escape in the query or the path is a malformed request', async () => {
  for (const query of ['%', '%zz', '%ED%A0%80', '%C0%80', 'key=%FF']) {
    assertProblem(await get(`/v1/claim?${query}`), 400, 'malformed_request', '/v1/claim');
  }
  for (const part of ['%', '%zz', '%ED%A0%80']) assertProblem(await get(`/problems/${part}`), 400, 'malformed_request');
});

for (const [part, bytes] of [
  ['head', `GET /v1/claim?key=late&agent=a7 HTTP/1.1\r\n${HOST}X-Slow: `],
  ['body', `POST /v1/claim HTTP/1.1\r\n${HOST}${JSON_TYPE}Content-Length: 60\r\n\r\n{"key":"late",`],
] as const) {
  test(`a request whose ${part} does not arrive in time is told so, and nothing is done`, async () => {
    await using impatient = await TestService.start({ patience: 0.01 });
    const answers = await exchangeAhead(impatient.url, bytes);
    assert.deepEqual(
      answers.map(({ status, text }) => [status, (JSON.parse(text) as { code: string }).code]),
      [[408, 'request_timeout']],
    );
    const { json } = await impatient.call('/v1/claim?key=late&agent=b8');
    assert.equal(json['rev'], 1);
  });
}

test('address and headers of just under 131,072 bytes pass, and more is 431', async () => {
  const start = `GET /api/v1/health HTTP/1.1\r\n${HOST}X-Long: `;
  const request = (length: number) => `${start}${'x'.repeat(length - start.length - 4)}\r\n\r\n`;
  assert.equal((await send(request(131_000))).status, 200);
  assertProblem(await send(request(131_200)), 431, 'headers_too_large');
  assertProblem(await get(`/v1/claim?key=${'k'.repeat(131_072)}`), 431, 'headers_too_large');
});

test('8,000 emoji in a parameter of a GET are read, and judged by the limit of the parameter', async () => {
  const answer = await get(`/v1/claim?key=emoji&agent=a7&intent=${encodeURIComponent('\u{1f600}'.repeat(8_000))}`);
  assertProblem(answer, 400, 'invalid_parameters');
  const faults = (answer.json['errors'] as { pointer: string; code: string }[]).map(
    ({ pointer, code }) => `${pointer} ${code}`,
  );
  assert.deepEqual(faults, ['#/intent too_long']);
});

test('a path parameter is judged by its own limit, and one of more than 512 characters is malformed', async () => {
  assertProblem(await get(`/problems/${'p'.repeat(80)}`), 404, 'unknown_code');
  assertProblem(await get(`/problems/${'p'.repeat(81)}`), 400, 'invalid_parameters');
  assertProblem(await get(`/problems/${'p'.repeat(512)}`), 400, 'invalid_parameters');
  assertProblem(await get(`/problems/${'p'.repeat(513)}`), 400, 'malformed_request');
  assertProblem(await get('/problems/a%2Fb%00'), 404, 'unknown_code');
});

test('a request without Host is malformed, and changes nothing', async () => {
  await assertNothingStored(async () => {
    assertProblem(await send('GET /v1/claim?key=k&agent=a7 HTTP/1.1\r\n\r\n'), 400, 'malformed_request', '/v1/claim');
    assertProblem(await send('GET /v1/claim?key=k&agent=a7 HTTP/1.0\r\n\r\n'), 400, 'malformed_request', '/v1/claim');
  });
});

const GARBAGE: readonly (readonly [what: string, bytes: string])[] = [
  ['bytes that are no request', '\u0000\u0001\u0002\r\n\r\n'],
  ['a TLS greeting', '\u0016\u0003\u0001\u0002\u0000\u0001\u0000'],
  ['an HTTP/2 preface', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['an unknown method', `FISH /v1/claim HTTP/1.1\r\n${HOST}\r\n`],
  ['a space in the path', `GET /v1/cl aim HTTP/1.1\r\n${HOST}\r\n`],
  ['a header without a colon', `GET /v1/claim HTTP/1.1\r\n${HOST}nonsense\r\n\r\n`],
  ['a NUL in a header', `GET /v1/claim HTTP/1.1\r\n${HOST}X: a\u0000b\r\n\r\n`],
  ['two lengths', `POST /v1/claim HTTP/1.1\r\n${HOST}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`],
  [
    'a length beside chunks',
    `POST /v1/claim HTTP/1.1\r\n${HOST}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}`,
  ],
  ['a negative length', `POST /v1/claim HTTP/1.1\r\n${HOST}Content-Length: -2\r\n\r\n{}`],
  [
    'a chunk whose length is no number',
    `POST /v1/claim HTTP/1.1\r\n${HOST}${JSON_TYPE}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}`,
  ],
  ['a body that ends early', `POST /v1/claim HTTP/1.1\r\n${HOST}${JSON_TYPE}Content-Length: 50\r\n\r\n{"key"`],
  ['headers that end early', `GET /v1/claim HTTP/1.1\r\n${HOST}`],
];
for (const [what, bytes] of GARBAGE) {
  test(`${what}: answered as a malformed request, and the connection ends`, async () => {
    const answer = await send(bytes);
    assertProblem(answer, 400, 'malformed_request');
    assert.equal(answer.headers['connection'], 'close');
  });
}

test('a request with two hosts is malformed, whichever they are', async () => {
  for (const other of [HOST, 'Host: other.example\r\n']) {
    assertProblem(await get('/v1/claim?key=k&agent=a7', other), 400, 'malformed_request', '/v1/claim');
  }
});

test('HEAD is answered without a body also where its target is none', async () => {
  for (const target of ['v1/claim', '*', 'http://avouch.example/v1/claim?key=k', '/%zz']) {
    const { status, text } = await send(`HEAD ${target} HTTP/1.1\r\n${HOST}\r\n`, true);
    assert.ok(status >= 200 && text === '', target);
  }
});

test('a call that came whole before garbage on the same connection gets its own answer first', async () => {
  const bytes = `GET /v1/claim?key=before-garbage&agent=a7 HTTP/1.1\r\n${HOST}\r\n`;
  const [granted, refused] = await exchangeOnce(service.url, `${bytes}rubbish\r\n\r\n`);
  assert.equal(granted?.status, 200);
  assert.equal((JSON.parse(granted?.text ?? '') as { key: string }).key, 'before-garbage');
  assert.equal(refused?.status, 400);
});

test('a call with a key and a body that came whole before garbage is run once and gets its own answer first', async () => {
  const agent = await registeredAgent(service);
  const head = `POST /api/agents/keys HTTP/1.1\r\n${HOST}x-agent-key: ${agent.key}\r\ncontent-type: application/json\r\n`;
  const [made, refused] = await exchangeOnce(service.url, `${head}content-length: 2\r\n\r\n{}rubbish\r\n\r\n`);
  assert.equal(made?.status, 201);
  assert.equal(refused?.status, 400);
  const { json } = await agent.call('/api/agents/me');
  assert.equal((json['keys'] as object[]).length, 2);
});

test('calls in one packet are answered in their order', async () => {
  const paths = ['/problems/held', '/v1/claim?key=packet&agent=a7', '/nothing', '/problems/busy'];
  const answers = await exchangeOnce(service.url, paths.map((path) => `GET ${path} HTTP/1.1\r\n${HOST}\r\n`).join(''));
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 404, 200],
  );
  assert.match(answers[3]?.text ?? '', /"code":"busy"/);
});

test('an expectation of 100-continue is met and any other is refused', async () => {
  const head = `POST /v1/claim HTTP/1.1\r\n${HOST}${JSON_TYPE}Content-Length: 29\r\n`;
  const body = '{"key":"expect","agent":"a7"}';
  assert.equal((await send(`${head}Expect: 100-continue\r\n\r\n${body}`)).status, 200);
  assertProblem(await get('/api/v1/health', 'Expect: fish\r\n'), 400, 'malformed_request', '/api/v1/health');
});

test('a known ETag is answered by 304 without a body, another one by the document', async () => {
  const { headers } = await get('/problems/held');
  const etag = headers['etag'] ?? '';
  assert.match(etag, /^"[0-9a-f]{32}"$/);
  for (const known of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
    const answer = await get('/problems/held', `If-None-Match: ${known}\r\n`);
    assert.deepEqual([answer.status, answer.text, answer.headers['etag']], [304, '', etag], known);
  }
  for (const other of ['"x"', '', etag.slice(1, -1)]) {
    assert.equal((await get('/problems/held', `If-None-Match: ${other}\r\n`)).status, 200, other);
  }
});

test('each representation has an ETag of its own, and caches are told that Accept decides', async () => {
  const types = ['application/json', 'text/html', 'text/markdown'];
  const answers = await Promise.all(types.map((type) => get('/problems/held', `Accept: ${type}\r\n`)));
  assert.deepEqual(
    answers.map(({ headers }) => headers['content-type']),
    ['application/json', 'text/html; charset=utf-8', 'text/markdown; charset=utf-8'],
  );
  assert.equal(new Set(answers.map(({ headers }) => headers['etag'])).size, 3);
  for (const { headers } of answers) assert.equal(headers['vary'], 'Accept, Accept-Encoding');
});

test('what may change has no ETag and is never stored', async () => {
  for (const path of ['/api/v1/health', '/v1/claim?key=cache&agent=a7', '/nothing']) {
    const { headers } = await get(path, 'If-None-Match: *\r\n');
    assert.deepEqual([headers['cache-control'], headers['etag']], ['no-store', undefined], path);
  }
});

test('every answer has a request id of its own, whatever came', async () => {
  const requests = [
    ...['/api/v1/health', '/nothing', '/problems/%zz', '/v1/claim?x=1'].map(
      (path) => `GET ${path} HTTP/1.1\r\n${HOST}\r\n`,
    ),
    `PUT /v1/claim HTTP/1.1\r\n${HOST}\r\n`,
    `OPTIONS /v1/claim HTTP/1.1\r\n${HOST}\r\n`,
    `GET /problems/held HTTP/1.1\r\n${HOST}If-None-Match: *\r\n\r\n`,
    `GET /api/v1/health HTTP/1.1\r\n${HOST}Expect: fish\r\n\r\n`,
    `POST /v1/claim HTTP/1.1\r\n${HOST}${JSON_TYPE}Content-Length: 1\r\n\r\n{`,
    `GET /x HTTP/1.1\r\n${HOST}X: ${'x'.repeat(140_000)}\r\n\r\n`,
    'rubbish\r\n\r\n',
  ];
  const answers = await Promise.all(requests.map((request) => send(request)));
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 404, 400, 400, 405, 204, 304, 400, 400, 431, 400],
  );
  const ids = answers.map(({ headers }) => headers['x-request-id']);
  for (const id of ids) assert.match(id ?? '', /^[\w-]{10}-\d+$/);
  assert.equal(new Set(ids).size, ids.length);
  for (const { headers } of answers) assert.equal(headers['x-content-type-options'], 'nosniff');
});

test('a caller that leaves in the middle of its body is no fault of the service', async () => {
  const dataDir = await temporaryDirectory();
  {
    await using own = await TestService.start({ dataDir });
    await exchangeOnce(own.url, `POST /v1/claim HTTP/1.1\r\n${HOST}${JSON_TYPE}Content-Length: 50\r\n\r\n{"key"`);
  }
  const directory = join(dataDir, 'trail');
  const names = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const text = (await Promise.all(files.map((file) => readFile(file, 'utf8')))).join('');
  assert.match(text, /"method":"POST","status":400.*"code":"malformed_request"/);
  assert.doesNotMatch(text, /"status":500/);
  await rm(dataDir, { recursive: true });
});
