// Data that tries to break a server: texts, names, values, headers, queries, bodies, paths and whole requests.
const LONG = 100_000;
const emoji = '\u{1f600}';
/** Few short texts, so that callers meet on the same keys and names. */
export const COMMON_TEXTS = ['a7', 'b8', 'acme/repo#12', 'https://example.org/x?b=2&a=1', 'mirror'];
export const NUMBER_TEXTS = [
  ...['', ' ', '0x10', '1e3', '1e309', '-0', '+5', '.5', '5.', '007', '1,5', '1_000', 'Infinity', 'NaN', ' 7 ', '٣'],
  ...['9007199254740993', '-9007199254740993', '0.1', '1.0', '1'.repeat(400), `0.${'3'.repeat(400)}`],
];
export const NASTY_TEXTS = [
  ...['\0', 'a\0b', '\u202eabc', '\u2066x\u2069', '\ud800', 'x\udfff', '\ufffe', '\ufeffx', '\u0130', '\u200d'],
  ...['"', '\\', '\\u0000', "'; DROP TABLE lease;--", '<script>alert(1)</script>'],
  ...['${7*7}', '{{7*7}}', '%00', '%2e%2e/'],
  ...['null', 'undefined', 'true', '[]', '{}', '__proto__', 'constructor', 'toString', '\r\nX-Injected: 1', '\t\n'],
  ...['\ufdfa'.repeat(230), `e${'\u0301'.repeat(2_000)}`, emoji.repeat(40)],
  ...['\u{e0041}'.repeat(100), '\uff9e'.repeat(90)],
];
/** What every JavaScript object has under such a name is not what a caller meant. */
export const INHERITED_TEXTS = ['constructor', '__proto__', 'toString', 'https://constructor/a/b/issues/1'];
/** A text column of PostgreSQL takes no NUL, and what has a lone surrogate has no canonical JSON. */
export const UNSTORABLE = ['\0', '\ud800'];
export const LONG_TEXTS = ['x'.repeat(4_096), 'x'.repeat(4_097), '\u00e9'.repeat(8_000), '\u6f22'.repeat(8_000)];
export const HUGE_TEXTS = [emoji.repeat(8_000), 'x'.repeat(LONG), ' '.repeat(33_000), '\ud800'.repeat(11_000)];
export const ODD_NAMES = [
  ...['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'colour', '', ' key', 'KEY', 'key[]'],
  ...['key.x', '\u043a\u043b\u044e\u0447', 'n'.repeat(300), '\ud800', '0', '-1', 'a/b~c'],
];
export const ODD_VALUES = [null, true, false, 0, -1, 1.5, 2 ** 53, 1e300, [], ['a', 'b'], {}, { a: 1 }, [[]]];
export const METHODS = [
  ...['HEAD', 'OPTIONS', 'PUT', 'DELETE', 'PATCH', 'TRACE', 'POST', 'GET'],
  ...['QUERY', 'PROPFIND', 'LOCK', 'M-SEARCH'],
];

export const ODD_HEADERS: Readonly<Record<string, readonly string[]>> = {
  accept: [
    '*/*',
    'application/x-ndjson',
    'text/event-stream',
    'text/html',
    'text/markdown',
    'text/html;q=0.5, */*;q=0.1',
    'image/png',
    ',;q=',
    '*/*,'.repeat(500),
  ],
  'accept-encoding': ['gzip', 'br', 'gzip;q=0, br;q=0.5', '*', 'identity;q=0', ',;q=', 'gzip,'.repeat(500)],
  'sec-fetch-site': ['cross-site', 'same-origin', 'none', 'Cross-Site', '?'],
  'sec-purpose': ['prefetch', 'prefetch;prerender', 'none'],
  purpose: ['prefetch', 'preview'],
  'if-none-match': ['*', '""', 'W/"x"', '"'.repeat(999), ','.repeat(999)],
  'if-modified-since': ['Sun, 15 Nov 2026 00:00:00 GMT', 'x'],
  'x-forwarded-for': ['1.2.3.4', '::1', ', ,', '999.1.1.1', '1.2.3.4, '.repeat(200), '2001:db8::1%x'],
  forwarded: ['for=1.2.3.4', ';;;'],
  origin: ['https://other.example', 'null'],
  'access-control-request-method': ['PUT', '?'],
  authorization: ['Bearer x', 'Basic ????', ''],
  cookie: ['a=b', '='.repeat(900)],
  range: ['bytes=0-1', 'bytes=-', 'bytes=9-1'],
  expect: ['100-continue', 'fish'],
  connection: ['close', 'keep-alive, upgrade', 'x'],
  upgrade: ['websocket', 'h2c'],
  te: ['trailers'],
  host: ['other.example', ':', '\u00ff\u00fe'],
  'content-encoding': ['gzip', 'identity'],
  'x-http-method-override': ['DELETE'],
  'x-long': ['h'.repeat(20_000)],
};

export const RAW_QUERIES = [
  ...['%', '%zz', '%E', '%ED%A0%80', '%C0%80', '%FF', '%F8%88%80%80%80', '=%', '&', '&&&'],
  ...['=', '==', '?', '??=', '+', '#x', 'a=%u0041', 'a=%00', '%00=a', 'a;b', 'a[b]=c'],
  ...['a[]=1&a[]=2', '__proto__[x]=1', '&'.repeat(5_000), 'a&'.repeat(2_000)],
];

export const RAW_BODIES: readonly (string | Uint8Array)[] = [
  ...['', '{', '}', '[', '{"a":', '{"a":1,}', "{'a':1}", 'null', 'true', '1', '-', '"x"', '[]'],
  ...['{}{}', '{} x', 'NaN', '{a:1}', '\ufeff{}', ' \n{}', '{"a":1e999}', '{"toString":1}'],
  ...['{"\\ud800":1}', '{"a":"\\u0000"}', '{"a":"\t"}', '{"__proto__":{"agent":"x1"}}'],
  ...['{"constructor":{"prototype":{"x":1}}}', ' '.repeat(70_000), `{"a":${'9'.repeat(5_000)}}`],
  ...['['.repeat(30_000), '{"a":'.repeat(10_000), `[${'[],'.repeat(20_000)}[]]`],
  ...[`{"a":${'['.repeat(8_000)}${']'.repeat(8_000)}}`, Uint8Array.of(0xff, 0xfe, 0x7b, 0)],
  ...[Buffer.from('{"\xff":1}', 'latin1'), Buffer.from('{}', 'utf16le')],
  ...[Buffer.from('{"a":"\xed\xa0\x80"}', 'latin1')],
];

export const CONTENT_TYPES = [
  ...['', 'text/plain', 'application/json; charset=utf-16', 'APPLICATION/JSON', 'a', ';;;', ','],
  ...['application/problem+json', '*/*', 'multipart/form-data; boundary=x', 'json'],
  ...['application/x-www-form-urlencoded', 'application/json;', 'application/jsonx'],
  ...['application/json, text/plain', 'application/json; charset="', 'x/'.repeat(2_000)],
];

export const PATH_CHANGES: readonly ((path: string) => string)[] = [
  (path) => `/${path}`,
  (path) => `${path}/`,
  (path) => `${path}//`,
  (path) => path.toUpperCase(),
  (path) => path.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
  (path) => path.replaceAll('/', '%2F').replace('%2F', '/'),
  (path) => path.replaceAll('/', '\\').replace('\\', '/'),
  (path) => `/.${path}`,
  (path) => `/x/..${path}`,
  (path) => `${path}/..${path}`,
  (path) => `${path};a=b`,
  (path) => `${path}%00`,
  (path) => `${path}%`,
  (path) => `${path}%ff`,
  (path) => `${path}.json`,
  (path) => `http://other.example${path}`,
  (path) => `${path}/${'p'.repeat(600)}`,
  (path) => path.replace(/[^/]+$/, 'p'.repeat(511)),
  (path) => path.replace(/[^/]+$/, 'p'.repeat(513)),
  (path) => path.replace(/[^/]+$/, '%70'.repeat(400)),
  (path) => path.replace(/[^/]+$/, '..%2f..%2fx'),
  (path) => `${path}#`,
  () => '*',
  () => `/${'/'.repeat(60_000)}`,
  () => `/${'a/'.repeat(30_000)}`,
];

const HOST = 'Host: fuzz.example\r\n';
const JSON_TYPE = 'Content-Type: application/json\r\n';
export const UNFRAMED: readonly ((path: string) => string | Uint8Array)[] = [
  (path) => `GET ${path} HTTP/1.1\r\n\r\n`,
  (path) => `GET ${path} HTTP/1.0\r\n\r\n`,
  (path) => `GET ${path}\r\n\r\n`,
  (path) => `GET ${path} HTTP/9.9\r\n${HOST}\r\n`,
  (path) => `GET ${path} HTTP/1.1\n${HOST}\n`,
  (path) => `GET ${path} x HTTP/1.1\r\n${HOST}\r\n`,
  (path) => `GET  ${path} HTTP/1.1\r\n${HOST}\r\n`,
  (path) => `get ${path} HTTP/1.1\r\n${HOST}\r\n`,
  (path) => `FISH ${path} HTTP/1.1\r\n${HOST}\r\n`,
  (path) => `CONNECT ${path} HTTP/1.1\r\n${HOST}\r\n`,
  (path) => `GET ${path} HTTP/1.1\r\n${HOST}no colon\r\n\r\n`,
  (path) => `GET ${path} HTTP/1.1\r\n${HOST}X: a\0b\r\n\r\n`,
  (path) => `GET ${path} HTTP/1.1\r\n${HOST}X : a\r\n\r\n`,
  (path) => `GET ${path} HTTP/1.1\r\n${HOST}X: a\r\n folded\r\n\r\n`,
  (path) => `GET ${path} HTTP/1.1\r\n${HOST}${HOST}\r\n`,
  (path) => `GET ${path} HTTP/1.1\r\n${HOST}X: ${'h'.repeat(140_000)}\r\n\r\n`,
  (path) => `GET ${path}?x=${'q'.repeat(140_000)} HTTP/1.1\r\n${HOST}\r\n`,
  (path) => Buffer.from(`GET ${path}?x=\xff\xfe HTTP/1.1\r\n${HOST}\r\n`, 'latin1'),
  (path) => `GET ${path} HTTP/1.1\r\n${HOST}`,
  (path) => `GET ${path} HTTP/1.1\r\n${HOST}\r\nGET ${path}?x=1 HTTP/1.1\r\n${HOST}\r\n`,
  (path) => `GET ${path} HTTP/1.1\r\n${HOST}\r\nrubbish`,
  (path) => `POST ${path} HTTP/1.1\r\n${HOST}${JSON_TYPE}Content-Length: 50\r\n\r\n{}`,
  (path) => `POST ${path} HTTP/1.1\r\n${HOST}${JSON_TYPE}Content-Length: 1\r\n\r\n{}`,
  (path) => `POST ${path} HTTP/1.1\r\n${HOST}${JSON_TYPE}Content-Length: -1\r\n\r\n{}`,
  (path) => `POST ${path} HTTP/1.1\r\n${HOST}${JSON_TYPE}Content-Length: 0x2\r\n\r\n{}`,
  (path) => `POST ${path} HTTP/1.1\r\n${HOST}${JSON_TYPE}Content-Length: 99999999999999999999999\r\n\r\n{}`,
  (path) => `POST ${path} HTTP/1.1\r\n${HOST}${JSON_TYPE}Content-Length: 999999999\r\n\r\n{}`,
  (path) => `POST ${path} HTTP/1.1\r\n${HOST}${JSON_TYPE}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`,
  (path) => `POST ${path} HTTP/1.1\r\n${HOST}${JSON_TYPE}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}`,
  (path) => `POST ${path} HTTP/1.1\r\n${HOST}${JSON_TYPE}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`,
  (path) => `POST ${path} HTTP/1.1\r\n${HOST}${JSON_TYPE}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
  (path) =>
    `POST ${path} HTTP/1.1\r\n${HOST}${JSON_TYPE}Transfer-Encoding: chunked\r\n\r\n2;${'e'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`,
  (path) => `POST ${path} HTTP/1.1\r\n${HOST}${JSON_TYPE}Transfer-Encoding: gzip\r\n\r\n{}`,
  (path) => `POST ${path} HTTP/1.1\r\n${HOST}${JSON_TYPE}\r\n{}`,
  () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  () => '',
];
