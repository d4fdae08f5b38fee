import { Descriptions, Skeleton } from 'antd';
import { useTranslation } from 'react-i18next';
import { api } from '../../kit/calls/api.ts';
import { useCall } from '../../kit/calls/query.ts';
import { Modal } from '../../kit/dialogs/dialogs.tsx';
import { Copyable, Failure, Time } from '../../kit/feedback.ts';
import { useFormat } from '../../kit/texts/format.ts';

/** How far the hash chain reaches, with its head to be noted elsewhere. */
export function ChainDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const { exact } = useFormat();
  const { data, error, refetch } = useCall(api.log.chain, {}, { staleTime: 0 });
  return (
    <Modal open title={t('log.screen.chain')} centered footer={null} onCancel={onClose}>
      <p className="lc-form-intro">{t('log.screen.chain_help')}</p>
      {error ? (
        <Failure error={error} retry={() => void refetch()} />
      ) : !data ? (
        <Skeleton active />
      ) : (
        <Descriptions
          column={{ xs: 1, md: 2 }}
          size="small"
          bordered
          items={[
            { key: 'sealed_to', label: t('log.screen.sealed_to'), children: <span className="lc-num">{exact(data.sealed_to)}</span> },
            { key: 'waiting', label: t('log.screen.waiting'), children: <span className="lc-num">{exact(data.unsealed)}</span> },
            { key: 'seals', label: t('log.screen.seals'), children: <span className="lc-num">{exact(data.seals)}</span> },
            { key: 'sealed_at', label: t('log.screen.sealed_at'), children: <Time value={data.sealed_at} /> },
            { key: 'head', label: t('log.screen.head'), children: data.head ? <Copyable value={data.head} maximum={28} code /> : '–' },
          ]}
        />
      )}
    </Modal>
  );
}
