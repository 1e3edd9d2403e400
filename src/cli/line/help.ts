import { asSentence } from '#kernel/sentence.ts';
import { numberText, operandText } from './parse.ts';
import type { CommandSpec, Operand, Option } from './spec.ts';

const WIDTH = 100;
const INDENT = 2;
const MAX_TERM = 30;

const EXITS: Readonly<Record<number, string>> = { 0: 'success', 1: 'failed or refused', 2: 'usage error' };

export interface CommandGroup {
  readonly title: string;
  readonly commands: readonly CommandSpec[];
}

/** Every command by what people want of it. */
export function overview(groups: readonly CommandGroup[], version: string): string {
  const width = Math.max(...groups.flatMap(({ commands }) => commands.map(({ name }) => name.length)));
  const lists = groups.map(({ title, commands }) => {
    const lines = commands.map(({ name, summary }) => entry(name.padEnd(width), summary, width));
    return `${title}:\n${lines.join('')}`;
  });
  const hasSettings = groups.some(({ commands }) => commands.some(({ name }) => name === 'config'));
  return [
    `Avouch ${version}: coordination, checks and proof for AI agents\n`,
    'Usage: ./avouch <command> [options]\n',
    ...lists,
    'Options:',
    '  -h, --help      Show help: ./avouch --help, ./avouch <command> --help, ./avouch help <command>',
    '  -V, --version   Show the version',
    '  --json          Print JSON on standard output, and errors as JSON on standard error\n',
    ...(hasSettings ? ['Settings come from the environment: ./avouch config lists them.'] : []),
    exitLine({}),
    '',
  ].join('\n');
}

/** Help of a command, whose path names it and what it belongs to: `keys rotate`. */
export function helpOf(spec: CommandSpec, path: string): string {
  const { summary, notes = [], operands = [], subcommands = [], examples, exits = {} } = spec;
  const sections = [
    `avouch ${path}: ${summary}\n`,
    `${usageOf(spec, path)}\n`,
    ...notes.map((note) => `${wrapped(note, 0)}\n`),
    section(
      'Subcommands',
      subcommands.map((one) => [one.name, one.summary]),
    ),
    section(
      'Arguments',
      operands.map((one) => [operandText(one), operandHelp(one)]),
    ),
    section('Options', optionRows(spec)),
    `Examples:\n${examples.map((example) => `  ${example}\n`).join('')}`,
    `${exitLine(exits)}\n`,
  ];
  return sections.filter((text) => text !== '').join('\n');
}

/** The options of a command as help shows them. */
export function optionRows({ options = [], json, subcommands }: CommandSpec): (readonly [string, string])[] {
  const rows = options.map((option) => [optionText(option), optionHelp(option)] as const);
  if (subcommands !== undefined) return [['-h, --help', 'Show this help, or that of a subcommand.']];
  return [
    ...rows,
    ...(json === null ? [] : [['--json', json ?? 'Print the result as one JSON document.'] as const]),
    ['-h, --help', 'Show this help.'],
  ];
}

/** Two columns; a term that is too long has a line of its own. */
export function section(title: string, rows: readonly (readonly [string, string])[]): string {
  if (rows.length === 0) return '';
  const width = Math.min(MAX_TERM, Math.max(...rows.map(([term]) => term.length)));
  return `${title}:\n${rows.map(([term, text]) => entry(term.padEnd(width), text, width)).join('')}`;
}

function entry(term: string, text: string, width: number): string {
  const start = ' '.repeat(INDENT);
  const column = INDENT + width + 2;
  const body = wrapped(text, column);
  return term.length > width ? `${start}${term}\n${' '.repeat(column)}${body}\n` : `${start}${term}  ${body}\n`;
}

function wrapped(text: string, column: number): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const isFull = line !== '' && column + line.length + 1 + word.length > WIDTH;
    if (isFull) lines.push(line);
    line = isFull || line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].join(`\n${' '.repeat(column)}`);
}

function usageOf({ operands = [], options = [], subcommands }: CommandSpec, path: string): string {
  if (subcommands !== undefined) return `Usage: ./avouch ${path} <${subcommands.map(({ name }) => name).join('|')}>`;
  const required = options.filter(({ isRequired }) => isRequired).map(optionText);
  const words = [
    ...operands.map((one) => (one.isOptional ? `[${operandText(one)}]` : operandText(one))),
    ...required,
    '[options]',
  ];
  return `Usage: ./avouch ${path} ${words.join(' ')}`;
}

function optionText({ name, value }: Option): string {
  return value === undefined ? `--${name}` : `--${name} ${value}`;
}

function optionHelp({ help, value, choices, number, fallback, isRequired, isRepeated }: Option): string {
  const isShown = choices !== undefined && value?.includes(choices[0] ?? '') !== true;
  const isBound = number?.min !== undefined || number?.max !== undefined;
  return [
    asSentence(help),
    isShown ? `One of: ${choices.join(', ')}.` : '',
    isBound ? asSentence(numberText(number)) : '',
    isRepeated ? 'Can be repeated.' : '',
    isRequired ? 'Required.' : '',
    fallback === undefined ? '' : `Default: ${fallback}.`,
  ]
    .filter((text) => text !== '')
    .join(' ');
}

function operandHelp({ help, choices }: Operand): string {
  const named = choices === undefined ? '' : ` One of: ${choices.join(', ')}.`;
  return `${asSentence(help)}${named}`;
}

function exitLine(own: Readonly<Record<number, string>>): string {
  const all = Object.entries({ ...EXITS, ...own }).map(([code, meaning]) => `${code} ${meaning}`);
  return `Exit codes: ${wrapped(all.join(', '), 'Exit codes: '.length)}`;
}
