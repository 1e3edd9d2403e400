// Texts of 8,000 characters that try to make the lint slow.

const PIECES: Readonly<Record<string, string>> = {
  letters: 'a',
  one_letter_words: 'a ',
  trigger_words: 'must ',
  trigger_gaps: 'should not be if in on the to ',
  questions: 'if you ask me in the ',
  pay: 'pay $1 spend 1 usd ',
  digits: '1',
  numbers: '1 ',
  separators: '1.',
  backticks: '`',
  backtick_words: '`a ',
  slashes: '/',
  path: 'a/b.',
  dots: '.',
  brackets: '[',
  open_links: '[a](',
  images: '![](',
  link: 'http://',
  tags: '<a ',
  comments: '<!--',
  headings: '# a\n',
  empty_headings: '## \n',
  bold: '**',
  labels: 'a: ',
  lines: '\n',
  boxes: '- [ ] ',
  mentions: '@a ',
  apostrophes: "a'",
  blanks: ' ',
  marks: 'a\u0301',
  accents: 'é',
  han: '漢',
  emoji: '😀',
  arabic_ligature: '\uFDFA',
  dotted: 'İ',
  fences: '```\n',
  quotes: '"a" ',
  stack: 'at a.b.c.d (',
};

/** By name, each of 8,000 characters. */
export const HOSTILE_TEXTS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(PIECES).map(([name, piece]) => {
    return [name, Array.from(piece.repeat(8_000)).slice(0, 8_000).join('')];
  }),
);
