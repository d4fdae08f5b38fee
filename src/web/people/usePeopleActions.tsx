import { Checkbox, Flex } from 'antd';
import { useTranslation } from 'react-i18next';
import { disabledStatus } from '../../contract/enums.ts';
import type { User } from '../../contract/people/user-list.ts';
import { api } from '../kit/calls/api.ts';
import { useAction } from '../kit/calls/query.ts';
import { type ConfirmOptions, useConfirm } from '../kit/dialogs/confirm.tsx';

/** What is said differently of customers and of administrators. */
const words = {
  user_list: {
    disable: 'user_list.disable_content',
    refreshAllTitle: 'user_list.refresh_all_title',
    refreshAll: 'user_list.refresh_all_content',
  },
  administrators: {
    disable: 'administrators.disable_content',
    refreshAllTitle: 'administrators.refresh_all_title',
    refreshAll: 'administrators.refresh_all_content',
  },
} as const;

type RefreshQuestionProps = {
  content: string;
  /** Undefined where nobody counts them. */
  token_number: number | undefined;
  onChange: (revoke_api_tokens: boolean) => void;
};

/** What becomes of the sessions and, where there are any, a choice about the API tokens, which stay unless they are chosen. */
function RefreshQuestion({ content, token_number, onChange }: RefreshQuestionProps) {
  const { t } = useTranslation();
  const help =
    token_number === undefined
      ? t('user_list.revoke_api_tokens_all_help')
      : t('user_list.revoke_api_tokens_help', { number: token_number });
  return (
    <Flex vertical gap={8}>
      <span>{content}</span>
      {token_number !== 0 && (
        <>
          <Checkbox onChange={(event) => onChange(event.target.checked)} aria-describedby="revoke-api-tokens-help">
            {t('user_list.revoke_api_tokens')}
          </Checkbox>
          <span id="revoke-api-tokens-help" className="lc-soft">
            {help}
          </span>
        </>
      )}
    </Flex>
  );
}

const idsOf = (users: readonly User[]) => users.map((user) => user.id);

/** What both lists of people do after asking. Each answers whether it was done. */
export function usePeopleActions(group: 'user_list' | 'administrators') {
  const { t } = useTranslation();
  const confirm = useConfirm();
  const disable = useAction(api[group].update_disabled);
  const refresh = useAction(api[group].force_refresh);
  const refreshAll = useAction(api[group].force_refresh_all);
  const removeSecondFactor = useAction(api[group].remove_second_factor);

  /** The question about one user names him; about several it gives their number. */
  const about = (users: readonly User[], act: string) =>
    users.length === 1 && users[0]
      ? t(`user_list.${act}_title`, { account: users[0].account })
      : t(`user_list.${act}_many_title`, { number: users.length });

  function refreshQuestion(content: (typeof words)[typeof group]['refreshAll'] | 'user_list.refresh_content', token_number?: number) {
    const chosen = { revoke_api_tokens: false };
    const choose = (revoke_api_tokens: boolean) => Object.assign(chosen, { revoke_api_tokens });
    return { content: <RefreshQuestion content={t(content)} token_number={token_number} onChange={choose} />, chosen };
  }

  async function asked(question: ConfirmOptions, act: () => Promise<unknown>): Promise<boolean> {
    return (await confirm({ danger: true, ...question })) && (await act()) !== undefined;
  }

  return {
    setDisabled(users: readonly User[], disabled: 1 | 2): Promise<boolean> {
      const act = () => disable.run({ ids: idsOf(users), disabled });
      if (disabled === disabledStatus.no) return act().then((done) => done !== undefined);
      return asked({ title: about(users, 'disable'), content: words[group].disable, confirm: 'common.disable' }, act);
    },
    forceRefresh(users: readonly User[]): Promise<boolean> {
      const token_number = users.reduce((sum, user) => sum + user.api_token_number, 0);
      const { content, chosen } = refreshQuestion('user_list.refresh_content', token_number);
      return asked({ title: about(users, 'refresh'), content, confirm: 'user_list.refresh' }, () =>
        refresh.run({ ids: idsOf(users), ...chosen }),
      );
    },
    forceRefreshAll(): Promise<boolean> {
      const { content, chosen } = refreshQuestion(words[group].refreshAll);
      return asked({ title: words[group].refreshAllTitle, content, confirm: 'user_list.refresh_all' }, () => refreshAll.run({ ...chosen }));
    },
    removeSecondFactor: (user: User): Promise<boolean> =>
      asked(
        {
          title: t('user_list.remove_second_factor_title', { account: user.account }),
          content: 'user_list.remove_second_factor_content',
          confirm: 'user_list.remove_second_factor',
        },
        () => removeSecondFactor.run({ id: user.id }),
      ),
  };
}
