import type { CardField } from './card.ts';
import type { Language } from './lint/language.ts';

/** What is asked about a field that is empty or weak, and about two fields that contradict each other. */
export const QUESTIONS: Readonly<Record<Language, Readonly<Record<CardField, string>>>> = {
  en: {
    acceptance: 'How will someone see, without asking you, that it is done?',
    target: 'In which file, page, endpoint or repository must the change land?',
    goal: 'What must be true afterwards that is not true now?',
    inputs: 'What material may the agent start from?',
    boundaries: 'What must not be changed or done?',
    output: 'In what form must the result be handed over?',
    evaluator: 'Who or what decides, other than the worker?',
    if_unclear: 'Where can the agent ask, or what may it assume?',
    spend_cap_usd: 'How much of your money may the agent spend on the way (0 if nothing)?',
    expires_at: 'Until when is the result still useful?',
    reward_usd: 'What is paid, when, and how (0 if unpaid)?',
  },
  nl: {
    acceptance: 'Waaraan ziet iemand, zonder het u te vragen, dat het klaar is?',
    target: 'In welk bestand, welke pagina, endpoint of repository moet het landen?',
    goal: 'Wat moet daarna waar zijn wat nu niet waar is?',
    inputs: 'Met welk materiaal mag de agent beginnen?',
    boundaries: 'Wat mag niet worden veranderd of gedaan?',
    output: 'In welke vorm moet het resultaat worden opgeleverd?',
    evaluator: 'Wie of wat beslist, anders dan de uitvoerder?',
    if_unclear: 'Waar kan de agent vragen, of wat mag hij aannemen?',
    spend_cap_usd: 'Hoeveel mag de agent onderweg uitgeven (0 als niets)?',
    expires_at: 'Tot wanneer is het resultaat bruikbaar?',
    reward_usd: 'Wat wordt betaald, wanneer en hoe (0 als onbetaald)?',
  },
};

export const CONTRADICTION_QUESTIONS = {
  en: {
    cap_above_reward: 'The agent may spend more than it is paid. Is that intended?',
    expires_soon: 'The result is useful for less than an hour. Is that enough?',
  },
  nl: {
    cap_above_reward: 'De agent mag meer uitgeven dan hij krijgt. Is dat de bedoeling?',
    expires_soon: 'Het resultaat is nog geen uur bruikbaar. Is dat genoeg?',
  },
} as const satisfies Record<Language, Record<string, string>>;
