import type { Deprecation } from '#kernel/deprecation.ts';
import type { Operation } from '#kernel/operation.ts';

/** A document that is handed in: facts of another area or room in wire names. */
type Facts = Readonly<Record<string, unknown>>;

/** Everything that documents are made from. It is handed in by whoever knows all rooms; nothing here is written twice. */
export interface About {
  readonly service: string;
  readonly version: string;
  readonly baseUrl: string;
  readonly sandbox: boolean;
  readonly operator: { readonly name: string; readonly contact: string };
  /** The rows that this installation offers, in the order in which documents show them. */
  readonly operations: readonly Operation[];
  readonly versions: Facts;
  /** Where MCP clients connect, and in which revisions. */
  readonly mcp: {
    readonly places: readonly McpPlace[];
    readonly revisions: readonly string[];
    /** How many tools the catalogue lists. */
    readonly tools: number;
    /** How many the endpoint for coordination has. */
    readonly coordinationTools: number;
  };
  /** The installation itself, as a platform of the mandate handshake. */
  readonly platformId: string;
  readonly keys: {
    readonly receipt: { readonly kid: string; readonly public_key: string };
    readonly log: { readonly vkey: string };
    /** The log entry in which the log declared its own first key. */
    readonly inception: string;
  };
  readonly limits: readonly Facts[];
  readonly rateClasses: readonly Facts[];
  /** How calls with a price are paid; empty where none has one. */
  readonly payment: Facts;
  readonly attestationFees: readonly Facts[];
  /** What each surface that is paid otherwise costs, by its id. */
  readonly terms: Readonly<Record<string, Facts>>;
  readonly crossing: Facts & { readonly lease: Facts };
  /** Protocols of coordination with the path that publishes each. */
  readonly protocols: readonly Facts[];
  readonly eventDays: number;
  /** The newest digest of what agents learned; null where there is none. */
  readonly lessons: Facts | null;
  /** What verifies offline, with the digest of each file. */
  readonly files: { readonly verifier: FileFacts; readonly vectors: FileFacts };
}

interface McpPlace {
  readonly path: string;
  readonly transport: 'streamable-http' | 'sse';
  readonly what: string;
  readonly deprecated?: Deprecation;
}

interface FileFacts {
  readonly path: string;
  readonly sha256: string;
}

export function rowOf({ operations }: Pick<About, 'operations'>, operationId: string): Operation | undefined {
  return operations.find((row) => row.operationId === operationId);
}

export function offersPath({ operations }: Pick<About, 'operations'>, path: string): boolean {
  return operations.some((row) => row.path === path);
}

/** The members that all manifests have. */
export function common(about: About, manifest: string, path: string) {
  const { service, baseUrl, sandbox } = about;
  return {
    manifest,
    manifest_version: '1.0',
    service,
    base_url: baseUrl,
    sandbox,
    links: {
      self: `${baseUrl}${path}`,
      entry: `${baseUrl}/entry`,
      openapi: `${baseUrl}/openapi.json`,
      llms: `${baseUrl}/llms.txt`,
      rules: `${baseUrl}/api/rules-of-engagement`,
      status: `${baseUrl}/system/status`,
    },
  };
}
