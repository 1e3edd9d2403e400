import { externalReader, HEADER_TEXT, type SettingsReading } from './registers.ts';
import type { Secret } from './secret.ts';

export interface McpConfig {
  /** Names under which MCP is served beside the own one. */
  readonly hosts: readonly string[];
  /** Hosts of pages that may call it, and `scheme://*` of browser extensions. */
  readonly origins: readonly string[];
  /** Where the internal tool proposes changes; null is off. */
  readonly repository: { readonly name: string; readonly token: Secret } | null;
  /** Public key with which the operator publishes this installation in the MCP registry; null is off. */
  readonly registryKey: string | null;
}

const HOST = /^(?:[a-z\d](?:[a-z\d.-]*[a-z\d])?|\[[\da-f:.]+\])$/;
const EXTENSIONS = /^(?!https?:)[a-z][a-z\d+.-]*:\/\/\*$/;
const REPOSITORY = /^[\w-]+\/[\w.-]+$/;

export function readMcp(reading: SettingsReading): McpConfig {
  const { faults, text } = reading;
  const list = (name: string, isRight: (value: string) => boolean, form: string) => {
    const values = text(name)
      .split(',')
      .map((value) => value.trim().toLowerCase())
      .filter((value) => value !== '');
    if (!values.every(isRight)) faults.push(`${name} must be ${form} separated by commas`);
    return values;
  };
  const isHost = (value: string) => HOST.test(value);
  const repository = text('AVOUCH_REPOSITORY');
  const token = externalReader(reading).secret('AVOUCH_REPOSITORY_TOKEN', HEADER_TEXT);
  if (repository !== '') {
    if (!REPOSITORY.test(repository)) faults.push('AVOUCH_REPOSITORY must be owner/name');
    else if (reading.secret('AVOUCH_REPOSITORY_TOKEN') === undefined) {
      faults.push('AVOUCH_REPOSITORY_TOKEN is required with AVOUCH_REPOSITORY: set it');
    }
  }
  return {
    hosts: list('AVOUCH_MCP_HOSTS', isHost, 'host names without port'),
    origins: list(
      'AVOUCH_MCP_ORIGINS',
      (value) => isHost(value) || EXTENSIONS.test(value),
      'host names, or moz-extension://* and the like,',
    ),
    repository: repository === '' || token === null ? null : { name: repository, token },
    registryKey: readRegistryKey(reading),
  };
}

/** In the one form that the registry reads: standard base64 with padding. */
function readRegistryKey({ faults, text }: SettingsReading): string | null {
  const key = text('AVOUCH_MCP_REGISTRY_KEY');
  if (key === '') return null;
  const bytes = Buffer.from(key, 'base64');
  if (bytes.length !== 32 || bytes.toString('base64') !== key) {
    faults.push('AVOUCH_MCP_REGISTRY_KEY must be the 32 bytes of a public Ed25519 key in base64');
  }
  return key;
}
