import { didYouMean, nearest } from './nearest.ts';
import { type Given, type NumberForm, type Operand, type Option, UsageError } from './spec.ts';

export interface Taken {
  readonly operands: readonly Operand[];
  readonly options: readonly Option[];
}

/** An option as it was typed, with what stood for its value. */
interface Typed {
  readonly raw: string;
  readonly option: Option;
  readonly value: string | undefined;
}

interface Words {
  readonly operands: readonly string[];
  readonly typed: readonly Typed[];
  /** Options that the command does not have, as they were typed. */
  readonly unknown: readonly string[];
}

const DECIMAL = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

/** Checks a command line against the tables of a command; everything that is wrong is named at once. */
export function parseArguments(args: readonly string[], taken: Taken): Given {
  const { given, problems } = readArguments(args, taken);
  if (problems.length > 0) throw new UsageError(problems.join(' '));
  return given;
}

interface ReadArguments {
  readonly given: Given;
  readonly problems: readonly string[];
  /** The options that misspelt ones were probably meant as. */
  readonly meant: ReadonlySet<string>;
}

/** What a command line says, and what is wrong with it. */
export function readArguments(args: readonly string[], taken: Taken): ReadArguments {
  const words = wordsIn(args, taken.options);
  const problems = [
    ...words.unknown.map((raw) => unknownOption(raw, taken.options)),
    ...typedProblems(words.typed),
    ...missingOptions(words, taken.options),
    ...operandProblems(words, taken.operands),
  ];
  const meant = new Set(words.unknown.flatMap((raw) => meantBy(raw, taken.options) ?? []));
  return { given: givenBy(words, taken.options), problems, meant };
}

function givenBy({ operands, typed }: Words, options: readonly Option[]): Given {
  const valuesOf = ({ name }: Option) =>
    typed.flatMap(({ option, value }) => (option.name === name && value !== undefined ? [value] : []));
  const valued = options.filter(takesValue);
  return {
    operands,
    values: Object.fromEntries(valued.map((option) => [option.name, valuesOf(option)[0]])),
    lists: Object.fromEntries(valued.flatMap((option) => (option.isRepeated ? [[option.name, valuesOf(option)]] : []))),
    flags: new Set(typed.filter(({ option }) => !takesValue(option)).map(({ option }) => option.name)),
  };
}

function takesValue({ value }: Option): boolean {
  return value !== undefined;
}

/** Takes a command line apart. After `--` everything is an operand. */
function wordsIn(args: readonly string[], options: readonly Option[]): Words {
  const known = new Map(options.map((option) => [option.name, option]));
  const [operands, typed, unknown]: [string[], Typed[], string[]] = [[], [], []];
  for (let at = 0; at < args.length; at += 1) {
    const argument = args[at] as string;
    if (argument === '--') {
      operands.push(...args.slice(at + 1));
      break;
    }
    if (!/^-(?=[^\d.])/.test(argument)) {
      operands.push(argument);
      continue;
    }
    const [, raw = argument, inline] = /^(--?[^=]+)(?:=(.*))?$/s.exec(argument) ?? [];
    const option = raw.startsWith('--') ? known.get(raw.slice(2).replaceAll('_', '-')) : undefined;
    const next = args[at + 1];
    if (option === undefined) {
      unknown.push(raw);
      // The word after it was probably meant as its value: it is not another mistake.
      if (inline === undefined && next !== undefined && isLikeFlag(raw, options) === false && !next.startsWith('-'))
        at += 1;
      continue;
    }
    const isFollowed = inline === undefined && takesValue(option) && next !== undefined && !next.startsWith('--');
    if (isFollowed) at += 1;
    typed.push({ raw, option, value: inline ?? (isFollowed ? next : option.alone) });
  }
  return { operands, typed, unknown };
}

/** Whether an unknown option was probably meant as a flag; undefined where nothing is near. */
function isLikeFlag(raw: string, options: readonly Option[]): boolean | undefined {
  const meant = options.find(({ name }) => name === meantBy(raw, options));
  return meant === undefined ? undefined : !takesValue(meant);
}

