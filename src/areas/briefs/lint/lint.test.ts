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

test('templates that nobody filled in state nothing at all', () => {
  const texts = [
    "**Describe the bug**\nA clear and concise description of what the bug is.\n\n**To Reproduce**\nSteps to reproduce the behavior:\n1. Go to '...'\n2. See error\n\n**Expected behavior**\nA clear and concise description of what you expected to happen.",
    '## Steps to reproduce\n1.\n2.\n3.\n\n## Expected\n\n## Version',
    'AC 1:\nAC 2:\nAC 3:',
    '**Reward:** tbd\n**Deadline:** TBD\n**Deliverables:** n/a',
    'acceptance:\ninputs:\nboundaries:\noutput:\nevaluator:\nreward_usd:',
    '## Acceptatiecriteria\n- [ ] Gegeven [context] als [actie] dan [resultaat]\n\n## Deadline\ndd-mm-jjjj\n\n## Beoordelaar\n[naam]',
    '# Task\n<one sentence>\n\n# Done when\n<how will we see it>\n\n# Budget\n$<max>',
    '<!-- Deadline? Reward? Reviewed by whom? -->',
    '### Type\n- [ ] bug in the code\n- [x] wish of some users\n\n### Are you willing to submit a PR?\n- [ ] Yes I am willing to submit a PR!',
  ];
  for (const text of texts) {
    assert.deepEqual(
      stated(text).filter((element) => element !== 'goal'),
      [],
      text,
    );
  }
});

test('a label whose value was filled in is read together with it', () => {
  const text = [
    'goal: add retry to the uploader',
    'acceptance:',
    'target: lib/upload.rb',
    'done_when: "npm test passes"',
    'do_not: "bump the version"',
    'max_cost: "$1.50"',
    '**Deadline** 30 November 2027',
    '**Jury** Mrs De Wit',
  ].join('\n');
  const found = stated(text);
  for (const element of ['acceptance', 'target', 'boundaries', 'spend_cap_usd', 'expires_at', 'evaluator'] as const) {
    assert.ok(found.includes(element), element);
  }
  assert.ok(!found.includes('reward_usd'));
});

