import type { OperationId } from '../../client/outcome.ts';
import { optionOf } from './line/field-problems.ts';
import type { Run } from './line/spec.ts';
import { callOperation } from './log-client.ts';
import { serviceUrl } from './service-url.ts';

interface Question {
  readonly id: OperationId;
  /** The field that is given without its name, and how help calls it. */
  readonly operand?: { readonly field: string; readonly name: string };
  /** Whether a response says that its caller should not go on. */
  readonly isNo: (answer: Record<string, unknown>) => boolean;
}

/** Asks the service one thing and prints its response: exit code 0, or 1 where the response is a no. */
function asks({ id, operand, isNo }: Question): Run {
  return async ({ operands, values: { url, ...values } }, output) => {
    const named = Object.entries(values).map(([option, value]) => [option.replaceAll('-', '_'), value]);
    const input = { ...Object.fromEntries(named), ...(operand && { [operand.field]: operands[0] }) };
    const nameOf = (field: string) => (field === operand?.field ? `<${operand.name}>` : optionOf(field));
    const answer = await callOperation(serviceUrl(url, output.env), id, input, { nameOf });
    output.out(`${JSON.stringify(answer, null, 2)}\n`);
    return isNo(answer) ? 1 : 0;
  };
}

export const look = asks({
  id: 'look',
  operand: { field: 'key', name: 'work key' },
  isNo: ({ signal }) => signal === 'RED',
});

export const check = asks({ id: 'check', isNo: ({ verdict }) => verdict === 'STOP' });
