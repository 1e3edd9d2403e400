import { asSentence } from '#kernel/sentence.ts';
import { didYouMean } from './line/nearest.ts';
import { helpOf, overview } from './line/help.ts';
import { Output, type Terminal } from './line/output.ts';
import { parseArguments } from './line/parse.ts';
import { type CommandSpec, type Given, type Option, UsageError } from './line/spec.ts';

/** Commands under one heading of the overview. */
export interface CommandGroup {
  readonly title: string;
  readonly commands: readonly CommandSpec[];
}

const JSON_OPTION: Option = { name: 'json', help: '' };

/** A command, the words that name it and those that follow. */
interface Found {
  readonly spec: CommandSpec;
  readonly path: string;
  readonly rest: readonly string[];
}

/** Runs what a command line names; gives the exit code. Whatever goes wrong is said on the terminal. */
export async function runCommandLine(
  args: readonly string[],
  terminal: Terminal,
  groups: readonly CommandGroup[],
): Promise<number> {
  const [name] = args;
  const isJson = name !== 'call' && beforeDashes(args).includes('--json');
  const output = new Output(terminal, isJson);
  let path = '';
  try {
    const told = await general(args, output, groups);
    if (told !== undefined) return told;
    const found = find(args, groups);
    path = found.path;
    if (isHelpAsked(found.rest)) {
      output.out((await found.spec.helpAbout?.(found.rest)) ?? helpOf(found.spec, found.path));
      return 0;
    }
    return await run(found, output);
  } catch (error) {
    return tellError(error, error instanceof UsageError ? (error.path ?? path) : path, { terminal, isJson });
  }
}

/** What needs no command: the exit code, or undefined where there is one to run. */
async function general(
  args: readonly string[],
  output: Output,
  groups: readonly CommandGroup[],
): Promise<number | undefined> {
  const [name, ...rest] = args;
  if (name === '--version' || name === '-V') {
    const version = await versionOf();
    output.result({ version }, `Avouch ${version}\n`);
    return 0;
  }
  const named = name === 'help' ? rest.filter((word) => !word.startsWith('-')) : [];
  if (named.length > 0) {
    const { spec, path, rest: more } = find([...named, '--help'], groups);
    output.out((await spec.helpAbout?.(more)) ?? helpOf(spec, path));
    return 0;
  }
  if (name === 'help' || name === '--help' || name === '-h') {
    output.out(overview(groups, await versionOf()));
    return 0;
  }
  if (name !== undefined) return undefined;
  output.err(overview(groups, await versionOf()));
  return 2;
}

async function versionOf(): Promise<string> {
  return (await import('#platform/version.ts')).VERSION;
}

/** The command that the first words name. Where help is asked for, a subcommand may be left out. */
function find(args: readonly string[], groups: readonly CommandGroup[]): Found {
  let [name = '', ...rest] = args;
  if (name.startsWith('-'))
    throw new UsageError(`Unknown option ${name}.${didYouMean(name, ['--help', '--version'])}`, '');
  const commands = groups.flatMap((group) => group.commands);
  let spec = among(commands, name, '', 'command');
  let path = name;
  while (spec.subcommands !== undefined && !isHelpAsked(rest.slice(0, 1))) {
    [name = '', ...rest] = rest;
    if (name === '' || name === '--json') {
      throw new UsageError(`Missing subcommand: ${spec.subcommands.map((one) => one.name).join(', ')}.`, path);
    }
    spec = among(spec.subcommands, name, path, 'subcommand');
    path = `${path} ${name}`;
  }
  return { spec, path, rest };
}

function among(specs: readonly CommandSpec[], name: string, path: string, what: string): CommandSpec {
  const spec = specs.find((one) => one.name === name);
  if (spec !== undefined) return spec;
  const names = specs.map((one) => one.name);
  const meant = didYouMean(name, names);
  const others = meant === '' && what === 'subcommand' ? ` Use ${names.join(', ')}.` : '';
  throw new UsageError(`Unknown ${what} ${JSON.stringify(name)}.${meant}${others}`, path);
}

async function run({ spec, rest }: Found, output: Output): Promise<number> {
  const command = given(spec, rest);
  const load = spec.load as NonNullable<CommandSpec['load']>;
  return (await load())(command, output);
}

function given(spec: CommandSpec, args: readonly string[]): Given {
  if (spec.isRaw) return { operands: args, values: {}, lists: {}, flags: new Set() };
  const { operands = [], options = [], json } = spec;
  return parseArguments(args, { operands, options: json === null ? options : [...options, JSON_OPTION] });
}

function isHelpAsked(args: readonly string[]): boolean {
  return beforeDashes(args).some((arg) => arg === '--help' || arg === '-h');
}

/** What follows `--` is text, whatever it looks like. */
function beforeDashes(args: readonly string[]): readonly string[] {
  const end = args.indexOf('--');
  return end === -1 ? args : args.slice(0, end);
}

async function tellError(
  error: unknown,
  path: string,
  { terminal, isJson }: { readonly terminal: Terminal; readonly isJson: boolean },
): Promise<number> {
  const isUsage = error instanceof UsageError;
  const messages = isUsage ? [error.message] : await linesOf(error);
  const name = path === '' ? 'avouch' : `avouch ${path}`;
  const help = `${name} --help`;
  if (isJson) {
    const message = messages.map((line) => asSentence(line)).join(' ');
    const document = { error: { ...codeOf(error), message, ...(isUsage && { help }) } };
    terminal.err(`${JSON.stringify(document)}\n`);
  } else {
    for (const line of messages) terminal.err(`${name}: ${asSentence(line)}\n`);
    if (isUsage) terminal.err(`Run \`${help}\`.\n`);
  }
  return isUsage ? 2 : 1;
}

/** The problem code and status of a refusal by the service; otherwise whether the command line was wrong. */
function codeOf(error: unknown): { readonly code: string; readonly status?: number } {
  if (error instanceof UsageError) return { code: 'usage' };
  const { code, status } = error as { code?: unknown; status?: unknown };
  if (typeof status !== 'number') return { code: 'failed' };
  return { code: typeof code === 'string' ? code : 'failed', status };
}

async function linesOf(error: unknown): Promise<readonly string[]> {
  const { startFaultLines } = await import('./start-error.ts');
  return startFaultLines(error);
}
