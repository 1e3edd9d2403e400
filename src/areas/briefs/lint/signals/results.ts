/** Words by which a plain statement about the result, in the present tense, is told from one about today's state. */

import { ENGLISH, ofOne } from '../verbs.ts';

const set = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** Says as often what is the case today, so it needs a participle beside it. */
export const IS = set(
  'is are has have can may gets get runs works comes come goes takes makes keeps keep reads says uses needs wants open staat wordt worden kan kunnen heeft hebben komt komen gaat levert leveren werkt werken zijn',
);
/** What a result does that one can watch. */
const SHOWN = set(
  'show appear match survive give contain equal remain stay return receive include fit pass round agree work carry reach ' +
    'equals totals names overrides fires flips jumps asks warns scrolls becomes succeeds happens means carries reaches exits yields vanishes disappears lasts counts clears ' +
    'toont tonen staan krijgt krijgen blijft blijven laadt opent bevat bevatten geeft verschijnt verschijnen slaagt slagen klopt kloppen horen onthoudt weigert stopt verdwijnt meldt vermeldt telt komt schuift',
);
/** Mostly nouns, or verbs of what is the case. */
const NO_VERBS = set(
  'reports tests lists logs views links formats changes calls cuts orders records reviews plans places prints profiles queries ranks reads requests routes screens searches sets shares states stores streams tags tracks types uses updates uploads downloads exports imports documents designs drafts drops duplicates copies blocks backs books builds caches checks claims commits counts covers ends fixes flags groups guards hosts indexes labels lands leads learns limits loads locks maps marks measures mocks needs offers opens outputs packs patches ports presents produces releases replies results returns rounds runs scales schedules signs sorts starts submits supports surveys switches syncs trains triggers tunes wants watches works wraps answers applies is has does knows expects uses understands',
);
export const DOES: ReadonlySet<string> = new Set([...ENGLISH].map(ofOne))
  .difference(NO_VERBS)
  .difference(IS)
  .union(SHOWN)
  .union(
    set(
      'lists displays prints returns opens covers loads starts ends updates sorts rounds blocks supports reports copies',
    ),
  );
/** What is seen of a result: `is listed`. */
export const SEEN = set(
  'shown listed displayed sorted hidden kept marked logged refused rejected accepted visible empty unchanged unaffected identical green valid readable reachable disabled enabled selected highlighted rounded preserved retained linked named separated included present possible available searchable translated untouched reported returned redirected recognisable recognizable getoond zichtbaar leeg gelijk verborgen gesorteerd geweigerd gemeld vermeld leesbaar bereikbaar toegankelijk ongewijzigd',
);
/** Measures and wholes, which a wish states more often than a complaint. */
export const MEASURES = set(
  'all every each both exactly most least regardless whatever none <cmp> within alone elke elk alle beide precies hoogstens hooguit minstens minimaal maximaal binnen één ongeacht',
);
/** Says no as part of a wish too; in a complaint it is no more than that. */
export const DENIALS = set('not never no nothing always only still nooit nog altijd');
/** Who begins such a statement speaks of himself, of the terms or of the work. */
export const NO_RESULTS = set(
  "i we you my our your i'm we're they he she someone somebody anyone people who there must should what how this that's it's which budget deadline fee payment payout reward bounty contest pr prs review questions question deadline attacker attackers manual current currently version client's reason cause background context problem reviewer maintainer maintainers team mention ik wij we je u jij jullie mijn onze er dit dat budget vergoeding reageren vragen reden oorzaak",
);
/** A sentence with one of these tells of trouble or of today. */
export const TROUBLES = set(
  "but currently now wrong error errors crash crashes crashed fails failing sometimes today since instead was were had did does do twice because though although however yesterday already bug problem broken doesn't don't isn't can't won't aren't cannot maybe probably seems looks think slow slowly stops hangs dies freezes breaks missing lost loses blank stuck which unfortunately annoying nobody incorrect incorrectly unexpected weird garbled cut duplicate duplicated <money> nu fout foutmelding maar soms sinds niet niets geen probleem helaas traag vast weg niemand verkeerd verkeerde dubbel was waren",
);
/** With these a part of a sentence asks for something. */
export const ASKS_FOR = set(
  "please pls let's need needs want wanted wish i'd we'd should looking add adding gezocht graag voeg maak verwijder pas herstel bouw schrijf vertaal verbeter vervang wijzig toon zorg ontwerp ontwikkel haal laat ruim zet stel beperk koppel sorteer wil moet moeten toevoegen aanpassen uitbreiden vervangen verbeteren maken opschonen vernieuwen opruimen",
);
/** Before these a verb in its bare form is no verb of a statement. */
export const NO_SUBJECTS = set(
  'to and or can will would should must could may not please you i we they the a an this that no',
);
