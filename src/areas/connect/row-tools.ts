import type { RowTool } from '#kernel/row-tool.ts';
import { COORDINATION_PATH } from './hosts.ts';
import { TOOL_TABLE, type ToolName } from './tools/tool-table.ts';

type Input = Readonly<Record<string, unknown>>;

/** What a host knows, and the call over HTTP does not say. */
const OWN_KEY = 'the work key that you claimed';
const OWN_TEXT = 'the exact text of what is agreed';
/** Proves which claims are whose. */
const TOKEN = { header: 'x-crossing-token' };
const RECORD = 'record.integrity.v1';

/** The tools at this endpoint that make the calls of rows, by the row's id. What a tool does not take is left out. */
export const COORDINATION_ROW_TOOLS: Readonly<Record<string, RowTool>> = {
  look: coordination('avouch_look', { argumentsOf: taken('avouch_look') }),
  claim: coordination('avouch_claim', {
    ...TOKEN,
    // Without a mode the tool takes an exclusive lease, and the call a shared one.
    argumentsOf: (input) => taken('avouch_claim')({ mode: 'shared', ...input }),
  }),
  release: coordination('avouch_release', {
    ...TOKEN,
    argumentsOf: (input) => taken('avouch_release')({ ...input, key: OWN_KEY }),
  }),
  check: coordination('avouch_check_spend', { argumentsOf: taken('avouch_check_spend') }),
  attest_seal: coordination('avouch_seal', {
    argumentsOf: ({ schema_id: schema, claim, disclosure }) =>
      schema === RECORD ? taken('avouch_seal')({ ...(claim as Input), disclosure }) : undefined,
  }),
  attest_verify: coordination('avouch_verify', { argumentsOf: taken('avouch_verify') }),
  amh_mandate_view: coordination('avouch_mandate', { argumentsOf: mandateStep('view') }),
  amh_verify: coordination('avouch_mandate', {
    argumentsOf: (input) => mandateStep('verify')({ ...input, payload: OWN_TEXT }),
  }),
  amh_seal: coordination('avouch_mandate', { argumentsOf: mandateStep('seal') }),
};

function coordination(name: ToolName, more: Omit<RowTool, 'name' | 'path'>): RowTool {
  return { name, path: COORDINATION_PATH, ...more };
}

/** The members of an input that a tool takes, in the tool's order. */
function taken(name: ToolName): (input: Input) => Input {
  const row = TOOL_TABLE.find((one) => one.name === name);
  const fields = Object.keys(row?.inputSchema.properties ?? {});
  return (input) =>
    Object.fromEntries(fields.flatMap((field) => (input[field] === undefined ? [] : [[field, input[field]]])));
}

/** One tool for three calls. */
function mandateStep(step: 'view' | 'verify' | 'seal'): (input: Input) => Input {
  return (input) => taken('avouch_mandate')({ ...input, step });
}