function meantBy(raw: string, options: readonly Option[]): string | undefined {
  const names = options.map(({ name }) => name);
  return nearest(raw.replace(/^-+/, '').replaceAll('_', '-'), names);
}

function unknownOption(raw: string, options: readonly Option[]): string {
  const meant = meantBy(raw, options);
  const shown = /^[!-~]+$/.test(raw) ? raw : JSON.stringify(raw);
  return `Unknown option ${shown}.${meant === undefined ? '' : ` Did you mean --${meant}?`}`;
}

function typedProblems(typed: readonly Typed[]): string[] {
  const firsts = typed.filter(({ option }, at) => typed.findIndex((one) => one.option === option) === at);
  return firsts.flatMap(({ option, raw }) => {
    const all = typed.filter((one) => one.option === option);
    if (all.length > 1 && !option.isRepeated) return takesValue(option) ? [`Give ${raw} only once.`] : [];
    return all.flatMap((one) => valueProblem(one));
  });
}

function valueProblem({ raw, option, value }: Typed): string[] {
  if (!takesValue(option)) return value === undefined ? [] : [`${raw} takes no value.`];
  if (value === undefined || value === '') return [`${raw} needs a value: ${option.value}.`];
  const { choices, number } = option;
  if (choices !== undefined && !choices.includes(value))
    return [`${raw} must be ${listed(choices)}.${didYouMean(value, choices)}`];
  if (number !== undefined && !isNumber(value, number)) return [`${raw} must be ${numberText(number)}.`];
  return [];
}

function isNumber(text: string, { isWhole, min = -Infinity, max = Infinity }: NumberForm): boolean {
  if (!DECIMAL.test(text)) return false;
  const value = Number(text);
  return value >= min && value <= max && (!isWhole || Number.isSafeInteger(value));
}

/** The numbers that an option takes, in words. */
export function numberText({ isWhole, min, max }: NumberForm): string {
  const kind = isWhole ? 'a whole number' : 'a number';
  if (min !== undefined && max !== undefined) return `${kind} from ${min} to ${max}`;
  if (min !== undefined) return `${kind}, ${min} or more`;
  return max === undefined ? kind : `${kind}, ${max} or less`;
}

function missingOptions({ typed, unknown }: Words, options: readonly Option[]): string[] {
  const there = new Set(typed.map(({ option }) => option.name));
  // One that was misspelt is not missing too.
  for (const raw of unknown) there.add(meantBy(raw, options) ?? '');
  const missing = options
    .filter(({ name, isRequired }) => isRequired && !there.has(name))
    .map(({ name }) => `--${name}`);
  if (missing.length === 0) return [];
  return [`Missing ${missing.length === 1 ? 'option' : 'options'}: ${missing.join(', ')}.`];
}

function operandProblems({ operands }: Words, taken: readonly Operand[]): string[] {
  const missing = taken.slice(operands.length).filter(({ isOptional }) => !isOptional);
  const isOpen = taken.at(-1)?.isRepeated === true;
  const [extra] = isOpen ? [] : operands.slice(taken.length);
  const wrong = taken.flatMap(({ name, choices }, at) => {
    const given = operands[at];
    if (choices === undefined || given === undefined || choices.includes(given)) return [];
    return [`${JSON.stringify(given)} is not a ${name}.${didYouMean(given, choices) || ` Use ${listed(choices)}.`}`];
  });
  return [
    ...wrong,
    ...(missing.length === 0 ? [] : [`Missing ${missing.map(operandText).join(' ')}.`]),
    ...(extra === undefined ? [] : [`Unexpected argument ${JSON.stringify(extra)}.`]),
  ];
}

/** An operand as usage shows it. */
export function operandText({ name, isRepeated }: Operand): string {
  return `<${name}>${isRepeated ? '...' : ''}`;
}

function listed(choices: readonly string[]): string {
  return choices.length === 1 ? String(choices[0]) : `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`;
}
