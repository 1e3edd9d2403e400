/**
 * Words of one language by what they do in a sentence; `|` stands between words and phrases, `*` before the end of
 * compounds. Accents and hyphens do not matter.
 */
export type WordLists = Readonly<Partial<Record<WordClass, string>>>;

/** At most 64 besides `calm`: two masks of 32 bits. */
export const WORD_CLASSES = [
  'calm', // Holds a word of another class that means nothing here: "do not hesitate", "public key".
  'not',
  'said', // Speech of somebody else follows.
  'report', // A report, a warning, a rule or a condition.
  'mention', // What is between quotes or behind a colon is a text to work on.
  'but', // A new thought begins.
  'or',
  'question',
  'me',
  'you',
  'i',
  'the',
  // Requests for secrets
  'ask', // Verbs that hand something over.
  'ask_end', // The same at the end of a clause: infinitives, participles and split prefixes.
  'put', // Verbs that hand over or write down, harmless unless it is for the speaker: "if you give me".
  'take', // Verbs that get hold of something.
  'betray',
  'want',
  'which',
  'then',
  'secret',
  'weak', // Secret only with an owner: "your key".
  'loot', // Secret whoever owns it, and never shown in ordinary work.
  'shell',
  'open',
  'whose',
  'holder',
  'every_agent',
  'mine',
  'head', // A noun that makes the secret before it harmless: "password form".
  'work',
  'type',
  'entry',
  'it',
  // Posing as the founder
  'founder',
  'boss',
  'bare', // A role whose company follows without a word between.
  'avouch',
  'self',
  'as',
  'speak',
  'pose',
  'made',
  'of',
  'theirs',
  'with',
  'things',
  'founders_key',
  'here',
  'order',
  // Promises
  'we',
  'our',
  'by_us',
  'promise',
  'warranty',
  'money_back',
  'pay',
  'loss',
  'wrong',
  'no_risk',
  'you_get',
  'full',
  'given',
  'third',
  'check',
] as const;

export type WordClass = (typeof WORD_CLASSES)[number];
