import type { OperationId } from '../../client/outcome.ts';
import { givenArguments } from './arguments.ts';
import { type Command, UsageError } from './command.ts';
import { callOperation, serviceUrl } from './log-client.ts';

export interface PaidQuestion {
  /** The id of the operation too. */
  readonly name: OperationId;
  readonly summary: string;
  /** The parameter that is given without its name; null where there is none. */
  readonly first: string | null;
  readonly parameters: readonly string[];
  readonly examples: readonly string[];
  /** Whether an answer says that its asker should not go on. */
  readonly isNo: (answer: Record<string, unknown>) => boolean;
}

/** A command that asks the service one thing and prints its answer: exit code 0, or 1 where the answer is a no. */
export function asks({ name, summary, first, parameters, examples, isNo }: PaidQuestion): Command {
  const options = parameters.map((parameter) => parameter.replaceAll('_', '-'));
  const takes = `${name} takes ${[...(first === null ? [] : [`a ${first}`]), ...options.map((option) => `--${option}`), '--url'].join(', ')}`;
  return {
    name,
    summary,
    usage: `${name}${first === null ? '' : ` <${first}>`} [${options.map((option) => `--${option} <value>`).join('] [')}] [--url <url>]`,
    examples,
    async run(args, terminal) {
      const { positionals, values } = givenArguments(args, { values: [...options, 'url'] }, takes);
      if (positionals.length !== (first === null ? 0 : 1)) throw new UsageError(takes);
      const input = Object.fromEntries(parameters.map((parameter, at) => [parameter, values[options[at] as string]]));
      if (first !== null) input[first] = positionals[0];
      const answer = await callOperation(serviceUrl(values['url'], terminal.env), name, input);
      terminal.out(`${JSON.stringify(answer, null, 2)}\n`);
      return isNo(answer) ? 1 : 0;
    },
  };
}
