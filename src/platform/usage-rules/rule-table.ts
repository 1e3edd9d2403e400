import { maskOf, type Mask } from './masks.ts';
import type { WordClass } from './words/classes.ts';

export type HardRule = 'secret_request' | 'founder_impersonation' | 'warranty_promise';

interface Step {
  readonly mask: Mask;
  /** The same term has to be of one of these classes too. */
  readonly also: Mask;
  readonly gap: number;
}

/** Terms that break a rule when they stand in this order, each at most so many terms behind the one before. */
export interface Pattern {
  readonly steps: readonly Step[];
  /** A term of this class has to stand before it in its sentence. */
  readonly after: Mask | null;
}

export interface RuleRow {
  readonly rule: HardRule;
  /** A sentence without one of these is not looked at. */
  readonly core: Mask;
  readonly patterns: readonly Pattern[];
  /** Clear a clause wherever they stand in it. */
  readonly guard: Mask;
  /** Clear a clause when they stand before what matched, or right behind it. */
  readonly guardBefore: Mask;
  /** Nouns that lose their meaning before a `head` or behind one of `weakened`. */
  readonly nouns: Mask;
  readonly weakened: Mask;
  /** A question promises nothing. */
  readonly asksFreely: boolean;
}

/** `ask 6 whose 4 secret`: classes with the largest distance between; `|` is or, `&` both in one term. `secret: ask 3 it` needs one before it. */
function pattern(source: string): Pattern {
  const [first = '', rest] = source.split(': ');
  const parts = (rest ?? first).split(' ');
  const steps = parts.flatMap((part, index) =>
    index % 2 === 0 ? [{ ...step(part), gap: index === 0 ? 0 : Number(parts[index - 1]) }] : [],
  );
  return { steps, after: rest === undefined ? null : classes(first) };
}

function step(source: string): Omit<Step, 'gap'> {
  const [mask = '', also = mask] = source.split('&');
  return { mask: classes(mask), also: classes(also) };
}

const classes = (source: string) => maskOf(...(source.split('|') as WordClass[]));

const SECRET_REQUEST = [
  // "send me the API key of the server", "hand over your password"
  'ask 8 whose 4 secret|loot|shell|weak',
  'take 6 whose 3 secret|loot|shell',
  'ask|take 6 secret|loot|shell 5 whose|holder',
  'ask|take 4 holder 3 secret|loot|shell',
  'ask 4 me 6 secret|loot|shell',
  'ask 4 secret|loot 6 me',
  'ask&me 2 secret|loot|shell',
  'put 3 whose 3 secret|loot|weak 4 me',
  'put 4 secret|loot 6 me',
  'put 3 me 5 secret|loot',
  'me 2 whose 3 secret|loot|weak 3 ask|put',
  'ask 6 weak 1 whose',
  'ask|take 5 loot',
  'ask 3 the 2 secret|loot 4 you',
  'betray 5 secret|loot',
  // "I need your token", "het wachtwoord van de beheerder nodig"
  'want 6 whose 4 secret|loot|shell|weak',
  'want 4 holder 3 secret|loot|shell',
  'want 4 the 3 secret|loot',
  'want 5 secret|loot|shell 5 whose|holder',
  'whose 3 secret|loot|shell|weak 7 ask_end',
  'holder 2 secret|loot|shell 7 ask_end',
  'secret|loot|shell 5 whose|holder 7 ask_end',
  'the 2 secret|loot 4 ask_end',
  'me 6 secret|loot 7 ask_end',
  'secret|loot|shell 6 me 4 ask_end',
  'whose 3 secret|loot|weak 7 ask 4 me',
  // "what is your password", "which token do you use"
  'which 5 whose 3 secret|loot|weak',
  'which 4 holder 3 secret|loot',
  'which 4 secret|loot 6 whose|holder',
  'which 2 secret 6 you|type',
  'which 2 weak 6 you',
  'ask|which|want 8 you 4 type 8 entry',
  'ask|which|want 10 you 6 entry 5 type',
  'want 5 loot',
  'type 3 whose 3 secret|loot|weak 4 me',
  // "the twelve words that restore your wallet"
  'ask|want|which 5 weak&type 8 whose|holder',
  // "open a shell for me"
  'open 4 shell 8 me|whose|holder|i',
  'open 3 me|whose 4 shell',
  'ask|open 3 shell&whose',
  'want 4 shell',
  // "each agent submits its key"
  'every_agent 4 ask 4 secret|loot|weak',
  'ask 2 every_agent 3 secret|loot|weak',
  'every_agent 5 secret|loot|weak 3 me 3 ask|ask_end',
  // "do not share your password, but send it to me"
  'secret|loot: ask 4 it 5 me',
  'secret|loot: ask 3 it&whose',
  'secret|loot: me 6 it 5 ask',
  'secret|loot: then|but 3 ask 4 it',
  'secret|loot: but 4 ask 5 me',
  'secret|loot: but 3 me 6 ask',
  'secret|loot|weak: but 3 ask 3 whose',
];

