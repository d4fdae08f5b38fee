import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { MemberGift } from '../../contract/money/member-gift.ts';
import { api } from '../kit/calls/api.ts';
import { useAction } from '../kit/calls/query.ts';
import { useSession } from '../kit/calls/session.tsx';
import { useConfirm } from '../kit/dialogs/confirm.tsx';
import { type Filter, ListPage, type RowAction } from '../kit/ListPage.tsx';
import { columnsOf } from '../kit/list/kinds.tsx';
import { translate } from '../kit/texts/i18n.ts';

const whoOf = ({ accounts, users }: MemberGift) => {
  const names = accounts.join(translate('common.comma'));
  return users > accounts.length ? translate('member_gift.and_more', { names, number: users }) : names;
};

const columns = columnsOf(api.member_gift.inquire, [
  { key: 'accounts', title: 'common.field.user', width: 260, card: 'title', exportValue: whoOf, render: whoOf },
  { key: 'users', kind: 'number', width: 90 },
  { key: 'days', kind: 'number', width: 90, card: 'field' },
  { key: 'reason', title: 'common.field.reason', card: 'field' },
  {
    key: 'undone_at',
    kind: 'status',
    title: 'common.field.state',
    status: ({ undone_at }) =>
      undone_at ? { kind: 'neutral', label: 'member_gift.undone' } : { kind: 'success', label: 'member_gift.given' },
  },
  { key: 'given_by_account', title: 'common.field.actor', width: 130 },
  { key: 'created_at', kind: 'time', title: 'common.field.time', card: 'field' },
  { key: 'undone_by_account', width: 130, hiddenByDefault: true },
]);
const filters: Filter<'account'>[] = [{ kind: 'text', key: 'account', label: 'common.field.account' }];

/** Where users are chosen to give them something. */
function ToUsers() {
  const { t } = useTranslation();
  const { allows } = useSession();
  if (!allows('user_list')) return null;
  return (
    <Link to="/customer/user_list">
      <Button>{t('member_gift.choose')}</Button>
    </Link>
  );
}

/** Time that administrators gave to members, and its undo. */
export function MemberGiftPage() {
  const { t } = useTranslation();
  const confirm = useConfirm();
  const undo = useAction(api.member_gift.undo, { success: 'done.undone', invalidates: ['user_list'] });
  const undoing: RowAction<MemberGift> = {
    key: 'undo',
    label: 'menu.button.undo',
    node: 'member_gift.undo',
    danger: true,
    visible: ({ undone_at }) => undone_at === null,
    onClick: (gift) =>
      void confirm({
        title: t('member_gift.undo_title', { days: gift.days, number: gift.users }),
        content: t('member_gift.undo_content', { who: whoOf(gift) }),
        confirm: 'menu.button.undo',
        danger: true,
        run: () => undo.run({ id: gift.id }),
      }),
  };
  return (
    <ListPage
      title="menu.member_gift"
      list={api.member_gift.inquire}
      columns={columns}
      filters={filters}
      defaultSort={{ sort: 'id', order: 'desc' }}
      exportName="menu.member_gift"
      actions={<ToUsers />}
      rowActions={[undoing]}
      empty={{ title: 'member_gift.empty', help: 'member_gift.empty_help' }}
    />
  );
}
