import { extractText, getDocumentProxy } from 'unpdf';
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
    const { text } = await extractText(document, { mergePages: true });
    return { pages, text: text.toWellFormed() };
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
