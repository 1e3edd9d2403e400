/** Verbs of work and of being, in the form that a dictionary has. */
export const ENGLISH = new Set(
  (
    'accept add adjust align allow analyse analyze annotate answer apply archive arrange ask assign attach audit authenticate automate avoid back be become block book boost bring build bump ' +
    'cache calculate call cancel capture carry catch change check choose classify clean clear clone close collect combine come compare compile complete compress compute configure confirm connect consolidate contain convert copy correct count cover create cut ' +
    'debug decide decouple decrease deduplicate define delete deliver demonstrate deny deploy deprecate describe design detect determine develop disable discover display distinguish document download draft draw drop duplicate ' +
    'edit eliminate emit enable encode encrypt end enforce enhance ensure establish evaluate exclude execute exist expand expect explain explore export expose extend extract ' +
    'fail fetch fill filter find finish fit fix flag follow force format forward gather generate get give go group grow guarantee guard handle have help hide highlight host identify ignore implement import improve include increase index inform initialise initialize insert inspect install integrate introduce investigate invite isolate ' +
    'join keep know label land launch lead learn leave let limit link lint list listen load localize lock log lower make manage map mark match measure merge migrate minify mock modernize modify monitor mount move need normalise normalize notify ' +
    'offer open optimise optimize order organise organize output pack paginate parse pass patch pay persist pick pin place plan play port prepare present preserve prevent print produce profile propose protect prove provide publish pull push put query raise rank reach read rebase rebuild receive record recover redesign redirect reduce refactor refine refuse regenerate register reject release reload remove rename render reorder repair replace replicate reply report reproduce request require research reset resize resolve respond restore restrict restructure retain retrieve retry return reuse reveal review revise rewrite roll rotate round route run ' +
    'sanitise sanitize save scale scan schedule scrape screen search secure see select send separate serve set settle share ship show shorten shrink sign simplify skip solve sort speed split stabilise stabilize standardise standardize start state stay stop store stream strip submit succeed suggest summarise summarize support suppress survey switch sync synchronise synchronize ' +
    'tag take tell terminate test throw tidy toggle track train transform translate trigger trim try tune turn type understand undo unify uninstall update upgrade upload use validate verify view visit visualise visualize wait want warn watch work wrap write'
  ).split(' '),
);
const ENGLISH_FORMS = new Set(
  'is are was were has had does did can could must should shall will would may might cannot built made ran gave got kept left sent shown written broken found held taken done begun chosen drawn given gone grown known paid put read said seen sold told thrown understood'.split(
    ' ',
  ),
);
const DUTCH = new Set(
  (
    'is zijn was waren wordt worden werd heeft hebben had kan kunnen kon moet moeten moest mag mogen zal zullen zou zouden wil willen doet doen gaat gaan komt komen staat staan krijgt krijgen laat laten ziet zien ' +
    'aanpassen pas aanmaken maak maakt maken toevoegen voeg voegt verwijderen verwijder verwijdert herstellen herstel herstelt repareren repareer bouwen bouw bouwt schrijven schrijf schrijft vertalen vertaal vertaalt testen test tonen toon toont opslaan sla slaat ' +
    'verbeteren verbeter verbetert vervangen vervang vervangt wijzigen wijzig wijzigt veranderen verander verandert bijwerken werk werkt instellen stel stelt uitzetten zet zetten aanzetten invoeren voer voert controleren controleer controleert zoeken zoek zoekt vinden vind vindt ' +
    'versturen verstuur verstuurt sturen stuur stuurt ophalen haal haalt halen lezen lees leest leveren lever levert opleveren onderzoeken onderzoek onderzoekt ontwerpen ontwerp ontwerpt ontwikkelen ontwikkel implementeren implementeer migreren migreer importeren importeer exporteren exporteer ' +
    'publiceren publiceer plaatsen plaats plaatst verplaatsen verplaats sorteren sorteer filteren filter berekenen bereken berekent tellen tel geven geef geeft nemen neem neemt gebruiken gebruik gebruikt splitsen splits samenvoegen sluiten sluit openen open opent ' +
    'beperken beperk beveiligen beveilig documenteren documenteer beschrijven beschrijf uitleggen leg opruimen ruim hernoemen hernoem koppelen koppel ontkoppelen versnellen versnel verlagen verlaag verhogen verhoog voorkomen voorkom melden meld loggen log uitbreiden breid omzetten omschrijven ' +
    'ondersteunen ondersteun blokkeren blokkeer toestaan sta weigeren weiger accepteren accepteer kiezen kies starten start stoppen stop draaien draai laden laad downloaden download uploaden upload werken lopen loopt blijven blijft houden houdt zorgen zorg zorgt regelen regel opstellen vraag vragen'
  ).split(' '),
);
/** Endings that few nouns have. */
const VERB_ENDING = /.{2}(?:i[sz](?:e|es|ed|ing)|if(?:y|ies|ied)|ified|eren|eert|geëerd)$/;

/** True for a word, in lower case, that English or Dutch uses as a verb. */
export function isVerb(word: string): boolean {
  if (ENGLISH.has(word) || ENGLISH_FORMS.has(word) || DUTCH.has(word) || VERB_ENDING.test(word)) return true;
  return stems(word).some((stem) => ENGLISH.has(stem));
}

/** The form of an English verb for one: `shows`, `catches`, `copies`. */
export function ofOne(verb: string): string {
  if (/[^aeiou]y$/.test(verb)) return `${verb.slice(0, -1)}ies`;
  return /(?:s|x|z|ch|sh|o)$/.test(verb) ? `${verb}es` : `${verb}s`;
}

/** What is left of an English verb without -s, -ed or -ing. */
function stems(word: string): string[] {
  const bare = /^(.{2,}?)(?:s|es|d|ed|ing)$/.exec(word)?.[1];
  const cut = word.replace(/(?:es|ed|ing|s|d)$/, '');
  if (bare === undefined || cut === word) return [];
  return [
    cut,
    `${cut}e`,
    cut.replace(/(.)\1$/, '$1'),
    cut.replace(/i$/, 'y'),
    word.replace(/s$/, ''),
    word.replace(/d$/, ''),
  ];
}
