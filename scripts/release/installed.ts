import { spawnSync } from 'node:child_process';

/** The tools that this machine lacks, as a reason to leave something out; false where it has them all. */
export function missingTools(...tools: readonly string[]): string | false {
  const missing = tools.filter((tool) => spawnSync('sh', ['-c', `command -v ${tool}`]).status !== 0);
  return missing.length > 0 && `not installed: ${missing.join(', ')}`;
}
