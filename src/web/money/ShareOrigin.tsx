import { Descriptions, Flex, Skeleton } from 'antd';
import { useTranslation } from 'react-i18next';
import type { Share } from '../../contract/money/agent-divided-into.ts';
import { api } from '../kit/calls/api.ts';
import { useCall } from '../kit/calls/query.ts';
import { Modal } from '../kit/dialogs/dialogs.tsx';
import { Amount, Copyable, Failure, shownAmount, Time } from '../kit/feedback.ts';

const width = 720;

/** Where a share comes from, to the cent: its order, what of that counted, and the ratios of the agents above the buyer. */
export function ShareOrigin({ share, onClose }: { share: Share; onClose: () => void }) {
  const { t } = useTranslation();
  const { data, error, refetch, isFetching } = useCall(api.agent_divided_into.origin, { id: share.id });
  const facts = data && [
    { key: 'no', label: t('order.order_no'), children: <Copyable value={data.order_no} code /> },
    { key: 'buyer', label: t('agent_divided_into.buyer_account'), children: data.buyer_account },
    { key: 'paid', label: t('order.paid_at'), children: <Time value={data.paid_at} exact /> },
    { key: 'amount', label: t('agent_divided_into.order_amount'), children: <Amount value={data.order_amount} /> },
    { key: 'granted', label: t('agent_divided_into.granted'), children: <Amount value={data.granted} /> },
    { key: 'base', label: t('agent_divided_into.base'), children: <Amount value={data.base} /> },
  ];
  return (
    <Modal
      open
      width={width}
      title={t('agent_divided_into.origin_title', { account: share.agent_account, amount: Number(share.amount) })}
      footer={null}
      onCancel={onClose}
    >
      {!data && (error ? <Failure error={error} retry={() => void refetch()} isRetrying={isFetching} /> : <Skeleton active />)}
      {data && facts && (
        <Flex vertical gap="middle">
          <Descriptions bordered size="small" column={{ xs: 1, md: 2 }} items={facts} />
          <p className="lc-soft">{t('agent_divided_into.origin_help')}</p>
          <table className="lc-figures">
            <thead>
              <tr>
                <th scope="col">{t('agent_divided_into.agent')}</th>
                <th scope="col">{t('agent_divided_into.level')}</th>
                <th scope="col">{t('agent_divided_into.calculation')}</th>
                <th scope="col">{t('agent_divided_into.amount')}</th>
              </tr>
            </thead>
            <tbody>
              {data.steps.map(({ level, agent_account, rate, below, amount, is_own }) => (
                <tr key={level} aria-current={is_own || undefined}>
                  <th scope="row">{agent_account}</th>
                  <td>{level}</td>
                  <td className="lc-num">{`${shownAmount(data.base)} × ${below === 0 ? `${rate}%` : `(${rate}% − ${below}%)`}`}</td>
                  <td>
                    <Amount value={amount} signed />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Flex>
      )}
    </Modal>
  );
}
