// A fictional list for the sanctions evaluation and for tests.
import type { ListedEntity, SanctionsList } from '#platform/screening/fsf-list.ts';
import { Dice, words } from '#platform/screening/quality/common-names.ts';
import { mangled, PLANTED_FORMS } from '#platform/screening/quality/name-changes.ts';

const SYLLABLES = words(
  'bra dor fen gul hav jor kel lum mar nev pol quin ras sil tav ulm vor wen zar thal khar shen bek dun fir gor hul',
);
const ENDINGS = words('ov ski enko adze ani zai bek ez son berg ian escu oglu uddin a i un ema');
const FIRM_WORDS = words(
  'Trading Shipping Petrochemical Bank Industries Engineering Investment Foundation Logistics Energy Exchange Aviation Holding',
);

function inventedWord(dice: Dice): string {
  const text = dice.of(SYLLABLES) + dice.of(SYLLABLES) + (dice.chance(0.6) ? dice.of(ENDINGS) : '');
  return text[0]?.toUpperCase() + text.slice(1);
}

const LISTED_GIVEN = words(
  'Muhammad Ahmad Ali Hassan Hussein Ibrahim Khalid Mustafa Omar Yusuf Mahmoud Salim Sergei Aleksandr Vladimir Dmitry Andrei Igor Oleg Viktor Luis Carlos Jorge Miguel Kim Pak Abdul Reza Tariq Walid',
);

/** A list of invented persons and firms in the mix of a real one. */
export function fictionalList(count: number, seed: number): SanctionsList {
  const dice = new Dice(seed);
  const entities = Array.from({ length: count }, (_, number): ListedEntity => {
    const isPerson = dice.chance(0.65);
    const base = isPerson
      ? [dice.of(LISTED_GIVEN), ...(dice.chance(0.6) ? [inventedWord(dice)] : []), inventedWord(dice)]
      : [
          inventedWord(dice),
          ...(dice.chance(0.4) ? [inventedWord(dice)] : []),
          dice.of(FIRM_WORDS),
          dice.of(PLANTED_FORMS),
        ];
    const names = [{ name: base.join(' '), isWeak: false }];
    for (let alias = dice.below(6); alias > 0; alias -= 1)
      names.push({ name: mangled(base.join(' '), dice).text, isWeak: dice.chance(0.1) });
    return {
      id: `EU.${number + 1}.${number % 97}`,
      subjectType: isPerson ? 'person' : 'enterprise',
      programme: 'TEST',
      country: null,
      names,
    };
  });
  return { generationDate: '2026-01-01T00:00:00.000Z', entities };
}
