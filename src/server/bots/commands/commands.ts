import { eq } from 'drizzle-orm';
import { telegram_chat } from '../bots.table.ts';
import { check } from './check.ts';
import { type Command, heading, words } from './command.ts';
import { codes, today } from './figures.ts';
import { mute } from './mute.ts';
import { type CommandName, offeredCommands } from './names.ts';
import { status } from './status.ts';

const help: Command = {
  read: async ({ language, person, checkUrl, takesPictures }) =>
    [
      heading(language, 'help_title', { account: person.account }),
      ...offeredCommands({ withCheck: checkUrl !== undefined }).map((name) => `/${name} ${words(language, `help_${name}`)}`),
      ...(takesPictures ? [words(language, 'help_picture')] : []),
    ].join('\n'),
};

const unbind: Command = {
  administers: true,
  read: async ({ language }) => words(language, 'unbound'),
  async write(tx, asked) {
    await tx.delete(telegram_chat).where(eq(telegram_chat.id, asked.chat.id));
    return this.read(asked);
  },
};

export const commands: Record<CommandName, Command> = { status, today, codes, check, mute, unbind, help };
