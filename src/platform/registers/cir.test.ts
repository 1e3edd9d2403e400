import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { startBench } from './_registers.ts';
import { type ScriptedAnswer, startScripted } from './_scripted.ts';
import type { Insolvency } from './cir.ts';
import type { RegisterOutcome } from './outcome.ts';

const PATIENT = { deadlineMs: 60_000, attemptMs: 60_000, retries: 0 };
const NUMBER = '11998877';

const enveloped = (content: string) =>
  `<?xml version="1.0"?><s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope"><s:Body>${content}</s:Body></s:Envelope>`;
const list = (...marks: string[]) =>
  enveloped(
    `<searchUndertakingResponse><searchUndertakingResult><publicatieLijst>${marks
      .map((mark) => `<publicatieKenmerk>${mark}</publicatieKenmerk>`)
      .join('')}</publicatieLijst></searchUndertakingResult></searchUndertakingResponse>`,
  );
type Publication = readonly [day: string, text: string];
const courtCase = (publications: readonly Publication[], kvkNumber = NUMBER) =>
  enveloped(
    `<getCaseResponse><getCaseResult><insolvente><persoon><KvKNummer>${kvkNumber}</KvKNummer></persoon>${publications
      .map(
        ([day, text]) =>
          `<publicatie><publicatieDatum>${day}</publicatieDatum><publicatieOmschrijving>${text}</publicatieOmschrijving></publicatie>`,
      )
      .join('')}</insolvente></getCaseResult></getCaseResponse>`,
  );
const EMPTY_LIST = list();

interface Asked {
  readonly outcome: RegisterOutcome<Insolvency> | undefined;
  readonly alerts: readonly string[];
}

async function asked(answer: (request: string) => ScriptedAnswer): Promise<Asked> {
  await using register = await startScripted(answer);
  const cir = { url: register.url, username: 'user', password: { reveal: () => 'pass' }, soap: '1.2' as const };
  await using bench = await startBench({ policy: PATIENT, settings: () => ({ cir }) });
  const outcome = await bench.set.cir?.undertaking(NUMBER);
  return { outcome, alerts: bench.alerts };
}

async function codeOf(answer: ScriptedAnswer): Promise<string> {
  const { outcome } = await asked(() => answer);
  assert.equal(outcome?.kind, 'unavailable');
  return outcome.code;
}

suite('a list of the insolvency register', () => {
  test('that is empty and whole says that there is nothing', async () => {
    const { outcome } = await asked(() => ({ body: EMPTY_LIST }));
    assert.equal(outcome?.kind, 'not_found');
  });

  const broken: Readonly<Record<string, string>> = {
    'is cut in the middle': EMPTY_LIST.slice(0, EMPTY_LIST.indexOf('</publicatieLijst>')),
    'lacks its last character': EMPTY_LIST.slice(0, -1),
    'is followed by something': `${EMPTY_LIST}<more/>`,
    'declares entities in each other': `<!DOCTYPE s [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>${EMPTY_LIST.replace('<?xml version="1.0"?>', '')}`,
    'refers to an entity': EMPTY_LIST.replace('<publicatieLijst>', '<publicatieLijst>&nothing;'),
    'is in no envelope': EMPTY_LIST.replaceAll('Envelope', 'Letter'),
    'is the result of something else': EMPTY_LIST.replaceAll('searchUndertaking', 'searchPerson'),
    'is not there': EMPTY_LIST.replaceAll('publicatieLijst', 'overzicht'),
    'is JSON': '{"publicatieLijst":[]}',
    'is a page': '<!DOCTYPE html><html><body>Onderhoud</body></html>',
    'is nothing at all': '',
    'names more cases than one company can have': list(...Array.from({ length: 21 }, (_, n) => `01.san.26.${n}`)),
  };
  for (const [what, body] of Object.entries(broken)) {
    test(`that ${what} is malformed, never "nothing found"`, async () => {
      assert.equal(await codeOf({ body }), 'MALFORMED_RESPONSE');
    });
  }

  test('with another status than 200 is no answer', async () => {
    assert.equal(await codeOf({ status: 500, body: EMPTY_LIST }), 'HTTP_ERROR');
  });
});

