import { getDocumentProxy } from 'unpdf';
import { HEAVY_LIMITS } from '../heavy/heavy-limits.ts';
import { Impossible, type HeavyResults, type HeavyTasks } from '../heavy/heavy-tasks.ts';
import { pdfFault } from '../document/pdf-streams.ts';

/** Warnings are not shown to anybody, but tell the process that memory was refused to it. */
const VERBOSITY = 1;

export async function readPdf({ bytes, maxPages }: HeavyTasks['pdf']): Promise<HeavyResults['pdf'] | Impossible> {
  const fault = await pdfFault(bytes);
  if (fault !== undefined) return fault;
  try {
    // A Buffer, as one end of a pipe may make of it, is not taken.
    const plain = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const document = await getDocumentProxy(plain, { verbosity: VERBOSITY });
    const pages = document.numPages;
    if (pages > maxPages)
      return new Impossible('too_many_pages', `The PDF has ${pages} pages. The maximum is ${maxPages}.`);
    return { pages, text: (await textOf(document)).toWellFormed() };
  } catch (error) {
    const { name, message } = error as Error;
    if (message.includes('allocation failed')) throw error;
    const isLocked = name === 'PasswordException';
    return new Impossible(
      isLocked ? 'pdf_locked' : 'not_a_pdf',
      isLocked ? 'The PDF needs a password.' : 'The file is not a readable PDF.',
    );
  }
}

/** More than the blanks between two pages lose. */
const BLANKS_LOST = 4;

/** A page at a time, each given up before the next: all at once they take a third more memory. Ends where it is too long for an answer. */
async function textOf(document: Awaited<ReturnType<typeof getDocumentProxy>>): Promise<string> {
  let text = '';
  for (let number = 1; number <= document.numPages; number += 1) {
    if (text.length > HEAVY_LIMITS.outputLength + BLANKS_LOST * number) break;
    const page = await document.getPage(number);
    const { items } = await page.getTextContent();
    const pieces = items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : ''));
    text += (number === 1 ? '' : '\n') + withFewBlanks(pieces.join(''));
    page.cleanup();
  }
  return withFewBlanks(text);
}

/** Keeps the lines, with at most one blank line between them. */
function withFewBlanks(text: string): string {
  return text
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n');
}
