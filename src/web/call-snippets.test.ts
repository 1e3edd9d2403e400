import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callSnippets } from './call-snippets.ts';

const baseUrl = 'https://a.example';
const look = { operationId: 'look', method: 'get', path: '/v1/look', access: 'none' } as const;

test('a call is written for curl, TypeScript and the command line', () => {
  const made = callSnippets({ operation: look, values: { key: 'acme/repo#12', slots: 2 }, baseUrl });
  assert.equal(made.curl, "curl -s 'https://a.example/v1/look?key=acme%2Frepo%2312&slots=2'");
  assert.match(made.ts, /client\.look\(\{ key: 'acme\/repo#12', slots: 2 \}\)/);
  assert.equal(made.cli, "./avouch call look --key 'acme/repo#12' --slots 2");
  assert.equal('mcp' in made, false, 'no tool stands for it');
});

test('a POST sends its members as JSON with the key of the agent, and quotation marks survive the shell', () => {
  const made = callSnippets({
    operation: {
      operationId: 'create_task',
      method: 'post',
      path: '/api/tasks',
      access: 'agent',
      headerOnly: { 'x-agent-key': 'agent_key' },
    },
    values: { need: "don't", agent_key: 'agk_secret' },
    baseUrl,
    tool: 'create_task',
  });
  assert.equal(
    made.curl,
    [
      'curl -s https://a.example/api/tasks \\',
      '  -H "x-agent-key: $AGENT_KEY" \\',
      "  -H 'content-type: application/json' \\",
      `  -d '{"need":"don'\\''t"}'`,
    ].join('\n'),
  );
  assert.deepEqual(JSON.parse(made.mcp ?? ''), { name: 'create_task', arguments: { need: "don't" } });
  assert.match(made.ts, /need: 'don\\'t'/);
  assert.ok(!Object.values(made).join().includes('agk_secret'), 'no example repeats a key');
});

test('fields of the path stand in it, and nested values go to the command line as JSON', () => {
  const operation = { operationId: 'x', method: 'get', path: '/x/{id}', access: 'none' } as const;
  const made = callSnippets({ operation, values: { id: 'a/b', tags: ['one', 'two'] }, baseUrl });
  assert.equal(made.curl, "curl -s 'https://a.example/x/a%2Fb?tags=one&tags=two'");
  assert.equal(made.cli, `./avouch call x --json '{"id":"a/b","tags":["one","two"]}'`);
});
