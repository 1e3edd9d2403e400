import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from '#properties';
import { cleanLines } from '#kernel/foreign-text.ts';
import { HOSTILE_TEXTS } from '../../../../test/evals/lint-texts.ts';
import type { CardField } from '../card.ts';
import { findElements, LINT_ELEMENTS, lintAnswer } from './lint.ts';

const stated = (text: string) => [...findElements(cleanLines(text, 16_384)).keys()];
const isStated = (element: CardField, text: string) => stated(text).includes(element);

test('each element is found by what states it, in English and in Dutch', () => {
  const texts: [CardField, string[]][] = [
    ['goal', ['Fix the parser', 'Voeg een knop toe']],
    [
      'acceptance',
      [
        'Done when the suite is green',
        '## Acceptance criteria\n- one',
        'Klaar wanneer alles groen is',
        '- [ ] prices have two decimals',
        'It must return 404',
        'De lijst moet alle namen bevatten',
      ],
    ],
    [
      'target',
      ['see lib/a.ts', 'GET /v1/users', 'on the login page', 'op de inlogpagina of in het menu', 'change README.md'],
    ],
    [
      'boundaries',
      [
        'Do not change the schema',
        'without breaking callers',
        '## Non-goals\nSpeed',
        'Verander niets aan de opmaak',
        'Geen nieuwe bibliotheken',
        'Keep the API backwards compatible',
      ],
    ],
    ['output', ['Open a pull request', 'Deliver a PDF', 'Lever een rapport op', 'Maak één PR']],
    [
      'inputs',
      ['See https://example.org/x', '![](a.png)', '```\nlog\n```', 'Steps to reproduce: click', 'Zie de bijlage'],
    ],
    [
      'evaluator',
      ['Reviewed by the maintainers', 'CI must be green', 'Wordt beoordeeld door de redactie', '@anna approves it'],
    ],
    [
      'reward_usd',
      ['Bounty: $1,500', 'We pay 2k USDC', 'This is unpaid', 'Vergoeding: € 250', 'Het werk is onbetaald'],
    ],
    [
      'expires_at',
      ['by 2027-01-31', 'before Friday', 'within 3 days', 'No deadline', 'uiterlijk 1 maart', 'binnen twee weken'],
    ],
    [
      'if_unclear',
      [
        'If anything is unclear, ask here',
        'Use your best judgement',
        'Bij twijfel: vraag het',
        'State your assumptions',
      ],
    ],
    [
      'spend_cap_usd',
      ['Spend at most $20 on API calls', 'No costs allowed', 'Maximaal 20 euro aan kosten', 'Geen betaalde diensten'],
    ],
  ];
  for (const [element, ways] of texts) for (const way of ways) assert.ok(isStated(element, way), `${element}: ${way}`);
});

test('what only looks like an element states nothing', () => {
  const texts: [CardField, string[]][] = [
    ['boundaries', ['It does not work', 'I do not see the button', 'Het werkt niet', 'The list never changes']],
    [
      'acceptance',
      [
        '## Acceptance criteria\n\n## Notes\nthe list',
        '<!-- done when it works -->',
        '```\nmust return 1\n```',
        '## Expected behavior\nA clear and concise description of what you expected to happen.',
        '- [x] I have searched for duplicates',
      ],
    ],
    ['inputs', ['## Logs\n_No response_', '**Screenshots**\nN/A']],
    ['reward_usd', ['The total is $5 too high', 'The invoice shows 20 EUR']],
    ['expires_at', ['It answers within 5 seconds', 'you may try it']],
    ['target', ['read and/or write', 'client/server']],
    ['output', ['Since PR #12 the list is empty']],
    ['spend_cap_usd', ['Bounty: $100']],
  ];
  for (const [element, ways] of texts) for (const way of ways) assert.ok(!isStated(element, way), `${element}: ${way}`);
});

test('on the labelled texts the lint is as good as promised, in the half that was used and in the other', () => {
  const file = new URL('../../../../test/vectors/brief-lint.json', import.meta.url);
  const { texts } = JSON.parse(readFileSync(file, 'utf8')) as {
    texts: { part: string; stated: string[]; text: string }[];
  };
  for (const part of ['development', 'held_out']) {
    const tally = { hits: 0, wrong: 0 };
    for (const row of texts.filter((one) => one.part === part)) {
      const found = stated(row.text);
      for (const element of LINT_ELEMENTS.filter((name) => name !== 'goal')) {
        const isFound = found.includes(element);
        if (isFound && row.stated.includes(element)) tally.hits += 1;
        else if (isFound !== row.stated.includes(element)) tally.wrong += 1;
      }
    }
    const f1 = (2 * tally.hits) / (2 * tally.hits + tally.wrong);
    assert.ok(f1 >= 0.85, `${part}: ${f1}`);
  }
});

const anyText = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 300 }),
  fc
    .array(
      fc.constantFrom(
        'must ',
        'return ',
        '# ',
        '\n',
        '`',
        '$5 ',
        'bounty ',
        '- [ ] ',
        '<!--',
        '-->',
        'a/b.ts',
        '\u200b',
        'ﬁ',
        'İ',
        '**',
        ': ',
      ),
      { maxLength: 60 },
    )
    .map((parts) => parts.join('')),
  fc.constantFrom(...Object.values(HOSTILE_TEXTS)),
);

test('all eleven elements are answered, the same each time, with words of the cleaned text', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const answer = lintAnswer(text, undefined);
      assert.deepEqual(lintAnswer(text, undefined), answer);
      assert.deepEqual(
        answer.elements.map(({ element }) => element),
        [...LINT_ELEMENTS],
      );
      const clean = cleanLines(text, 16_384);
      for (const { seems_stated: isFound, untrusted_matched: words } of answer.elements) {
        assert.equal(isFound, words !== null);
        assert.ok(
          words === null || (clean.includes(words) && words !== '' && Array.from(words).length <= 60),
          String(words),
        );
      }
      assert.ok(
        answer.questions.length <= 3 && answer.questions.every(({ element }) => answer.missing.includes(element)),
      );
    }),
  );
});

test('a text in another language is said to be one', () => {
  const texts = [
    'Bitte die Suche reparieren, weil nach dem letzten Update keine Ergebnisse mehr angezeigt werden und der Fehler bleibt',
    '検索結果が表示されません。修正してください。よろしくお願いします',
    'Veuillez corriger la recherche parce que les résultats ne sont plus affichés depuis la mise à jour précédente',
  ];
  for (const text of texts) assert.equal(lintAnswer(text, undefined).language_supported, false, text);
  assert.equal(lintAnswer('Fix the search', undefined).language_supported, true);
  assert.deepEqual(
    [lintAnswer('De knop moet groen worden', undefined).language, lintAnswer('De knop', 'fr, en;q=0.5').language],
    ['nl', 'en'],
  );
});
