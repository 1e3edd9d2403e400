import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '#properties';
import { begunStep, caseIdOf, digestOf, doneStep, isChainWhole, type TaskStep } from './evidence.ts';

const AT = Date.UTC(2026, 10, 15);

function chain(taskId: string, outputs: readonly unknown[]): TaskStep[] {
  return outputs.reduce<TaskStep[]>(
    (steps, output, index) => [
      ...steps,
      doneStep(taskId, begunStep(taskId, steps, 'route', index), output, AT + index),
    ],
    [],
  );
}

test('the hash of a step is the one of the published vector', () => {
  assert.equal(caseIdOf('tsk_1'), '5a70d4bd6f2b68d4bb9046a41925ea60d866f5274870927aee4dd913492b9e42');
  const begun = begunStep('tsk_1', [], 'route', 'Check VAT number NL123456789B01');
  assert.equal(begun.inputSha256, 'a1a7d7bd4da6461f5f6f14967d00b15104dd1a8cbd0acb4aaa04c453c7ca6497');
  const done = doneStep('tsk_1', begun, { route: 'eu_vat_check', decision: 'routed' }, AT);
  assert.equal(done.outputSha256, '3ab3e86f8fe498126130147bf9b40563aa7b81f7bda37c128480f582105cd4f5');
  assert.equal(done.hash, 'c9b115bbb26280bc7cf7711f69658d4cae25d04c7b40ff9d74fe749ef84a8824');
  assert.equal(digestOf({ b: 1, a: 2 }), digestOf({ a: 2, b: 1 }));
});

test('a chain is whole until one character of it is altered, a step is left out or they change places', () => {
  const outputs = fc.array(fc.jsonValue({ noUnicodeString: true }), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(outputs, fc.nat(), fc.nat(), (values, where, which) => {
      const steps = chain('tsk_x', values);
      assert.ok(isChainWhole('tsk_x', steps));
      assert.ok(!isChainWhole('tsk_y', steps));
      const at = where % steps.length;
      const step = steps[at] as TaskStep;
      const fields = ['name', 'inputSha256', 'output', 'outputSha256', 'prev', 'hash', 'n', 'atMs'] as const;
      const field = fields[which % fields.length] as (typeof fields)[number];
      const was = step[field];
      const altered = typeof was === 'number' ? was + 1 : `${String(was).slice(0, -1)}~`;
      assert.ok(!isChainWhole('tsk_x', steps.with(at, { ...step, [field]: altered })), field);
      if (at < steps.length - 1) assert.ok(!isChainWhole('tsk_x', steps.toSpliced(at, 1)));
      if (steps.length > 1) assert.ok(!isChainWhole('tsk_x', steps.toReversed()));
    }),
  );
});

test('a step that only began ends a whole chain, and only there', () => {
  const steps = chain('tsk_x', [1, 2]);
  const begun = begunStep('tsk_x', steps, 'execute', null);
  assert.ok(isChainWhole('tsk_x', [...steps, begun]));
  assert.ok(!isChainWhole('tsk_x', [begunStep('tsk_x', [], 'execute', null), ...steps]));
});
