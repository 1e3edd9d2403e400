import { HOUR_MS } from '#kernel/clock.ts';
import type { Simulator } from './simulator.ts';

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
  `<sanctionEntity designationDetails="" unitedNationId="" euReferenceNumber="EU.90077.33" logicalId="900083">
    <remark>FICTIONAL ENTRY</remark>
    <regulation publicationDate="2003-07-08" programme="IRQ" logicalId="348"/>
    <subjectType code="person" classificationCode="P"/>
    <nameAlias firstName="Tomasz" middleName="Mikael" lastName="Exempelov" wholeName="Tomasz Mikael Exempelov" gender="M" strong="true" logicalId="901388"/>
    <nameAlias wholeName="Thomas Exempeloff" strong="true" logicalId="900124"/>
    <nameAlias wholeName="T. Exempelov" strong="false" logicalId="900125"/>
    <citizenship countryIso2Code="IQ" countryDescription="IRAQ" logicalId="30"/>
  </sanctionEntity>`,
  `<sanctionEntity designationDate="2022-02-25" euReferenceNumber="EU.97666.71" logicalId="935909">
    <regulation publicationDate="2022-02-25" programme="UKR" logicalId="149145"/>
    <subjectType code="person" classificationCode="P"/>
    <nameAlias wholeName="Ivan Ivanovitj PRIMEROV" gender="M" nameLanguage="SV" strong="true" logicalId="936017"/>
    <nameAlias wholeName="Иван Иванович ПРИМЕРОВ" nameLanguage="RU" strong="true" logicalId="936018"/>
    <nameAlias wholeName="Primer" strong="true" logicalId="936019"><remark>low quality alias</remark></nameAlias>
  </sanctionEntity>`,
  `<sanctionEntity designationDate="2002-06-18" euReferenceNumber="EU.93502.46" logicalId="900201">
    <regulation publicationDate="2025-01-31" programme="TERR" logicalId="9"/>
    <subjectType code="enterprise" classificationCode="E"/>
    <nameAlias wholeName="Organização Exemplo Fictícia" nameLanguage="PT" strong="true" logicalId="923121"/>
    <address countryIso2Code="00" countryDescription="UNKNOWN" logicalId="9"/>
    <address countryIso2Code="LB" countryDescription="LEBANON" logicalId="10"/>
  </sanctionEntity>`,
];

/** The EU list: it was always made some hours ago. A mismatch is a list that shrank. */
export const FSF: Simulator = {
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
