import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc, { anyCharacter, runs } from '#properties';
import { canonicalKey } from './work-key.ts';

const VENUES: ReadonlySet<string> = new Set(['venue.example']);
const ISSUE = 'https://github.com/acme/repo/issues/12';

function keyOf(text: string): string {
  const outcome = canonicalKey(text, VENUES);
  return outcome.ok ? outcome.key : outcome.code;
}

const ROWS: readonly (readonly [given: string, canonical: string])[] = [
  ['https://github.com/Acme/Repo/issues/12', ISSUE],
  ['http://www.github.com/acme/repo/issues/12/?utm_source=x#issuecomment-9', ISSUE],
  ['acme/repo#12', ISSUE],
  ['gh:Acme/Repo#12', ISSUE],
  ['gh:acme/repo/12', ISSUE],
  ['github.com/acme/repo/pull/12/files', ISSUE],
  ['https://api.github.com/repos/acme/repo/issues/12', ISSUE],
  ['https://api.github.com/repos/acme/repo/pulls/12', ISSUE],
  [' https://github.com/acme/repo.git/issues/012 ', ISSUE],
  ['https://gitlab.com/G/sub/P/-/work_items/7#note_1', 'https://gitlab.com/g/sub/p/-/issues/7'],
  ['https://gitlab.com/G/P/-/merge_requests/7/diffs', 'https://gitlab.com/g/p/-/merge_requests/7'],
  ['HTTPS://API.Example.com:443/a//b/?b=2&a=1&utm_x=1#f', 'https://api.example.com/a/b?a=1&b=2'],
  ['http://example.com:80/', 'https://example.com'],
  ['https://example.com:8443/x/', 'https://example.com:8443/x'],
  ['https://ex.com/%7euser/%2fx', 'https://ex.com/~user/%2Fx'],
  ['https://ex.com/%257e', 'https://ex.com/%257e'],
  ['https://EX.com./x?b=2&a=2&a=1', 'https://ex.com/x?a=1&a=2&b=2'],
  ['https://ex.com/x?a', 'https://ex.com/x?a='],
  ['https://user:pw@ex.com/x', 'https://ex.com/x'],
  ['https://ex.com/a/../b/./c', 'https://ex.com/b/c'],
  ['https://münchen.example/ü', 'https://xn--mnchen-3ya.example/%C3%BC'],
  ['  my  task ', 'my task'],
  ['Cafe\u0301 task', 'Caf\u00e9 task'],
  ['ftp://Ex.com/A', 'ftp://Ex.com/A'],
];

const MORE_ROWS: readonly (readonly [given: string, canonical: string])[] = [
  ['https://github.com/acme/repo/pulls/12', ISSUE],
  ['https://constructor/acme/repo/issues/12', 'https://constructor/acme/repo/issues/12'],
  ['WWW.GitHub.com/acme/repo/issues/12', ISSUE],
  ['GH:acme/repo.git#12', ISSUE],
  ['https://github.com/Acme/%72epo/issues/%31%32', ISSUE],
  ['https://github.com/acme/repo.git.git/issues/12', ISSUE],
  ['https://github.com/Acme/Repo', 'https://github.com/Acme/Repo'],
  ['https://github.com/Acme/Repo/issues', 'https://github.com/Acme/Repo/issues'],
  ['https://gitlab.example:8443/G/P/-/issues/007/designs', 'https://gitlab.example:8443/g/p/-/issues/7'],
  ['https://gitlab.example/Gr%C3%BCn/P/-/issues/7', 'https://gitlab.example/gr%C3%BCn/p/-/issues/7'],
  ['https://git.example/-/issues/7', 'https://git.example/-/issues/7'],
  ['https://git.example/G/-/Tree/-/issues/7', 'https://git.example/G/-/Tree/-/issues/7'],
  ['gitlab.com/G/P', 'https://gitlab.com/G/P'],
  ['http://ex.com:443/', 'https://ex.com'],
  ['https://ex.com:80/', 'https://ex.com:80'],
  ['https://www.www.ex.com', 'https://ex.com'],
  ['https://www/x', 'https://www/x'],
  ['https://ex.com/?', 'https://ex.com'],
  ['https://ex.com/?=&&=b&%75tm_x=1&gclid=2&refs=3', 'https://ex.com?=&=b&refs=3'],
  ['https://ex.com/x?a=b=c', 'https://ex.com/x?a=b=c'],
  ['https://ex.com/x?a=%3d&a=%26', 'https://ex.com/x?a=%26&a=%3D'],
  ['https://ex.com/%%34%31', 'https://ex.com/%2541'],
  ['https://ex.com/100%', 'https://ex.com/100%25'],
  ['https://0x7f.1/', 'https://127.0.0.1'],
  ['https://[2001:DB8::0:1]/', 'https://[2001:db8::1]'],
  ['example.com/Task', 'example.com/Task'],
  ['https:/ex.com', 'https:/ex.com'],
  ['acme/..#12', 'acme/..#12'],
  ['acme/..git#12', 'acme/..git#12'],
  ['my\u200b\u202e ta\u0000sk', 'my task'],
  ['https://github.com/acme/repo/pull/12#discussion_r1', ISSUE],
  ['https://github.com/acme/repo/pull/12/commits/abc', ISSUE],
  ['https://github.com:443//acme//repo/issues/12', ISSUE],
  ['https://user@github.com/acme/repo/issues/12?ref=x', ISSUE],
  ['gh:ACME/repo#0012', ISSUE],
  ['https://gitlab.com/G/P/-/issues/7?x=1', 'https://gitlab.com/g/p/-/issues/7'],
  ['www.gitlab.com/G/P/-/issues/07', 'https://gitlab.com/g/p/-/issues/7'],
  ['https://ex.com/A/B#top', 'https://ex.com/A/B'],
  ['https://ex.com/x?B=1&a=2', 'https://ex.com/x?B=1&a=2'],
  ['Task A', 'Task A'],
];

