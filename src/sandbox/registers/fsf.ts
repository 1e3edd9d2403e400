import type { StandIn } from './stand-in.ts';

const HOUR_MS = 3_600_000;
const LIST_AGE_HOURS = 6;

/** Every name is invented. */
const ENTITIES: readonly string[] = [
  `<sanctionEntity designationDetails="" unitedNationId="" euReferenceNumber="EU.80001.11" logicalId="80001">
    <remark>invented</remark>
    <regulation publicationDate="2019-05-01" programme="OLD" logicalId="1"><publicationUrl>https://law.example/?a=1&amp;b=2</publicationUrl></regulation>
    <regulation publicationDate="2024-06-01" programme="NEW" logicalId="2"/>
    <subjectType code="person" classificationCode="P"/>
    <nameAlias firstName="Anton" middleName="Borisovich" lastName="Vymyslov" wholeName="Anton Borisovich VYMYSLOV" gender="M" strong="true" logicalId="3"/>
    <nameAlias wholeName="Антон Борисович ВЫМЫСЛОВ" nameLanguage="RU" strong="true" logicalId="4"/>
    <nameAlias wholeName="Tony Vymy" strong="false" logicalId="5"/>
    <nameAlias wholeName="Shadow Badger" strong="true" logicalId="6"><remark>Low quality alias</remark></nameAlias>
    <citizenship countryIso2Code="XB" countryDescription="INVENTED"/>
  </sanctionEntity>`,
  `<sanctionEntity logicalId="80002">
    <regulation publicationDate="2024-06-01" programme="NEW"/>
    <subjectType classificationCode="E"/>
    <nameAlias wholeName="Zephyrion &quot;Marble&quot; Trading GmbH &#38; Co. KG"/>
    <address countryIso2Code="XC"/>
  </sanctionEntity>`,
  `<sanctionEntity euReferenceNumber="EU.80003.33" logicalId="80003">
    <subjectType code="person"/>
    <nameAlias firstName="Khalid" middleName="" lastName="al-Mukhtarani" wholeName="" strong="true"/>
  </sanctionEntity>`,
  `<sanctionEntity euReferenceNumber="EU.80004.44" logicalId="80004">
    <subjectType code="enterprise"/>
    <nameAlias wholeName="Unit 61398 of the Lumarian Guard"/>
    <nameAlias wholeName="Brigade Forty-Four"/>
  </sanctionEntity>`,
  `<sanctionEntity euReferenceNumber="EU.80005.55" logicalId="80005">
    <regulation publicationDate="2025-01-01" programme="NEW"/>
    <subjectType code="enterprise"/>
    <nameAlias wholeName="Slapende Zaak B.V."/>
    <address countryIso2Code="XD"/>
  </sanctionEntity>`,
];

/** The EU list: it was always made some hours ago. A mismatch is a list that shrank. */
export const FSF: StandIn = {
  answer({ nowMs, isMismatched }) {
    const generated = new Date(nowMs - LIST_AGE_HOURS * HOUR_MS).toISOString();
    const entities = isMismatched ? ENTITIES.slice(0, 1) : ENTITIES;
    const body =
      '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n' +
      `<export xmlns="http://eu.europa.ec/fpi/fsd/export" generationDate="${generated}" globalFileId="1">\n` +
      `${entities.join('\n')}\n</export>\n`;
    return { status: 200, headers: { 'content-type': 'application/xml' }, body };
  },
  throttle: () => ({ status: 500, headers: { 'content-type': 'text/plain' }, body: 'Internal Server Error' }),
};
