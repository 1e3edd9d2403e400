// What the tables of tools promise, without a service.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { paidTool } from '#transport/mcp/paid-tool.ts';
import { listedTools, OPERATIONS, TOOLS } from '../../../src/areas.ts';

const LISTED_TOOLS = listedTools();

const gate = () => Promise.reject(new Error('not called'));
const PAID = OPERATIONS.filter(({ price }) => price !== null).map((operation) => paidTool({ operation, gate }).listed);
const SPEC = new URL('../../../../shared/spec.md', import.meta.url);

test('the public tools are those of the specification, with its annotations', { skip: !existsSync(SPEC) }, () => {
  const section = readFileSync(SPEC, 'utf8').split('### MCP tools (public)')[1]?.split('\n## ')[0] ?? '';
  const rows = section
    .split('\n')
    .filter((line) => /^\| [a-z]/.test(line))
    .map((line) =>
      line
        .split('|')
        .map((cell) => cell.trim())
        .slice(1, -1),
    );
  const told = rows.flatMap(([names = '', needed = '', ...hints]) =>
    names.split(', ').map((name) => ({ name, needed, hints: hints.map((hint) => hint === 'yes') })),
  );
  const shown = LISTED_TOOLS.map(({ name, annotations: hints }) => ({
    name,
    hints: [hints.readOnlyHint, hints.idempotentHint, hints.openWorldHint],
  }));
  assert.deepEqual(
    shown,
    told.map(({ name, hints }) => ({ name, hints })),
  );
  for (const { name, needed } of told) {
    const { inputSchema } = LISTED_TOOLS.find((tool) => tool.name === name) ?? {};
    const oneOf = /^at least one of (.*)$/.exec(needed)?.[1]?.split(', ');
    if (oneOf === undefined) assert.deepEqual(inputSchema?.['required'] ?? [], needed === 'none' ? [] : [needed], name);
    else
      assert.deepEqual(
        [Object.keys(inputSchema?.['properties'] as object), inputSchema?.['minProperties']],
        [oneOf, 1],
      );
  }
});

test('every list is one that model providers take: plain object schemas, short texts, few bytes', () => {
  assert.equal(LISTED_TOOLS.length, 20);
  assert.ok(JSON.stringify(LISTED_TOOLS).length <= 32 * 1024, `${JSON.stringify(LISTED_TOOLS).length} bytes`);
  assert.ok(JSON.stringify(PAID).length <= 24 * 1024, `${JSON.stringify(PAID).length} bytes`);
  for (const tool of [...LISTED_TOOLS, ...PAID]) {
    assert.match(tool.name, /^[A-Za-z0-9_.-]{1,128}$/);
    assert.ok(tool.description.length <= 300, `${tool.name}: ${tool.description.length}`);
    assert.equal(tool.annotations.destructiveHint, false);
    for (const schema of [tool.inputSchema, tool.outputSchema]) {
      assert.equal(schema.type, 'object');
      assert.ok(schema['properties'] !== undefined, tool.name);
      for (const word of ['anyOf', 'oneOf', 'allOf', '$ref']) assert.ok(!(word in schema), `${tool.name} has ${word}`);
      assert.doesNotMatch(JSON.stringify(schema), /\$ref|\$defs/);
    }
  }
});

test('paid tools say what they change and whom they ask', () => {
  const hintsOf = (name: string) => PAID.find((tool) => tool.name === name)?.annotations;
  assert.equal(PAID.length, 9);
  for (const { name, annotations, outputSchema } of PAID) {
    assert.equal(annotations.readOnlyHint, name !== 'spend_fuse');
    assert.equal(annotations.idempotentHint, true);
    assert.equal(outputSchema['required'], undefined, 'the challenge stands in the same place');
  }
  assert.equal(hintsOf('counterparty_check')?.openWorldHint, true);
  assert.equal(hintsOf('agent_budget_audit')?.openWorldHint, false);
});

test('no internal tool has a public name, and each needs a scope', () => {
  const internal = TOOLS.filter(({ scope }) => scope !== undefined);
  const names = internal.map(({ tool }) => tool.name);
  assert.deepEqual(
    internal.map(({ tool, scope }) => `${tool.name} ${scope}`),
    [
      'list_tasks_in_review internal:tools',
      'issue_statement internal:tools',
      'declare_key internal:tools',
      'repository_write github:write',
    ],
  );
  assert.ok([...LISTED_TOOLS, ...PAID].every(({ name }) => !names.includes(name)));
});
