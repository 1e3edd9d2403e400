export type { Refused } from './refusal.ts';
export { TOOL_INSTRUCTIONS, TOOL_TABLE, type InputSchema, type ToolName, type ToolRow } from './tool-table.ts';
export {
  type AgentTool,
  avouchToolbox,
  type GuardOptions,
  type SpendingOptions,
  type Toolbox,
  type ToolboxOptions,
} from './toolbox.ts';
export type { ToolResult } from './tool-runs.ts';
