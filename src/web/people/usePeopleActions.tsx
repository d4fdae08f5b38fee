import { ReloadOutlined } from '@ant-design/icons';
import { Button, Checkbox, Flex } from 'antd';
import { useTranslation } from 'react-i18next';
import { disabledStatus, userStatus } from '../../contract/enums.ts';
import type { User } from '../../contract/people/user-list.ts';
import { api } from '../kit/calls/api.ts';
import { useAction } from '../kit/calls/query.ts';
import { Allowed } from '../kit/calls/session.tsx';
import { useConfirm, useRowsQuestion } from '../kit/dialogs/confirm.tsx';
import { useRowsAction } from '../kit/dialogs/removal.tsx';
import type { BatchAction, RowAction } from '../kit/ListPage.tsx';
import { useDialog } from '../kit/useDialog.ts';
import { RemoveUserDialog } from './RemoveUserDialog.tsx';

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

/** The changes that need a question at most. Those of rows resolve to true when they were done. */
function usePeopleChanges(group: 'user_list' | 'administrators') {
  const { t } = useTranslation();
  const confirm = useConfirm();
  const ask = useRowsQuestion();
  const disabling = useAction(api[group].update_disabled);
  const refreshing = useAction(api[group].force_refresh);
  const refreshingAll = useAction(api[group].force_refresh_all);
  const removing = useAction(api[group].remove_second_factor);
  const name = ({ account }: User) => ({ account });

  function refreshQuestion(content: (typeof words)[typeof group]['refreshAll'] | 'user_list.refresh_content', token_number?: number) {
    const chosen = { revoke_api_tokens: false };
    const choose = (revoke_api_tokens: boolean) => Object.assign(chosen, { revoke_api_tokens });
    return { content: <RefreshQuestion content={t(content)} token_number={token_number} onChange={choose} />, chosen };
  }

  function setDisabled(users: readonly User[], disabled: 1 | 2) {
    const changed = users.filter((user) => user.disabled !== disabled);
    const before = disabled === disabledStatus.no ? disabledStatus.yes : disabledStatus.no;
    const undo = changed.length > 0 ? { ids: idsOf(changed), disabled: before } : undefined;
    return disabling.run({ ids: idsOf(users), disabled }, { name: users[0]?.account, undo });
  }
  const enable = async (users: readonly User[]) => (await setDisabled(users, disabledStatus.no)) !== undefined;
  function disable(users: readonly User[]): Promise<boolean> {
    const question = { title: 'user_list.disable_title', many: 'user_list.disable_many_title', content: words[group].disable };
    const act = () => setDisabled(users, disabledStatus.yes);
    return ask(users, { ...question, name, confirm: 'common.disable', danger: true }, act);
  }
  function refresh(users: readonly User[]): Promise<boolean> {
    const { content, chosen } = refreshQuestion(
      'user_list.refresh_content',
      users.reduce((sum, user) => sum + user.api_token_number, 0),
    );
    const question = { title: 'user_list.refresh_title', many: 'user_list.refresh_many_title', content };
    const act = () => refreshing.run({ ids: idsOf(users), ...chosen });
    return ask(users, { ...question, name, confirm: 'user_list.refresh', danger: true }, act);
  }
  async function refreshAll() {
    const { content, chosen } = refreshQuestion(words[group].refreshAll);
    const question = { title: words[group].refreshAllTitle, content, confirm: 'user_list.refresh_all', danger: true };
    if (await confirm(question)) await refreshingAll.run({ ...chosen });
  }
  async function removeSecondFactor(user: User) {
    const question = {
      title: t('user_list.remove_second_factor_title', { account: user.account }),
      content: 'user_list.remove_second_factor_content',
      confirm: 'user_list.remove_second_factor',
      danger: true,
    };
    if (await confirm(question)) await removing.run({ id: user.id });
  }
  return { enable, disable, refresh, refreshAll, removeSecondFactor };
}

const isRemoved = (user: User) => user.status === userStatus.removed;

/** The acts for users that are there, hidden from removed ones. */
export const ofPresent = (acts: readonly RowAction<User>[]): RowAction<User>[] =>
  acts.map((act) => ({ ...act, visible: (user) => !isRemoved(user) && (act.visible?.(user) ?? true) }));

/** Removing, which asks what becomes of what a user leaves, and restoring. */
function useRemovingPeople(group: 'user_list' | 'administrators', isOther: (user: User) => boolean) {
  const dialogs = useDialog<User>();
  const node = `${group}.remove` as const;
  const restoring = useRowsAction<User, unknown>(api[group].restore, {
    key: 'restore',
    label: 'user_list.removal.restore',
    node,
    title: 'user_list.removal.restore_title',
    many: 'user_list.removal.restore_many',
    content: 'user_list.removal.restore_content',
    name: ({ account }) => ({ account }),
    visible: isRemoved,
    invalidates: ['user_list', 'administrators'],
  });
  const remove: RowAction<User> = {
    key: 'remove',
    label: 'common.remove',
    node,
    danger: true,
    visible: (user) => !isRemoved(user) && isOther(user),
    onClick: (user) => void dialogs.open(user),
  };
  const asked = dialogs.present;
  return {
    row: [remove, restoring.row],
    dialog: asked && <RemoveUserDialog group={group} user={asked} onClose={dialogs.close} />,
  };
}

/** What the lists of users and of administrators offer alike; `isOther` keeps the own account out. */
export function usePeopleActions(group: 'user_list' | 'administrators', isOther: (user: User) => boolean = () => true) {
  const { t } = useTranslation();
  const { enable, disable, refresh, refreshAll, removeSecondFactor } = usePeopleChanges(group);
  const removing = useRemovingPeople(group, isOther);
  const isDisabled = (user: User) => user.disabled === disabledStatus.yes;
  const [password, refreshNode, disableNode] = [`${group}.password`, `${group}.refresh`, `${group}.disable`] as const;
  const row: RowAction<User>[] = [
    {
      key: 'second_factor',
      label: 'user_list.remove_second_factor',
      node: password,
      danger: true,
      visible: (user) => user.second_factor && isOther(user),
      onClick: (user) => void removeSecondFactor(user),
    },
    {
      key: 'refresh',
      label: 'user_list.refresh',
      node: refreshNode,
      danger: true,
      visible: isOther,
      onClick: (user) => void refresh([user]),
    },
    {
      key: 'disable',
      label: (user) => (isDisabled(user) ? 'common.enable' : 'common.disable'),
      node: disableNode,
      danger: true,
      visible: isOther,
      onClick: (user) => void (isDisabled(user) ? enable([user]) : disable([user])),
    },
  ];
  const batch: BatchAction<User>[] = [
    { key: 'enable', label: 'common.enable', node: disableNode, onClick: enable },
    { key: 'refresh', label: 'user_list.refresh', node: refreshNode, danger: true, onClick: refresh },
    { key: 'disable', label: 'common.disable', node: disableNode, danger: true, onClick: disable },
  ];
  const refreshAllButton = (
    <Allowed node={refreshNode}>
      <Button icon={<ReloadOutlined />} onClick={() => void refreshAll()}>
        {t('user_list.refresh_all')}
      </Button>
    </Allowed>
  );
  return { row: [...ofPresent(row), ...removing.row], batch, refreshAllButton, dialog: removing.dialog };
}
