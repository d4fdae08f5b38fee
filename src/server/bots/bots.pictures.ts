import type { Language } from '../../contract/enums.ts';
import type { Settings } from '../../contract/settings.ts';
import type { Person } from '../kit/calls/authentication.ts';
import type { Database } from '../kit/postgres/database.ts';
import type { Buttons } from './api/answers.ts';

/** A picture that the user of a bound chat sent there by himself. */
export type SentPicture = {
  db: Database;
  person: Person;
  language: Language;
  settings: Settings;
  now: Date;
  bytes: Buffer;
  /** What he wrote below it. */
  caption: string;
  signal: AbortSignal;
};

/** Says what to do with a picture: text of ours in HTML, and buttons. A fault of the picture is thrown as for an upload. */
export type TakePicture = (sent: SentPicture) => Promise<{ html: string; buttons?: Buttons }>;
