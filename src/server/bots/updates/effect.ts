import type { Settings } from '../../../contract/settings.ts';
import type { Database } from '../../kit/postgres/database.ts';
import type { Answer } from '../api/answers.ts';
import type { Download, Means, Telegram } from '../api/client.ts';
import type { CheckUrl } from '../bots.check.ts';
import type { TakePicture } from '../bots.pictures.ts';

/** What an update does, in the transaction that marks it; what the bot says then. */
export type Effect = (tx: Database) => Promise<Answer[]>;

export type Handling = Means & {
  bot: { id: number; username: string };
  telegram: Telegram;
  settings: Settings;
  now: Date;
  checkUrl: CheckUrl | undefined;
  takePicture: TakePicture | undefined;
  download: Download;
  signal: AbortSignal;
};
