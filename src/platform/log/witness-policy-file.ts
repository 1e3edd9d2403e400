import { readFileSync } from 'node:fs';
import { type Config } from '#platform/config/config.ts';
import { ConfigError } from '#platform/config/config-error.ts';
import { ProtocolError } from '#protocol/protocol-error.ts';
import { parsePolicy, type WitnessPolicy } from '#protocol/witness-policy.ts';

/** The witnesses that the operator configured, parsed and as text. */
export interface ConfiguredWitnesses {
  readonly policy: WitnessPolicy;
  /** The lines about witnesses, groups and quorum, as a published policy repeats them. */
  readonly lines: string;
}

const SETTING = 'AVOUCH_WITNESS_POLICY_FILE';

/** Null where no file is set; a file that cannot be used stops the start. */
export function readWitnessPolicy({
  witnessPolicyFile,
}: Pick<Config, 'witnessPolicyFile'>): ConfiguredWitnesses | null {
  if (witnessPolicyFile === null) return null;
  let bytes: Buffer;
  try {
    bytes = readFileSync(witnessPolicyFile);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigError([`the file that ${SETTING} names cannot be read (${code}): check its path and rights`]);
  }
  try {
    return { policy: parsePolicy(bytes), lines: witnessLines(bytes.toString('utf8')) };
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    throw new ConfigError([`the file that ${SETTING} names is not a witness policy: ${error.message}`]);
  }
}

function witnessLines(text: string): string {
  const lines = text.split('\n').filter((line) => /^[ \t]*(?:witness|group|quorum)[ \t]/.test(line));
  return lines.map((line) => `${line.trim()}\n`).join('');
}
