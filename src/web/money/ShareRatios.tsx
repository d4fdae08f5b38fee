import { Button, Skeleton } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { OutputOf } from '../../contract/kit/call.ts';
import type { agentDividedInto } from '../../contract/money/agent-divided-into.ts';
import { api } from '../kit/calls/api.ts';
import { useCall } from '../kit/calls/query.ts';
import { askWidth, Modal } from '../kit/dialogs/dialogs.tsx';
import { Failure, Time } from '../kit/feedback.ts';

type Ratios = OutputOf<(typeof agentDividedInto)['calls']['ratios']>;

/** How a share ratio changed, the newest change first. */
function Changes({ changes }: Pick<Ratios, 'changes'>) {
  const { t } = useTranslation();
  if (changes.length === 0) return <p className="lc-soft">{t('agent_divided_into.ratio_unchanged')}</p>;
  return (
    <table className="lc-figures">
      <thead>
        <tr>
          <th scope="col">{t('common.field.time')}</th>
          <th scope="col">{t('agent_divided_into.ratio_before')}</th>
          <th scope="col">{t('agent_divided_into.ratio_after')}</th>
        </tr>
      </thead>
      <tbody>
        {changes.map(({ at, before, after }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: changes are only ever added before the others, and stay as they are
          <tr key={changes.length - index}>
            <th scope="row">
              <Time value={at} exact />
            </th>
            <td>{before}%</td>
            <td>{after}%</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** What an administrator should know before he changes a ratio: how it came to be what it is. */
export function RatioChanges({ agent_id }: { agent_id: number }) {
  const { data, error, refetch, isFetching } = useCall(api.agent_divided_into.ratios, { agent_id });
  if (data) return <Changes changes={data.changes} />;
  return error ? <Failure error={error} retry={() => void refetch()} isRetrying={isFetching} /> : <Skeleton active />;
}

/** The own share ratio; a click tells what it was before. */
export function OwnRatio() {
  const { t } = useTranslation();
  const { data } = useCall(api.agent_divided_into.ratios, {});
  const [isOpen, setIsOpen] = useState(false);
  if (!data) return null;
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>{t('agent_divided_into.own_ratio', { ratio: data.ratio })}</Button>
      {isOpen && (
        <Modal
          open
          width={askWidth}
          title={t('agent_divided_into.ratios_title', { account: data.account })}
          footer={null}
          onCancel={() => setIsOpen(false)}
        >
          <Changes changes={data.changes} />
        </Modal>
      )}
    </>
  );
}
