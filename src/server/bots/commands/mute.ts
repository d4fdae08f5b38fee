import { eq, sql } from 'drizzle-orm';
import { telegram_chat } from '../bots.table.ts';
import { type Asked, type Command, words } from './command.ts';

const usualMinutes = 60;
const maxMinutes = 7 * 24 * 60;

/** A moment as the site's clocks show it. */
const shownMoment = (at: Date, { language, settings }: Asked): string => {
  const options = { timeZone: settings.time_zone, dateStyle: 'short', timeStyle: 'short' } as const;
  try {
    return new Intl.DateTimeFormat(language, options).format(at);
  } catch {
    return new Intl.DateTimeFormat('en-US', options).format(at);
  }
};

/** Until when the chat is muted, where it is. */
export function mutedLine(asked: Asked): string[] {
  const { chat, language, now } = asked;
  const until = chat.muted_until && new Date(chat.muted_until);
  return until && until > now ? [words(language, 'muted_until', { time: shownMoment(until, asked) })] : [];
}

async function setMuted(asked: Asked, tx: Asked['db'], minutes: number): Promise<string> {
  const [changed] = await tx
    .update(telegram_chat)
    .set({ muted_until: minutes === 0 ? null : sql`now() + make_interval(mins => ${minutes})` })
    .where(eq(telegram_chat.id, asked.chat.id))
    .returning({ muted_until: telegram_chat.muted_until });
  if (!changed?.muted_until) return words(asked.language, 'unmuted');
  return words(asked.language, 'muted', { time: shownMoment(new Date(changed.muted_until), asked) });
}

/** Silences pushes to this chat for so many minutes; 0 ends that. */
export const mute: Command = {
  administers: true,
  read: async ({ language }) => words(language, 'mute_usage', { maximum: maxMinutes }),
  write(tx, asked) {
    const minutes = asked.args === '' ? usualMinutes : /^\d{1,6}$/.test(asked.args) ? Number(asked.args) : Number.NaN;
    return minutes <= maxMinutes ? setMuted(asked, tx, minutes) : this.read(asked);
  },
};
