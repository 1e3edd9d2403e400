import { on, type OpenArea } from '#kernel/area.ts';
import { isoTime } from '#kernel/clock.ts';
import { type Call, WithHeaders } from '#kernel/operation.ts';
import type { Platform, PlatformArea } from '#platform/platform.ts';
import { identity, type IdentityAnswer, signatureDirectory } from './operations.ts';

export interface OpenIdentity extends OpenArea {
  identityOf(call: Call): Promise<IdentityAnswer>;
  readonly directory: Platform['ownDirectory'];
}

export const identityArea = {
  name: 'identity',
  open: ({ clock, ownDirectory }: Platform): OpenIdentity => ({
    identityOf: async (call) => shown(await call.identity?.details(call.addressTag), clock.now()),
    directory: ownDirectory,
  }),
  operations: [
    on(identity, (area, _input, call) => area.identityOf(call)),
    on(signatureDirectory, ({ directory }) => {
      const { document, headers } = directory.current();
      return new WithHeaders(Object.entries(headers).flat(), document);
    }),
  ],
} satisfies PlatformArea<OpenIdentity>;

type Details = Awaited<ReturnType<NonNullable<Call['identity']>['details']>>;

function shown(details: Details | undefined, nowMs: number): IdentityAnswer {
  const directory = details?.directory ?? null;
  return {
    state: details?.state ?? 'absent',
    reasons: [...(details?.reasons ?? [])],
    agent_url: details?.agentUrl ?? null,
    keyid: details?.keyid ?? null,
    strength: details?.verified?.strength ?? null,
    covered: [...(details?.covered ?? [])],
    signature_base_sha256: details?.baseSha256 ?? null,
    directory: directory === null ? null : { fetched_at: isoTime(directory.fetchedAtMs), keys: directory.keys },
    at: isoTime(nowMs),
  };
}
