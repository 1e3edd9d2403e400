/** Phrases that readers stumble over, each with what to write instead. */
export interface Phrase {
  readonly pattern: RegExp;
  readonly instead: string;
}

/** Words of the product: one word for one thing, the one that the industry uses. */
const VOCABULARY: readonly Phrase[] = [
  { pattern: /(?<![/\w-])cabinets?(?![\w-])/gi, instead: 'dashboard' },
  { pattern: /\bstand-?ins?\b/gi, instead: 'simulator' },
  { pattern: /\b(?:e-)?mails?\b/gi, instead: 'email' },
  {
    pattern: /(?<!\b(?:the|public|its) )\blog(?:s|ged|ging)? in(?:to)?\b|(?<![/\w-])log-?ins?\b/gi,
    instead: 'sign in',
  },
  { pattern: /\blog(?:s|ged|ging)? out\b/gi, instead: 'sign out' },
  { pattern: /\bhigh[- ]water\b/gi, instead: 'checkpoint memory' },
  { pattern: /\b(?:see|show|look at) the light\b|\bthe light of\b/gi, instead: 'status of a work key' },
  { pattern: /\bin clearance\b|\bclearance (?:of|is|ends)\b/gi, instead: 'grace period' },
  { pattern: /\bthe crossing\b/gi, instead: 'coordination' },
  { pattern: /\bstand(?:s|ing)? still\b/gi, instead: 'are paused' },
];

/** Sentences that were translated word by word. */
const PHRASES: readonly Phrase[] = [
  {
    pattern: /(?<!\bthere )\b(?:is|are|was|were) no (?!longer\b|more\b|less\b|different\b|later\b)/gi,
    instead: 'is not a',
  },
  { pattern: /\bof (?:its|their|your|our|his|her|one's) own\b|\bthe own\b/gi, instead: 'its own, a separate' },
  { pattern: /\bstands? (?:in|beside|under|above|there)\b|\bl(?:ies|ie) (?:in|beside)\b/gi, instead: 'is in' },
  { pattern: /\b(?:is|are|was|were) told\b|\bsays so\b|\b(?:is|are) said\b/gi, instead: 'the response includes' },
  { pattern: /\bwhoever\b|\bwho(?:m)? has\b|\bwho have\b/gi, instead: 'anyone with' },
  { pattern: /\bwhat (?:came|became) of\b/gi, instead: 'the outcome of' },
  { pattern: /\bby itself\b/gi, instead: 'automatically' },
  { pattern: /\bfor good\b|\bfor ever\b/gi, instead: 'permanently' },
  { pattern: /\banew\b/gi, instead: 'again' },
  { pattern: /\bmend(?:s|ed|ing)?\b|\bcure[sd]?\b/gi, instead: 'fix' },
  { pattern: /\bfaults?\b/gi, instead: 'error' },
  { pattern: /\bbeside\b/gi, instead: 'alongside, next to, in addition to' },
  { pattern: /\bis to be\b|\bare to be\b/gi, instead: 'name who does it' },
  { pattern: /\b(?:keys?|tasks?|briefs?|mandates?|orders?|agents?) (?:is|are|was|were) made\b/gi, instead: 'created' },
  { pattern: /\bregisters? (?:is|are|was|were) asked\b/gi, instead: 'queried' },
  { pattern: /\bagain and again\b/gi, instead: 'repeatedly' },
];

export const PATTERNS: readonly Phrase[] = [...VOCABULARY, ...PHRASES];
