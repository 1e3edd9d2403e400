import { jsonAnswer, type Simulator, type SimulatorAnswer } from './simulator.ts';

/** The numbers of the official test service and what each of them does. */
const TEST_CODES: Readonly<Record<string, string>> = {
  '100': 'valid',
  '200': 'invalid',
  '201': 'INVALID_INPUT',
  '202': 'INVALID_REQUESTER_INFO',
  '300': 'SERVICE_UNAVAILABLE',
  '301': 'MS_UNAVAILABLE',
  '302': 'TIMEOUT',
  '400': 'VAT_BLOCKED',
  '401': 'IP_BLOCKED',
  '500': 'GLOBAL_MAX_CONCURRENT_REQ',
  '501': 'GLOBAL_MAX_CONCURRENT_REQ_TIME',
  '600': 'MS_MAX_CONCURRENT_REQ',
  '601': 'MS_MAX_CONCURRENT_REQ_TIME',
};

/** Further numbers with an answer of their own; what is not listed is not valid. */
const KNOWN: Readonly<Record<string, string>> = {
  NL999900018B01: 'valid',
  NL000099998B57: 'valid',
  FR00000000000: 'MS_UNAVAILABLE',
};

const HOLDERS: Readonly<Record<string, { readonly name: string; readonly address: string }>> = {
  NL999900018B01: { name: 'VOORBEELD HANDEL B.V.', address: 'VOORBEELDWEG 1\n1234AB VOORBEELDSTAD' },
  NL000099998B57: { name: 'SAMPLE B.V.', address: 'MONSTERLAAN 2\n4321ZZ MONSTERSTAD' },
};
const UNDISCLOSED = { name: '---', address: '---' };

interface Checked {
  readonly countryCode?: string;
  readonly vatNumber?: string;
  readonly requesterNumber?: string;
}

export const VIES: Simulator = {
  answer({ method, path, body, nowMs, isMismatched }) {
    if (path === '/check-status') return checkStatus();
    const [, state, national] = /^\/ms\/([A-Z]{2})\/vat\/([0-9A-Z+*]+)$/.exec(path) ?? [];
    if (method === 'GET' && state !== undefined && national !== undefined) return pageForm(state, national, nowMs);
    const isTest = path === '/check-vat-test-service';
    if (method !== 'POST' || !(isTest || path === '/check-vat-number')) return jsonAnswer(404, {});
    const { countryCode = '', vatNumber = '', requesterNumber } = JSON.parse(body) as Checked;
    const code = isTest ? (TEST_CODES[vatNumber] ?? 'INVALID_INPUT') : codeOf(countryCode, vatNumber);
    if (code !== 'valid' && code !== 'invalid') return refused(code);
    return jsonAnswer(200, {
      countryCode,
      vatNumber: isMismatched ? `${vatNumber.slice(0, -1)}X` : vatNumber,
      requestDate: new Date(nowMs).toISOString(),
      valid: code === 'valid',
      requestIdentifier: requesterNumber === undefined ? '' : 'WAPISANDBOX00001',
      ...(HOLDERS[countryCode + vatNumber] ?? UNDISCLOSED),
    });
  },
  throttle: () => refused('MS_MAX_CONCURRENT_REQ'),
};

/** A German number DE99900, a code of the test service and a check digit does what that code does. */
function codeOf(countryCode: string, number: string): string {
  const [, testCode] = (countryCode === 'DE' && /^99900(\d{3})\d$/.exec(number)) || [];
  return KNOWN[countryCode + number] ?? TEST_CODES[testCode ?? ''] ?? 'invalid';
}

function refused(code: string): SimulatorAnswer {
  return jsonAnswer(200, { actionSucceed: false, errorWrappers: [{ error: code }] });
}

/** The form behind the web page: an outage looks like "not valid" there unless the code is read. */
function pageForm(state: string, number: string, nowMs: number): SimulatorAnswer {
  const code = codeOf(state, number);
  return jsonAnswer(200, {
    isValid: code === 'valid',
    requestDate: new Date(nowMs).toISOString(),
    userError: code.toUpperCase(),
    ...(HOLDERS[state + number] ?? UNDISCLOSED),
    requestIdentifier: '',
    vatNumber: number,
  });
}

function checkStatus(): SimulatorAnswer {
  const countries = ['DE', 'FR', 'NL'].map((countryCode) => ({ countryCode, availability: 'Available' }));
  return jsonAnswer(200, { vow: { available: true }, countries });
}
