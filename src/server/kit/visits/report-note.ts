import { maxReportCharacters, type ReportReason, reportReasons } from '../../../contract/enums.ts';

/** What a visitor says of a code. */
export interface ReportNote {
  reason: ReportReason;
  text: string;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is removed here.
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** The text as it is kept: well-formed, without controls, and cut to its bound by characters, not by halves of them. */
export const boundedText = (text: string): string =>
  [...text.toWellFormed().replace(/\r\n?/g, '\n').replace(controls, '').trim()].slice(0, maxReportCharacters).join('');

export const reasonOf = (text: string | null | undefined): ReportReason | undefined => reportReasons.find((reason) => reason === text);

/** As the journal keeps it: the reason, a line break, the text; one character a byte, as all texts of a record. */
export const noteOf = ({ reason, text }: ReportNote): string => Buffer.from(`${reason}\n${boundedText(text)}`).toString('latin1');

/** What a record's note says; undefined where it is none that this program wrote. */
export function readNote(note: string): ReportNote | undefined {
  const end = note.indexOf('\n');
  const reason = reasonOf(note.slice(0, Math.max(end, 0)));
  return reason && { reason, text: boundedText(note.slice(end + 1)) };
}