const CLASSES: Readonly<Record<string, { is: [CardField, string][]; isNot: [CardField, string][] }>> = {
  'a form that the product makes is not the form of the hand-over': {
    is: [
      ['output', 'Deliver a CSV'],
      ['output', 'Send me the result as a spreadsheet'],
      ['output', 'A PR that swaps the two lines would be very welcome'],
      ['output', 'Graag terug als Word-bestand'],
    ],
    isNot: [
      ['output', 'Users can export the list as CSV'],
      ['output', 'I already have a PR open for this'],
      ['output', 'Would you accept a patch that adds FreeBSD support?'],
      ['output', 'De gebruiker kan de lijst als Excel downloaden'],
    ],
  },
  'a reference is not material to work from': {
    is: [
      ['inputs', 'Log of last night: https://paste.example.org/xk29'],
      ['inputs', 'The mock-up is in Figma'],
      ['inputs', 'Steps to reproduce:\n1. open two windows\n2. close the first'],
      ['inputs', "De foto's staan op de server"],
      ['inputs', '2027-02-11T08:14:02Z ERROR orders.list failed'],
    ],
    isNot: [
      ['inputs', 'Related to #8, see also #77'],
      ['inputs', 'https://status.example.com looks fine'],
      ['inputs', 'Duplicate of https://github.com/a/b/issues/12'],
      ['inputs', 'Version 3.2, Windows 11'],
      ['inputs', 'Steps to reproduce:\n1.\n2.'],
    ],
  },
  'a prohibition is a boundary only where it is aimed at the worker': {
    is: [
      ['boundaries', 'Never drop the table before step 2'],
      ['boundaries', 'Leave the editor alone, please'],
      ['boundaries', 'Native speakers only.'],
      ['boundaries', 'No machine translation.'],
      ['boundaries', 'De DNS blijft bij ons, geen upgrades tegelijk'],
    ],
    isNot: [
      ['boundaries', 'Admins must not be able to delete the last owner'],
      ['boundaries', 'I do not see any logs'],
      ['boundaries', 'No error in the console.'],
      ['boundaries', 'Gebruikers mogen geen lege naam invullen'],
    ],
  },
  'a wish in general is no acceptance, a result that can be seen is': {
    is: [
      ['acceptance', 'Expected: the second label comes out'],
      ['acceptance', 'Working = a test payment arrives'],
      ['acceptance', 'I am happy when biber runs without warnings'],
      ['acceptance', 'Agreement with the gold labels has to be ≥ 0.9'],
      ['acceptance', 'Het is opgelost als geen brief dubbel wordt verstuurd'],
    ],
    isNot: [
      ['acceptance', 'The app should be faster'],
      ['acceptance', 'We should really think about it'],
      ['acceptance', 'The server must be patched'],
      ['acceptance', 'I have to restart the service each time'],
    ],
  },
  'an evaluator is somebody who judges this work': {
    is: [
      ['evaluator', 'Wei reviews the diff'],
      ['evaluator', 'The leaderboard decides'],
      ['evaluator', 'De directie kijkt ernaar en beslist'],
    ],
    isNot: [
      ['evaluator', 'The form checks the address'],
      ['evaluator', 'The PR was approved last week'],
      ['evaluator', 'Reviewers should be able to set a date'],
    ],
  },
  'money and dates of the product are not those of the work': {
    is: [
      ['reward_usd', 'I can offer 50 bucks'],
      ['reward_usd', 'Prize: NZ$450 for the winner'],
      ['expires_at', 'Contest closes on 9 August'],
      ['spend_cap_usd', 'You have a $10 allowance for compute'],
      ['spend_cap_usd', 'Costs for anything else are not refunded'],
    ],
    isNot: [
      ['reward_usd', 'I get charged $4.99 every month'],
      ['reward_usd', 'If you sponsor with $25/month do you get support?'],
      ['expires_at', 'After the deadline the document becomes read only'],
      ['expires_at', 'The token expires in 15 minutes'],
      ['spend_cap_usd', 'The budget for this job is $200'],
    ],
  },
  'doubt counts where the worker is told what to do': {
    is: [
      ['if_unclear', 'Missing context for a string? Leave it in English.'],
      ['if_unclear', 'Anything not specified: your call'],
      ['if_unclear', 'Kom je er niet uit, schuif aan bij het spreekuur'],
    ],
    isNot: [
      ['if_unclear', 'It is unclear to me why this happens'],
      ['if_unclear', 'Who can I contact for a refund?'],
      ['if_unclear', 'If I am not sure, should I assume it is infinite?'],
    ],
  },
  'a statement in the present tense is a result behind an order or a title, not as a complaint': {
    is: [
      ['acceptance', 'Sort the archive\n\nThe list shows the newest entry first.'],
      ['acceptance', 'Guest list on the kiosk\n\nTapping a name opens the badge.'],
      ['acceptance', 'The receipt has the wrong date. Every receipt carries the day of the sale.'],
      ['acceptance', 'Maak het rooster compacter. De kop blijft in beeld.'],
      ['goal', 'Guest list on the kiosk\n\nTapping a name opens the badge.'],
    ],
    isNot: [
      ['acceptance', 'The list shows the oldest entry first.'],
      ['acceptance', 'Badges printed upside down\n\nThe printer feeds the paper from the left.'],
      ['acceptance', 'Sort the archive. Our archive contains letters.'],
      ['acceptance', 'Clean the cache. It currently keeps a copy per visitor.'],
    ],
  },
  'a place is a screen, a machine or a way through menus': {
    is: [
      ['target', 'Op het roosterscherm ontbreekt de pauze'],
      ['target', 'Restart the agent on print-node-04'],
      ['target', 'Profile > Privacy has no back button'],
    ],
    isNot: [
      ['target', 'Decode as utf-8'],
      ['target', 'Maak een webpagina over vogels'],
    ],
  },
};

for (const [rule, { is, isNot }] of Object.entries(CLASSES)) {
  test(rule, () => {
    for (const [element, text] of is) assert.ok(isStated(element, text), `${element} is stated: ${text}`);
    for (const [element, text] of isNot) assert.ok(!isStated(element, text), `${element} is not stated: ${text}`);
  });
}

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
