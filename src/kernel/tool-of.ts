import { z } from 'zod';
import type { ServedTool } from './area.ts';
import type { InputSchema, Operation } from './operation.ts';
import { Refusal } from './problem.ts';
import { type Annotations, defineTool, MAX_DESCRIPTION_LENGTH, type ToolCall } from './tool.ts';

type ToolRow = Pick<
  Operation,
  'operationId' | 'summary' | 'description' | 'input' | 'headerOnly' | 'output' | 'effects' | 'price'
>;

export interface ToolOptions<Row extends ToolRow, Opened, O extends z.ZodType = Row['output']>
  extends Pick<ServedTool<Opened>, 'after'> {
  readonly name: string;
  /** Where the words of the row are about HTTP. */
  readonly description?: string;
  readonly hints?: Partial<Annotations>;
  readonly brief?: true;
  /** What a caller of the tool may leave out although the row asks for it. */
  readonly defaults?: Partial<z.input<Row['input']>>;
  /** The answer in another form than the row's. */
  readonly answer?: {
    readonly output: O;
    readonly from: (answer: z.output<Row['output']>, area: Opened) => z.output<O>;
  };
}

const KEY_HEADER = 'x-agent-key';

/** The tool that stands for a row: its words, schemas and handler are the row's. */
export function toolOf<Row extends ToolRow, Opened, O extends z.ZodType = Row['output']>(
  row: Row,
  options: ToolOptions<Row, Opened, O>,
): ServedTool<Opened> {
  const { name, hints, brief, defaults = {}, answer, description = wordsOf(row), after } = options;
  if (row.price !== null) throw new Error(`${row.operationId} has a price: its tool is one of those that are paid`);
  const keyField = row.headerOnly?.[KEY_HEADER];
  return {
    tool: defineTool({
      name,
      title: row.summary,
      description,
      input: toolInput(row, defaults),
      output: answer?.output ?? row.output,
      hints: { readOnlyHint: !row.effects, idempotentHint: !row.effects, ...hints },
      ...(brief && { brief }),
    }),
    row: row.operationId,
    ...(after !== undefined && { after }),
    workOf:
      (area, ask) =>
      async (input: object, { requestId, addressTag, agentKey, identity }: ToolCall) => {
        const key = keyField === undefined ? {} : { [keyField]: agentKey };
        const call = { requestId, addressTag, ...(identity !== undefined && { identity }) };
        const given = await ask(row, { ...input, ...key }, call);
        return given instanceof Refusal || answer === undefined
          ? given
          : answer.from(given as z.output<Row['output']>, area);
      },
  };
}

/** The summary and as many sentences of the description as a list has room for. */
function wordsOf({ summary, description }: ToolRow): string {
  const sentences = description.split(/(?<=\.) /);
  let words = `${summary}.`;
  for (const sentence of sentences) {
    if (words.length + 1 + sentence.length > MAX_DESCRIPTION_LENGTH) break;
    words += ` ${sentence}`;
  }
  return words;
}

/** The fields of the row but those that only a header carries. */
function toolInput({ input, headerOnly = {} }: ToolRow, defaults: Readonly<Record<string, unknown>>): InputSchema {
  const inHeaders = Object.values(headerOnly);
  if (inHeaders.length === 0 && Object.keys(defaults).length === 0) return input;
  const fields = Object.entries(input.shape).filter(([name]) => !inHeaders.includes(name));
  return z.strictObject(
    Object.fromEntries(
      fields.map(([name, field]) => [name, name in defaults ? field.default(defaults[name] as never) : field]),
    ),
  );
}
