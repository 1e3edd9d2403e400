import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { parseArguments } from './parse.ts';
import { type Operand, type Option, UsageError } from './spec.ts';

const OPTIONS: readonly Option[] = [
  { name: 'agent', value: '<name>', help: 'Who', isRequired: true },
  { name: 'ttl', value: '<seconds>', help: 'How long', number: { isWhole: true, min: 30, max: 3600 } },
  { name: 'price', value: '<USD>', help: 'How much', number: { min: 0 } },
  { name: 'mode', value: '<mode>', help: 'How', choices: ['shared', 'exclusive'] },
  { name: 'log', value: '<vkey>', help: 'Which', isRepeated: true },
  { name: 'receipt', value: '<yes|no>', help: 'Whether', alone: 'yes' },
  { name: 'dry-run', help: 'Do nothing' },
];
const FILE: Operand = { name: 'file', help: 'A file' };

function parsed(...args: string[]) {
  return parseArguments(args, { operands: [FILE], options: OPTIONS });
}

function problem(...args: string[]): string {
  try {
    parsed(...args);
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
  assert.fail(args.join(' '));
}

suite('a command line', () => {
  test('is read in any order, with values after a space or an equals sign', () => {
    const { operands, values, flags } = parsed('--agent', 'a7', 'f', '--ttl=60', '--dry-run');
    assert.deepEqual([operands, values['agent'], values['ttl'], [...flags]], [['f'], 'a7', '60', ['dry-run']]);
  });

  test('accepts an option whose dashes were typed as underscores', () => {
    assert.ok(parsed('f', '--agent', 'a', '--dry_run').flags.has('dry-run'));
  });

  test('keeps every value of an option that may be repeated', () => {
    assert.deepEqual(parsed('f', '--agent', 'a', '--log', 'x', '--log', 'y').lists['log'], ['x', 'y']);
  });

  test('takes an option for yes where it stands alone and may', () => {
    assert.equal(parsed('f', '--agent', 'a', '--receipt').values['receipt'], 'yes');
    assert.equal(parsed('f', '--agent', 'a', '--receipt', 'no').values['receipt'], 'no');
  });

  test('takes everything after two dashes as operands, and a dash or a negative number as a value', () => {
    assert.deepEqual(parsed('--agent', 'a', '--', '--ttl').operands, ['--ttl']);
    assert.equal(parsed('f', '--agent', '-').values['agent'], '-');
    assert.equal(problem('f', '--agent', 'a', '--price', '-1'), '--price must be a number, 0 or more.');
  });

  for (const [args, says] of [
    [['f'], 'Missing option: --agent.'],
    [['--agent', 'a'], 'Missing <file>.'],
    [['f', 'g', '--agent', 'a'], 'Unexpected argument "g".'],
    [['f', '--agnt', 'a'], 'Unknown option --agnt. Did you mean --agent?'],
    [['f', '--agent', 'a', '--zzz', 'b'], 'Unknown option --zzz. Unexpected argument "b".'],
    [['f', '--agent', 'a', '--dry-rnu'], 'Unknown option --dry-rnu. Did you mean --dry-run?'],
    [['f', '--agent', 'a', '-x'], 'Unknown option -x.'],
    [['f', '--agent', 'a', '--new\nline'], 'Unknown option "--new\\nline".'],
    [['f', '--agent'], '--agent needs a value: <name>.'],
    [['f', '--agent='], '--agent needs a value: <name>.'],
    [['f', '--agent', '--dry-run'], '--agent needs a value: <name>.'],
    [['f', '--agent', 'a', '--agent', 'b'], 'Give --agent only once.'],
    [['f', '--agent', 'a', '--dry-run=yes'], '--dry-run takes no value.'],
    [['f', '--agent', 'a', '--ttl', '29'], '--ttl must be a whole number from 30 to 3600.'],
    [['f', '--agent', 'a', '--ttl', '1e3'], '--ttl must be a whole number from 30 to 3600.'],
    [['f', '--agent', 'a', '--ttl', '60.5'], '--ttl must be a whole number from 30 to 3600.'],
    [['f', '--agent', 'a', '--mode', 'exclusiv'], '--mode must be shared or exclusive. Did you mean exclusive?'],
    [['--ttl', 'x'], '--ttl must be a whole number from 30 to 3600. Missing option: --agent. Missing <file>.'],
  ] as const) {
    test(`${args.join(' ')} is refused in words that say what to do`, () => {
      assert.equal(problem(...args), says);
    });
  }
});
