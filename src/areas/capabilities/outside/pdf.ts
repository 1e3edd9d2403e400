import { getDocumentProxy, extractText } from 'unpdf';
import { Impossible, type HeavyResults, type HeavyTasks } from '../heavy-tasks.ts';

export async function readPdf({ bytes, maxPages }: HeavyTasks['pdf']): Promise<HeavyResults['pdf'] | Impossible> {
  try {
    const document = await getDocumentProxy(bytes, { verbosity: 0 });
    const pages = document.numPages;
    if (pages > maxPages) return new Impossible('too_many_pages', `has ${pages} pages; at most ${maxPages} are read`);
    const { text } = await extractText(document, { mergePages: true });
    return { pages, text: text.toWellFormed() };
  } catch (error) {
    const isLocked = (error as Error).name === 'PasswordException';
    return new Impossible(isLocked ? 'pdf_locked' : 'not_a_pdf', isLocked ? 'needs a password' : 'is no readable PDF');
  }
}
