import { type BoundOperation, bind } from '#kernel/bound-operation.ts';
import type { Executions } from './executions.ts';
import type { CapabilityManifest } from './manifest.ts';
import { capabilitiesManifest, executeCapability, getExecution } from './operations.ts';

/** The rows of this area, in the order in which documents show them. */
export const CAPABILITY_OPERATIONS = [capabilitiesManifest, executeCapability, getExecution];

export function bindCapabilities(executions: Executions, manifest: CapabilityManifest): BoundOperation[] {
  return [
    bind(capabilitiesManifest, () => manifest.manifest()),
    bind(executeCapability, (input) => executions.execute(input)),
    bind(getExecution, (input) => executions.show(input)),
  ];
}
