import { dayFrom, type Simulator, type SimulatorAnswer } from './simulator.ts';

/** What was published about a company, the newest last: days from now and text. */
const PUBLICATIONS: Readonly<Record<string, readonly (readonly [days: number, text: string])[]>> = {
  '11998877': [[-30, 'Uitspraak faillissement']],
  '11998878': [
    [-400, 'Uitspraak faillissement'],
    [-20, 'Einde faillissement door opheffing'],
  ],
  '11998879': [[-10, 'Overig: neerlegging van een lijst']],
};
/** A company about which the register answers with an application error. */
const REFUSED_NUMBER = '11998870';

const markOf = (kvkNumber: string) => `01.san.26.${kvkNumber}.F.1300.1.26`;

export const CIR: Simulator = {
  answer({ body, header, nowMs, isMismatched }) {
    const soap12 = (header('content-type') ?? '').startsWith('application/soap+xml');
    const [, action = ''] = /<wsa:Action>([^<]*)<\/wsa:Action>/.exec(body) ?? [];
    const isRightAction = soap12 ? /\/CIRSoap\/\w+Request$/.test(action) : /\/cir01\/\w+$/.test(action);
    const envelope = (content: string, status = 200) => reply(soap12, status, content);
    if (!/<wsse:Username>[^<]+<\/wsse:Username><wsse:Password/.test(body)) {
      return envelope(fault(soap12, 'Security requirements are not satisfied'), 500);
    }
    if (!isRightAction) return envelope(fault(soap12, 'The action is not recognised'), 500);
    const [, kvkNumber] = /<commercialRegisterID>(\d{8})<\/commercialRegisterID>/.exec(body) ?? [];
    if (kvkNumber === REFUSED_NUMBER) {
      return envelope(result('searchUndertaking', '<exceptie errorcode="1001">Fictieve fout</exceptie>'));
    }
    if (kvkNumber !== undefined) {
      const mark = PUBLICATIONS[kvkNumber] && `<publicatieKenmerk>${markOf(kvkNumber)}</publicatieKenmerk>`;
      return envelope(result('searchUndertaking', `<publicatieLijst>${mark ?? ''}</publicatieLijst>`));
    }
    const [, asked = ''] = /<publicationNumber>01\.san\.26\.(\d{8})/.exec(body) ?? [];
    const content = PUBLICATIONS[asked]
      ?.map(([days, text]) => publication(dayFrom(nowMs, days), text, markOf(asked)))
      .join('');
    return envelope(result('getCase', insolvent(isMismatched ? '00000000' : asked, content ?? '')));
  },
  throttle: ({ header }) => {
    const soap12 = (header('content-type') ?? '').startsWith('application/soap+xml');
    return reply(soap12, 200, result('searchUndertaking', '<exceptie errorcode="9999">Te veel aanvragen</exceptie>'));
  },
};

function insolvent(kvkNumber: string, publications: string): string {
  return (
    '<inspubWebserviceInsolvente><insolvente><insolventienummer>F.01/26/1</insolventienummer><persoon>' +
    `<rechtspersoonlijkheid>rechtspersoon</rechtspersoonlijkheid><KvKNummer>${kvkNumber}</KvKNummer></persoon>` +
    `<publicatiegeschiedenis>${publications}</publicatiegeschiedenis></insolvente></inspubWebserviceInsolvente>`
  );
}

function publication(date: string, text: string, mark: string): string {
  return (
    `<publicatie><publicatieDatum>${date}</publicatieDatum><publicatieKenmerk>${mark}</publicatieKenmerk>` +
    `<publicatieOmschrijving>${text}</publicatieOmschrijving></publicatie>`
  );
}

function result(operation: string, content: string): string {
  const inner = `<${operation}Result>${content}</${operation}Result>`;
  return `<${operation}Response xmlns="http://www.rechtspraak.nl/namespaces/cir01">${inner}</${operation}Response>`;
}

function fault(soap12: boolean, reason: string): string {
  if (!soap12) return `<s:Fault><faultcode>s:Client</faultcode><faultstring>${reason}</faultstring></s:Fault>`;
  return `<s:Fault><s:Code><s:Value>s:Sender</s:Value></s:Code><s:Reason><s:Text>${reason}</s:Text></s:Reason></s:Fault>`;
}

function reply(soap12: boolean, status: number, content: string): SimulatorAnswer {
  const namespace = soap12 ? 'http://www.w3.org/2003/05/soap-envelope' : 'http://schemas.xmlsoap.org/soap/envelope/';
  const type = soap12 ? 'application/soap+xml' : 'text/xml';
  const body = `<?xml version="1.0" encoding="utf-8"?><s:Envelope xmlns:s="${namespace}"><s:Body>${content}</s:Body></s:Envelope>`;
  return { status, headers: { 'content-type': `${type}; charset=utf-8` }, body };
}
