import { listed, type ListedTool, type ToolWorks } from '#kernel/tool.ts';
import { checkCounterparty, recordCounterpartyCheck } from './tools/counterparty.ts';
import { CONSTRUCTION_TOOLS, groundComponent } from './tools/open-data.ts';
import { ask, fetchDocument, ground, search, verifyReference } from './tools/references.ts';
import { checkTask, createTask, getEvidence } from './tools/tasks.ts';
import type { InternalTool } from './tools/internal.ts';

/** The public catalogue, in its order. */
export const PUBLIC_TOOLS = [
  ask,
  checkCounterparty,
  recordCounterpartyCheck,
  createTask,
  checkTask,
  getEvidence,
  verifyReference,
  ground,
  groundComponent,
  ...CONSTRUCTION_TOOLS,
  search,
  fetchDocument,
] as const;

export type PublicWorks = ToolWorks<(typeof PUBLIC_TOOLS)[number]>;
export type InternalWorks = ToolWorks<InternalTool>;

/** The same array for tools/list and for the static catalogue. */
export const LISTED_TOOLS: readonly ListedTool[] = PUBLIC_TOOLS.map(listed);