for (const [given, canonical] of [...ROWS, ...MORE_ROWS]) {
  test(`the key ${JSON.stringify(given)} is ${canonical}`, () => {
    assert.equal(keyOf(given), canonical);
    assert.equal(keyOf(canonical), canonical);
  });
}

/** Each line is one piece of work in its own writing; no two of a group may meet. */
const DIFFERENT: Readonly<Record<string, readonly string[]>> = {
  'routes of a page that draws itself': [
    ...['https://ex.com/#!/task/1', 'https://ex.com/#!/task/2', 'https://ex.com/#/task/1', 'https://ex.com/#tasks/1'],
    ...['https://ex.com/#task=1', 'https://ex.com/#task=2', 'https://ex.com/'],
  ],
  'branches and sources': [
    ...[
      'https://ex.com/x?ref=main',
      'https://ex.com/x?ref=dev',
      'https://ex.com/x?source=A',
      'https://ex.com/x?source=B',
    ],
    'https://ex.com/x',
  ],
  'addresses that only look like GitLab': [
    ...[
      'https://ex.com/App/Two/-/issues/7',
      'https://ex.com/app/two/-/issues/7',
      'https://ex.com/app/two/-/issues/7/b',
    ],
    ...['https://ex.com/app/two/-/issues/7?tenant=A', 'https://ex.com/app/two/-/issues/7?tenant=B'],
    ...['https://ex.com/app/two/-/work_items/7', 'https://ex.com/app/two/issues/7'],
  ],
  'pages of GitLab that are no issues': [
    ...[
      'https://gitlab.com/g/p/-/issues/7',
      'https://gitlab.com/g/p/-/merge_requests/7',
      'https://gitlab.com/g/-/issues/7',
    ],
    ...['https://gitlab.com/g/p/blob/main/issues/7', 'https://gitlab.com/g/p/-/tree/main/issues/7'],
    ...[
      'https://gitlab.com/g/p/-/tree/main/-/issues/7',
      'https://gitlab.com/g/p/-/tree/Main/-/issues/7',
      'https://gitlab.com/api/v4/projects/5/issues/7',
      'https://gitlab.com/api/v4/projects/5/issues/7?x=1',
      'https://gitlab.com/g/p/tree/issues/7',
      'https://gitlab.com/g/p/compare/issues/7',
      'https://gitlab.com/p/issues/7',
    ],
    ...[
      'https://gitlab.com/g/p/-/issues/7?show=eyJpaWQiOiI4In0',
      'https://gitlab.com/g/p/-/issues/7?%73how=eyJpaWQiOiI5In0',
    ],
  ],
  'what a dot and a comma belong to': [
    ...['https://ex.com/a/..', 'https://ex.com/a', 'https://ex.com/a./', 'https://ex.com/a,/', 'https://ex.com/a...'],
    ...['https://ex.com/b/c/.%2e', 'https://ex.com/b/c', 'https://github.com/acme/repo/issues/12...', 'acme/repo#12'],
    ...['https://ex.com/?b=1.&a=2', 'https://ex.com/?b=1&a=2', 'https://ex.com/?b=1,&a=2'],
  ],
  'GitHub pages that are no issue': [
    ...['acme/repo#12', 'https://github.com/acme/repo/blob/main/issues/12', 'https://github.com/acme/repo/issues/12/x'],
    ...['https://github.com/acme/repo/pull/12.txt', 'https://api.github.com/repos/acme/repo/issues/12/comments'],
    ...['acme/repo/12', 'acme/repo/blob/12', 'a/acme/repo/issues/12'],
  ],
};

