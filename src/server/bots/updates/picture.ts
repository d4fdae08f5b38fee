import { AppError } from '../../kit/calls/errors.ts';
import { languageOfUser } from '../../kit/calls/user-language.ts';
import { translate } from '../../kit/messages/messages.ts';
import { type Answer, escapeHtml, say } from '../api/answers.ts';
import type { Message } from '../api/updates.ts';
import { type ChatRow, lockChat } from '../bots.chats.ts';
import { readActive } from '../bots.people.ts';
import { words } from '../commands/command.ts';
import type { Effect, Handling } from './effect.ts';

/** The largest that Telegram hands to bots. */
const maxTelegramBytes = 20_000_000;

/** The largest of a picture's sizes, or the file that one was sent as. */
export function sentPicture({ photo = [], document }: Message): { file_id: string; file_size?: number | undefined } | undefined {
  const [largest] = photo.toSorted((one, other) => other.width * other.height - one.width * one.height);
  return largest ?? (document?.mime_type?.startsWith('image/') ? document : undefined);
}

async function read({ db, settings, now, signal, download, takePicture }: Handling, message: Message, row: ChatRow) {
  const language = await languageOfUser(db, row.user_id);
  const person = await readActive(db, row.user_id, settings);
  const sent = sentPicture(message);
  if (!person) return { html: words(language, 'account_off') };
  if (!takePicture || !sent) return { html: words(language, 'unknown_command') };
  const maximum_bytes = Math.min(settings.upload_limit_bytes, maxTelegramBytes);
  try {
    if ((sent.file_size ?? 0) > maximum_bytes)
      throw new AppError(413, 'upload.limit_exceeded', { params: { megabytes: Math.floor(maximum_bytes / 100_000) / 10 } });
    const bytes = await download(sent.file_id, { maximum_bytes, signal });
    return await takePicture({ db, person, language, settings, now, bytes, caption: message.caption ?? '', signal });
  } catch (error) {
    // What is wrong with the picture is said; where Telegram or the storage fails, it is tried again.
    if (signal.aborted || !(error instanceof AppError) || error.status >= 500 || error.status === 429) throw error;
    return { html: escapeHtml(translate(language, `errors.${error.code}`, error.details.params)) };
  }
}

/** A picture in a private chat: what it is for, says who takes pictures. */
export async function planPicture(handling: Handling, message: Message, row: ChatRow): Promise<Effect> {
  const { html, buttons } = { buttons: undefined, ...(await read(handling, message, row)) };
  const answer: Answer = say(message.chat.id, { text: html, format: 'html', buttons });
  return async (tx) => ((await lockChat(tx, row)) ? [answer] : []);
}
