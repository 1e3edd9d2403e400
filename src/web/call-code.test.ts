import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callSnippets, commandOf, curlOf, shellWord, typescriptOf } from './call-code.ts';

const BASE = 'https://a.example';
const site = { baseUrl: () => BASE };
const read = { operationId: 'look', method: 'get', path: '/v1/look/{id}' } as const;
const write = { operationId: 'seal', method: 'post', path: '/seal' } as const;

test('a read is a GET with its path and query filled in', () => {
  assert.equal(curlOf(read, { id: 'a/b', key: "it's #1" }, BASE), `curl -s '${BASE}/v1/look/a%2Fb?key=it%27s+%231'`);
});

test('a write is a POST with JSON, and a quote does not end it', () => {
  assert.equal(
    curlOf(write, { text: "it's" }, BASE),
    `curl -s ${BASE}/seal \\\n  -H 'content-type: application/json' \\\n  -d '{"text":"it'\\''s"}'`,
  );
});

test('an operation that takes both is sent as POST', () => {
  assert.match(curlOf({ ...read, path: '/v1/claim', alsoPost: true }, { key: 'k' }, BASE), /-d '\{"key":"k"\}'$/);
});

test('the script and the command get the same values, quoted for each', () => {
  const input = { name: "O'Hara", claim: { statement: 'done' }, cents: 5 };
  assert.match(
    typescriptOf(write, input, BASE),
    /^ {2}body: JSON\.stringify\(\{ name: 'O\\'Hara', claim: \{ statement: 'done' \}, cents: 5 \}\),$/m,
  );
  assert.match(
    commandOf(write, input, BASE),
    /^\.\/avouch call seal \\\n {2}--json '\{"name":"O'\\''Hara","claim":\{"statement":"done"\},"cents":5\}' \\\n {2}--url /,
  );
});

test('a plain word needs no quotes', () => {
  assert.deepEqual(['demo/1', 'two words', '$HOME'].map(shellWord), ['demo/1', "'two words'", "'$HOME'"]);
});

const look = { operationId: 'look', method: 'get', path: '/v1/look', access: 'none' } as const;

test('a call is written for curl, TypeScript and the command line', () => {
  const made = callSnippets(look, { key: 'acme/repo#12', slots: 2 }, site);
  assert.equal(made.curl, "curl -s 'https://a.example/v1/look?key=acme%2Frepo%2312&slots=2'");
  assert.match(
    made.ts,
    /^const answer = await fetch\('https:\/\/a\.example\/v1\/look\?key=acme%2Frepo%2312&slots=2'\);$/m,
  );
  assert.equal(made.cli, "./avouch call look \\\n  --key 'acme/repo#12' \\\n  --slots 2 \\\n  --url https://a.example");
  assert.equal('mcp' in made, false, 'no tool stands for it');
});

test('a POST sends its members as JSON with the key of the agent, and quotation marks survive the shell', () => {
  const made = callSnippets(
    {
      operationId: 'create_task',
      method: 'post',
      path: '/api/tasks',
      access: 'agent',
      headerOnly: { 'x-agent-key': 'agent_key' },
    },
    { need: "don't", agent_key: 'agk_secret' },
    { ...site, rowTool: () => ({ name: 'create_task', path: '/mcp/streamable' }) },
  );
  assert.equal(
    made.curl,
    [
      'curl -s https://a.example/api/tasks \\',
      '  -H "x-agent-key: $AGENT_KEY" \\',
      "  -H 'content-type: application/json' \\",
      `  -d '{"need":"don'\\''t"}'`,
    ].join('\n'),
  );
  assert.equal(
    made.mcp,
    [
      'POST https://a.example/mcp/streamable',
      'x-agent-key: $AGENT_KEY',
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"create_task","arguments":{"need":"don't"}}}`,
    ].join('\n'),
  );
  assert.match(made.ts, /need: 'don\\'t'/);
  assert.ok(!Object.values(made).join().includes('agk_secret'), 'no example repeats a key');
});

test('fields of the path stand in it, and nested values go to the command line as JSON', () => {
  const operation = { operationId: 'x', method: 'get', path: '/x/{id}', access: 'none' } as const;
  const made = callSnippets(operation, { id: 'a/b', tags: ['one', 'two'] }, site);
  assert.equal(made.curl, "curl -s 'https://a.example/x/a%2Fb?tags=one&tags=two'");
  assert.equal(
    made.cli,
    `./avouch call x \\\n  --json '{"id":"a/b","tags":["one","two"]}' \\\n  --url https://a.example`,
  );
});

test('a tool that takes other arguments gets those, and one that cannot make the call is not shown', () => {
  const tool = {
    name: 'avouch_claim',
    path: '/mcp/coordination',
    header: 'x-crossing-token',
    argumentsOf: ({ key }: { readonly key?: unknown }) => (key === undefined ? undefined : { key }),
  };
  const withTool = { ...site, rowTool: () => tool };
  const made = callSnippets(look, { key: 'k', agent: 'scout-1' }, withTool);
  assert.match(made.mcp ?? '', /\/mcp\/coordination\nx-crossing-token: \$CROSSING_TOKEN\n.*"arguments":\{"key":"k"\}/);
  assert.equal('mcp' in callSnippets(look, { agent: 'scout-1' }, withTool), false);
});