for (const [what, texts] of Object.entries(DIFFERENT)) {
  test(`different work has different keys: ${what}`, () => {
    const keys = texts.map((text) => keyOf(text));
    assert.deepEqual([...new Set(keys)], keys);
    for (const key of keys) assert.equal(keyOf(key), key);
  });
}

const GITLAB_ISSUE = 'https://gitlab.com/group/repo/-/issues/7';
/** Each text is the work that the key names. */
const SAME: Readonly<Record<string, readonly string[]>> = {
  [ISSUE]: [
    ...[
      `${ISSUE}.`,
      `${ISSUE},`,
      'acme/repo#12.',
      'acme/repo#12 ,',
      'acme/repo #12',
      'GitHub:Acme/repo#12',
      'github:acme/repo/12',
    ],
    ...[
      'acme/repo/issues/12',
      'acme/repo/pull/12',
      'gh:acme/repo/pulls/12',
      'https://github.com/acme/repo/pull/12.diff',
    ],
    ...[
      'https://github.com/acme/repo/pull/12.patch',
      'https://patch-diff.githubusercontent.com/raw/acme/repo/pull/12.diff',
    ],
    'https://github.com/acme/repo/issues/12/linked_closing_reference?reference_location=REPO_ISSUES_INDEX',
  ],
  [GITLAB_ISSUE]: [
    ...['https://gitlab.com/group/repo/issues/7', 'https://gitlab.com/Group/Repo/issues/07?x=1#note_1'],
    ...[
      'https://gitlab.com/group/repo/-/issues/incident/7',
      'gitlab.com/group/repo/-/work_items/7.',
      `${GITLAB_ISSUE}#/x`,
    ],
  ],
  'https://gitlab.com/g/sub/p/-/merge_requests/7': ['https://gitlab.com/g/sub/p/merge_requests/7/diffs'],
  'https://salsa.debian.org/g/p/-/issues/7': ['https://salsa.debian.org/G/P/issues/7'],
  'https://ex.com/x': ['https://ex.com/x.', 'https://ex.com/x/,', 'https://ex.com/x#:~:text=a', 'https://ex.com/x#/'],
  'https://ex.com/x#!/task/1': ['https://ex.com/x/#!/task/1/.', 'https://ex.com/x?utm_x=1#!/t%61sk/1'],
  'my task': ['my task.', 'my task ,'],
};

for (const [key, texts] of Object.entries(SAME)) {
  for (const text of texts) {
    test(`${JSON.stringify(text)} is the same work as ${key}`, () => assert.equal(keyOf(text), key));
  }
}

test('an address that does not parse stays as it is given', () => {
  for (const text of [
    'https://',
    'HTTP://[bad/X',
    'https://ex.com:99999/',
    'https://./x',
    'https://0x1../',
    'https://ex.com../A',
  ]) {
    assert.equal(keyOf(text), text);
  }
});

test('a tracking parameter never makes another key', () => {
  const names = ['utm_source', 'utm_', 'gclid', 'fbclid', 'ref_src', 'mc_cid', 'mc_eid', 'igshid'];
  for (const name of [...names, 'notification_referrer_id']) {
    assert.equal(keyOf(`https://ex.com/x?${name}=1&a=2`), 'https://ex.com/x?a=2');
  }
});

test('an issue number of more than 10 digits is no issue number', () => {
  assert.equal(keyOf('acme/repo#1234567890'), 'https://github.com/acme/repo/issues/1234567890');
  assert.equal(keyOf('Acme/repo#12345678901'), 'Acme/repo#12345678901');
  const url = 'https://github.com/Acme/repo/issues/12345678901';
  assert.deepEqual(canonicalKey(url, VENUES), { ok: true, key: url, publicVenue: false });
});

