import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import { OPERATIONS } from '../../src/areas.ts';
import { Contract } from './contract.ts';
import { judgeRealAnswers } from './real-answers.ts';

const PROBLEM_MEDIA = 'application/problem+json';
/** By chance, for each operation; contract.more.ts sends many more. */
const REQUESTS = 3;
/** Of the whole document, before it is compressed. */
const MAX_BYTES = 1_300_000;

let contract: Contract;
before(async () => (contract = await Contract.open()));
after(() => contract[Symbol.asyncDispose]());

test('the document is OpenAPI 3.1.0 in version 1.1.0 and holds every row under an id of its own', () => {
  assert.equal(contract.document.openapi, '3.1.0');
  assert.equal(contract.document.info.version, '1.1.0');
  const ids = contract.operations().map(({ object }) => object.operationId);
  assert.equal(new Set(ids).size, ids.length);
  for (const { operationId, alsoPost } of OPERATIONS) {
    assert.ok(ids.includes(operationId), operationId);
    assert.equal(ids.includes(`${operationId}_by_post`), alsoPost === true, operationId);
  }
});

test('every example is valid for the schema beside it', async () => {
  let count = 0;
  for (const { object } of contract.operations()) {
    // Hundreds of schemas are compiled here: the service in this process is to be heard in between.
    await setImmediate();
    for (const { content } of [
      ...Object.values(object.responses),
      ...(object.requestBody ? [object.requestBody] : []),
    ]) {
      for (const { schema, examples = {} } of Object.values(content)) {
        for (const [name, example] of Object.entries(examples)) {
          assert.equal(
            contract.faultBySchema(schema, contract.valueOf(example)),
            undefined,
            `${object.operationId} ${name}`,
          );
          count += 1;
        }
      }
    }
  }
  assert.ok(count > 3 * OPERATIONS.length);
});

test('each operation names its rate class and problem codes, with one example of each code', () => {
  for (const { object } of contract.operations()) {
    const row = OPERATIONS.find(({ operationId }) => operationId === object.operationId.replace(/_by_post$/, ''));
    assert.equal(object['x-rate-class'], row?.rate, object.operationId);
    const shown = Object.entries(object.responses).flatMap(([status, { content }]) =>
      Object.entries(content[PROBLEM_MEDIA]?.examples ?? {}).map(([name, example]) => {
        const problem = contract.valueOf(example) as {
          code: string;
          status: number;
          instance: string;
          retry_after_s?: number;
        };
        assert.deepEqual([problem.code, problem.status], [name, Number(status)]);
        assert.doesNotMatch(problem.instance, /[{}]/);
        assert.equal(problem.retry_after_s !== undefined, status === '429' || status === '503', name);
        return name;
      }),
    );
    assert.deepEqual(shown.toSorted(), object['x-problem-codes'].toSorted(), object.operationId);
    assert.ok(shown.length > 0, object.operationId);
  }
});

test('an example that several calls have stands once, and every one of them is used', () => {
  const { examples } = contract.document.components;
  const whole = JSON.stringify(contract.document);
  for (const [name, { value }] of Object.entries(examples)) {
    assert.ok(whole.includes(`"#/components/examples/${name}"`), `${name} is not used`);
    assert.equal(whole.split(JSON.stringify(value)).length, 2, `${name} is written out again`);
    if (!name.includes('_answer_')) assert.equal('charged' in (value as object), /_paid(?:_|$)/.test(name), name);
  }
  assert.ok(Buffer.byteLength(whole) < MAX_BYTES, `${Buffer.byteLength(whole)} bytes`);
});

test('each schema with a name is one component, to which the others refer', () => {
  const components = Object.entries(contract.document.components.schemas);
  const named = z.toJSONSchema(z.globalRegistry, { uri: (id) => id }) as { schemas: Record<string, object> };
  assert.deepEqual(components.map(([name]) => name).toSorted(), Object.keys(named.schemas).toSorted());
  const texts = components.map(([, schema]) => JSON.stringify(schema));
  assert.equal(new Set(texts).size, texts.length, 'two components alike');
  const whole = JSON.stringify(contract.document);
  for (const [name, schema] of components) {
    assert.ok(whole.includes(`"#/components/schemas/${name}"`), `${name} is not used`);
    assert.equal(whole.split(JSON.stringify(schema)).length, 2, `${name} is written out again`);
  }
});

test('every real answer is declared in the document and valid for it', () => judgeRealAnswers(contract, REQUESTS));
