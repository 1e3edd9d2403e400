import type { SimulatorAnswer } from '../registers/simulator.ts';

export function xmlAnswer(body: string): SimulatorAnswer {
  const headers = { 'content-type': 'application/xml' };
  return { status: 200, headers, body: `<?xml version="1.0" encoding="UTF-8"?>\n${body}` };
}

export function escapeText(text: string): string {
  return text.replace(/[<>&"']/g, (mark) => `&#${mark.charCodeAt(0)};`);
}