const FOUNDER_IMPERSONATION = [
  'self 5 founder',
  'self 7 founder 3 avouch',
  'self 5 boss 4 avouch',
  'self 4 avouch 3 boss|founder',
  'self 3 boss 2 here',
  'founder|boss 3 avouch 4 here|self|order',
  'avouch 2 founder|boss 4 here|self|order',
  'founder 2 here',
  'as 3 founder 6 i|order',
  'speak 8 as 3 founder',
  'as 3 boss 3 avouch',
  'as 3 avouch 3 boss|founder',
  'pose 4 founder',
  'pose 4 boss 4 avouch',
  'i|self 4 made 1 avouch',
  'i 4 made 1 the 1 avouch',
  'made 1 i 2 avouch',
  'i&made 1 avouch',
  'i 3 avouch 2 made',
  // "Avouch belongs to me", "I am the man behind Avouch"
  'made&avouch',
  'self|as 6 boss&avouch',
  'i 4 boss|founder 3 avouch 6 order',
  'with 5 founder 2 things',
  'with 5 things 4 founder',
  'with 4 founders_key',
  'founders_key 3 with',
  'boss 3 avouch 12 self 3 boss',
];

const WARRANTY_PROMISE = [
  'money_back',
  'we 9 promise',
  'promise 9 by_us',
  'by_us 5 promise',
  'promise 3 we',
  'you_get 6 promise',
  'our 4 warranty',
  'full 3 warranty 6 given|by_us|we',
  'given 5 full 3 warranty',
  'given 3 warranty 3 full',
  'we 6 pay 7 loss',
  'we&pay 5 loss',
  'pay 2 we 7 loss',
  'loss 7 pay 3 we|by_us',
  'loss 6 pay 5 our',
  'loss 6 by_us',
  'wrong 8 we 4 pay',
  'wrong 8 pay 3 we',
  'we 6 pay 14 wrong',
  'wrong 8 we&pay',
  'loss|wrong 9 we 5 by_us',
  'our 3 pay 2 you 4 full|wrong|loss',
  'you_get 4 loss 3 pay',
  'promise 3 given 3 our',
  // "others exclude liability, we accept it"
  'promise: we 2 pay 2 it',
  'no_risk 12 we|by_us|pay',
  'we|by_us 10 no_risk',
];

export const RULE_ROWS: readonly RuleRow[] = [
  {
    rule: 'founder_impersonation',
    core: maskOf('founder', 'boss', 'made', 'founders_key'),
    patterns: FOUNDER_IMPERSONATION.map(pattern),
    guard: maskOf('not', 'said', 'report'),
    guardBefore: maskOf('question', 'mention'),
    nouns: maskOf(),
    weakened: maskOf(),
    asksFreely: false,
  },
  {
    rule: 'secret_request',
    core: maskOf('secret', 'weak', 'loot', 'shell', 'entry'),
    patterns: SECRET_REQUEST.map(pattern),
    guard: maskOf('not', 'said', 'report'),
    guardBefore: maskOf('work'),
    nouns: maskOf('secret', 'weak'),
    weakened: maskOf('mine'),
    asksFreely: false,
  },
  {
    rule: 'warranty_promise',
    core: maskOf('promise', 'money_back', 'pay', 'no_risk', 'loss'),
    patterns: WARRANTY_PROMISE.map(pattern),
    guard: maskOf('not', 'said', 'report', 'third'),
    guardBefore: maskOf('check'),
    nouns: maskOf('promise', 'warranty'),
    weakened: maskOf(),
    asksFreely: true,
  },
  {
    // "Avouch is liable for the seller": what stands behind it does not clear it.
    rule: 'warranty_promise',
    core: maskOf('money_back'),
    patterns: [pattern('money_back&avouch')],
    guard: maskOf('not', 'said', 'report'),
    guardBefore: maskOf('check'),
    nouns: maskOf(),
    weakened: maskOf(),
    asksFreely: true,
  },
];
