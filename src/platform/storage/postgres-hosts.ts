/**
 * A setting may name the servers of one replicated database: `postgres://user@one:5432,two:5432/name`. Each gets an
 * address of its own; which of them takes writes shows only when it is asked.
 */
export function hostUrls(url: string): readonly string[] {
  const [, head = '', hosts, tail = ''] = /^(postgres(?:ql)?:\/\/(?:[^@/]*@)?)([^/?]*)(.*)$/.exec(url) ?? [];
  if (hosts === undefined || !hosts.includes(',')) return [url];
  return hosts.split(',').map((host) => `${head}${host}${tail}`);
}
