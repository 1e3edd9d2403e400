export type { Refused } from '../../../src/areas/connect/tools/refusal.ts';
export {
  TOOL_INSTRUCTIONS,
  TOOL_TABLE,
  type InputSchema,
  type ToolName,
  type ToolRow,
} from '../../../src/areas/connect/tools/tool-table.ts';
export {
  type AgentTool,
  avouchToolbox,
  type GuardOptions,
  type SpendingOptions,
  type Toolbox,
  type ToolboxOptions,
} from './toolbox.ts';
export type { ToolResult } from '../../../src/areas/connect/tools/tool-runs.ts';
