/**
 * A setting may name the servers of one replicated database: `postgres://user@one:5432,two:5432/name`. Each gets an
 * address of its own; which of them takes writes shows only when it is asked.
 */
export function hostUrls(url: string): readonly string[] {
  const [, head = '', hosts, tail = ''] = /^(postgres(?:ql)?:\/\/(?:[^@/]*@)?)([^/?]*)(.*)$/.exec(url) ?? [];
  if (hosts === undefined || !hosts.includes(',')) return [url];
  return hosts.split(',').map((host) => `${head}${host}${tail}`);
}

/**
 * Options in the address come before ours, so that ours hold: the driver would send those of the address alone, and
 * commits would wait for less than they must.
 */
export function withOptions(url: string, options: string): { connectionString: string; options: string } {
  const [place = '', query = ''] = url.split(/\?(.*)/s);
  const parameters = new URLSearchParams(query);
  const given = parameters.getAll('options');
  if (given.length === 0) return { connectionString: url, options };
  parameters.delete('options');
  return { connectionString: `${place}?${parameters}`, options: [...given, options].join(' ') };
}
