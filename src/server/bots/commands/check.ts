import { blockStatus } from '../../../contract/enums.ts';
import { AppError } from '../../kit/calls/errors.ts';
import { translate } from '../../kit/messages/messages.ts';
import { escapeHtml } from '../api/answers.ts';
import { type Asked, type Command, words } from './command.ts';

const maxUrl = 2000;
const keys = {
  [blockStatus.normal]: 'check_normal',
  [blockStatus.blocked]: 'check_blocked',
  [blockStatus.failed]: 'check_failed',
} as const;

async function checked({ db, person, args, language, signal, checkUrl }: Asked): Promise<string> {
  if (!checkUrl) return words(language, 'check_missing');
  if (args === '' || args.length > maxUrl) return words(language, 'check_usage');
  const { url, block_status, reason } = await checkUrl(db, { user_id: person.user_id, url: args, language, signal });
  return [words(language, keys[block_status]), `<code>${escapeHtml(url)}</code>`, ...(reason === '' ? [] : [escapeHtml(reason)])].join(
    '\n',
  );
}

export const check: Command = {
  nodes: ['wx_shield_detection.check'],
  async read(asked) {
    try {
      return await checked(asked);
    } catch (error) {
      if (asked.signal.aborted || !(error instanceof AppError)) throw error;
      // A field at fault can only be the address.
      const [fault] = Object.values(error.details.fields ?? {});
      const key = fault ? `errors.field.${fault}` : `errors.${error.code}`;
      return escapeHtml(translate(asked.language, key, error.details.params));
    }
  },
};
