// Writes the documents that follow from the tables of the service: node scripts/generate-docs.ts
import { writeFileSync } from 'node:fs';
import { allProblems, OPERATIONS, promisedProblems } from '../src/operations.ts';

/** Every generated document by its path in the repository. */
export function generatedDocuments(): Record<string, string> {
  return { 'docs/errors.md': errorsPage() };
}

function errorsPage(): string {
  const rows = allProblems().map(({ code, status, title, help }) => {
    const operations = OPERATIONS.filter((row) => promisedProblems(row).some((problem) => problem.code === code));
    const ids = operations.map((row) => `\`${row.operationId}\``).join(', ') || 'any request';
    return `| \`${code}\` | ${status} | ${cell(title)} | ${cell(help)} | ${ids} |`;
  });
  return `# Problem codes

Generated from the operation table by \`node scripts/generate-docs.ts\`; changes are made in the tables.

Every answer with a status from 400 on is an \`application/problem+json\` document (RFC 9457) whose \`code\` is one of
these. \`type\` is the address of a page about the code, \`/problems/{code}\`. Where waiting helps, \`retry_after_s\` and the
\`Retry-After\` header say how many seconds. "Any request" means that the code is answered before or beside an operation.

| Code | Status | Title | What happened and what to do | Answered by |
|---|---|---|---|---|
${rows.join('\n')}
`;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}

if (import.meta.main) {
  for (const [path, text] of Object.entries(generatedDocuments())) {
    writeFileSync(new URL(`../${path}`, import.meta.url), text);
  }
}