test('a key that is empty after cleaning is refused', () => {
  for (const text of ['', ' ', '\u200b\u0000\n']) assert.equal(keyOf(text), 'key_empty');
});

test('a key has at most 512 characters in its canonical form', () => {
  assert.equal(keyOf('a'.repeat(512)), 'a'.repeat(512));
  assert.equal(keyOf('a'.repeat(513)), 'key_too_long');
  assert.equal(keyOf('\u{1f600}'.repeat(512)), '\u{1f600}'.repeat(512), 'a pair of surrogates is one character');
  assert.equal(keyOf('\u{1f600}'.repeat(513)), 'key_too_long');
  assert.equal(keyOf(`https://ex.com/x?utm_x=${'a'.repeat(600)}`), 'https://ex.com/x');
  assert.equal(keyOf(`https://ex.com/${'ü'.repeat(100)}`), 'key_too_long');
  assert.equal(keyOf(`https://${'ü'.repeat(100_000)}/`), 'key_too_long');
});

test('issues, merge requests and configured hosts are public venues, nothing else is', () => {
  const isPublic = (text: string) => {
    const outcome = canonicalKey(text, VENUES);
    return outcome.ok && outcome.publicVenue;
  };
  const open = [
    'acme/repo#1',
    ISSUE,
    'https://git.example/g/p/-/issues/1',
    'https://git.example/g/p/-/merge_requests/1',
  ];
  for (const text of [...open, 'https://www.Venue.example./x', 'http://venue.example:8080'])
    assert.ok(isPublic(text), text);
  const own = ['my task', 'venue.example', 'https://sub.venue.example/', 'https://github.com/acme/repo', 'acme/repo'];
  for (const text of own) assert.ok(!isPublic(text), text);
});

const PIECE = fc.oneof(
  fc.constantFrom(
    'https://',
    'http://',
    'HTTP://',
    'gh:',
    'github.com',
    'api.github.com',
    'gitlab.com',
    'www.',
    'ex.com',
  ),
  fc.constantFrom(
    '/',
    '//',
    '\\',
    '.',
    '..',
    '/./',
    '/../',
    '/-/',
    'issues/',
    'pull/',
    'pulls/',
    'work_items/',
    '/repos/',
    ',',
    '!',
    '#!/',
    '.diff',
  ),
  fc.constantFrom(
    'merge_requests/',
    '.git',
    'Acme',
    'repo',
    '12',
    '0012',
    '12345678901',
    '#',
    '?',
    '&',
    '=',
    'utm_x',
    'ref',
  ),
  fc.constantFrom(
    '%',
    '%2',
    '%2e',
    '%2F',
    '%41',
    '%25',
    '%C3',
    '@',
    ':',
    ':80',
    ':443',
    ':0',
    '[',
    ']',
    '::1',
    '0x1',
    '+',
  ),
  fc.constantFrom(
    ' ',
    '\t',
    '\u200b',
    '\u0301',
    'e',
    'ü',
    'ß',
    '\u3002',
    '\uff0e',
    '\u2024',
    'xn--',
    '\ud800',
    '\u{1f600}',
  ),
  fc.string({ unit: anyCharacter, maxLength: 2 }),
);
const HOSTILE = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc.webUrl({ withFragments: true, withQueryParameters: true }),
  fc.array(PIECE, { maxLength: 14 }).map((pieces) => pieces.join('')),
  fc.array(PIECE, { maxLength: 10 }).map((pieces) => `https://github.com/${pieces.join('')}`),
  fc.array(PIECE, { maxLength: 10 }).map((pieces) => `https://${pieces.join('')}`),
);

test('the canonical key of a canonical key is itself, and is as public', () => {
  const property = fc.property(HOSTILE, (text) => {
    const once = canonicalKey(text, VENUES);
    if (once.ok) assert.deepEqual(canonicalKey(once.key, VENUES), once);
  });
  fc.assert(property, { numRuns: runs(5000) });
});

test('a canonical key is well formed and has no unseen character', () => {
  const property = fc.property(HOSTILE, (text) => {
    const outcome = canonicalKey(text, VENUES);
    if (!outcome.ok) return;
    assert.ok(outcome.key.isWellFormed() && outcome.key === outcome.key.trim());
    assert.doesNotMatch(outcome.key, /\p{Cc}|\p{Default_Ignorable_Code_Point}/u);
  });
  fc.assert(property, { numRuns: runs(2000) });
});