suite('a refusal of the insolvency register', () => {
  test('of our user is told to the operator', async () => {
    const reason = '<s:Fault><s:Reason><s:Text>Security requirements are not satisfied</s:Text></s:Reason></s:Fault>';
    const { outcome, alerts } = await asked(() => ({ status: 500, body: enveloped(reason) }));
    assert.equal(outcome?.kind === 'unavailable' && outcome.class, 'config');
    assert.deepEqual(alerts, ['cir AUTH_FAILED']);
  });

  test('of another kind is a fault of the register', async () => {
    const reason = '<s:Fault><s:Reason><s:Text>Something else</s:Text></s:Reason></s:Fault>';
    assert.equal(await codeOf({ status: 500, body: enveloped(reason) }), 'SOAP_FAULT');
  });

  test('with an error code has that code, also beside an empty list', async () => {
    const body = EMPTY_LIST.replace('<publicatieLijst>', '<exceptie errorcode="9999">x</exceptie><publicatieLijst>');
    assert.equal(await codeOf({ body }), '9999');
  });
});

/** Cases of one company, each with its publications, and the state of the company. */
const STATES: readonly (readonly [what: string, state: string, cases: readonly (readonly Publication[])[]])[] = [
  ['a ruling', 'ACTIVE', [[['2026-01-02', 'Uitspraak faillissement']]]],
  ['rulings in the plural', 'ACTIVE', [[['2026-01-02', 'Uitspraken surséance']]]],
  [
    'an end after a ruling',
    'ENDED',
    [
      [
        ['2026-02-01', 'Einde faillissement'],
        ['2025-01-01', 'Uitspraak faillissement'],
      ],
    ],
  ],
  [
    'a ruling after an end',
    'ACTIVE',
    [
      [
        ['2025-01-01', 'Opheffing'],
        ['2026-02-01', 'Uitspraak schuldsanering'],
      ],
    ],
  ],
  [
    'a ruling and an end on one day',
    'ACTIVE',
    [
      [
        ['2026-02-01', 'Einde'],
        ['2026-02-01', 'Uitspraak faillissement'],
      ],
    ],
  ],
  ['a ruling that is annulled', 'ENDED', [[['2026-02-01', 'Vernietiging van de uitspraak faillissement']]]],
  ['a text that says neither', 'UNDETERMINED', [[['2026-02-01', 'Neerlegging van een lijst']]]],
  ['no publication', 'UNDETERMINED', [[]]],
  [
    'one ended case and one that runs',
    'ACTIVE',
    [[['2026-02-01', 'Einde']], [['2020-01-01', 'Uitspraak faillissement']]],
  ],
  ['one ended case and one unclear', 'UNDETERMINED', [[['2026-02-01', 'Einde']], [['2020-01-01', 'Overig']]]],
];

suite('the state of a company', () => {
  for (const [what, state, cases] of STATES) {
    test(`${what} is ${state}`, async () => {
      const { outcome } = await asked((request) => {
        const [, index] = /<publicationNumber>case (\d)</.exec(request) ?? [];
        if (index === undefined) return { body: list(...cases.keys().map((n) => `case ${n}`)) };
        return { body: courtCase(cases[Number(index)] ?? []) };
      });
      assert.deepEqual(outcome?.kind === 'answered' && outcome.value, { state, cases: cases.length });
    });
  }

  test('is not told from the case of another company', async () => {
    const body = courtCase([['2026-01-02', 'Uitspraak faillissement']], '00000000');
    const { outcome } = await asked((request) => ({ body: request.includes('getCase') ? body : list('case 0') }));
    assert.equal(outcome?.kind === 'unavailable' && outcome.code, 'RESPONSE_MISMATCH');
  });

  test('is not told while one of its cases cannot be read', async () => {
    const { outcome } = await asked((request) => ({
      body: request.includes('case 1')
        ? '<broken'
        : request.includes('case 0')
          ? courtCase([['2026-02-01', 'Einde']])
          : list('case 0', 'case 1'),
    }));
    assert.equal(outcome?.kind === 'unavailable' && outcome.code, 'MALFORMED_RESPONSE');
  });
});
