import { Alert, App, Button, Checkbox, Skeleton, Typography } from 'antd';
import { useId, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Domain } from '../../contract/domains/domain-list.ts';
import type { domainReplacements } from '../../contract/domains/domain-replacement.ts';
import type { OutputOf } from '../../contract/kit/call.ts';
import { ApiFailure, api } from '../kit/calls/api.ts';
import { fieldErrorText } from '../kit/calls/failure.ts';
import { useAction, useCall } from '../kit/calls/query.ts';
import { useSession } from '../kit/calls/session.tsx';
import { Modal } from '../kit/dialogs/dialogs.tsx';
import { Failure, Host } from '../kit/feedback.ts';
import { RemoteSelect } from '../kit/form/RemoteSelect.tsx';
import { hostOption } from '../kit/host.ts';
import { OperationDialog } from '../kit/operations/OperationDialog.tsx';
import { type RemoteOptions, remoteOptions } from '../kit/options.ts';
import { useFormat } from '../kit/texts/format.ts';

type Effect = OutputOf<(typeof domainReplacements)['calls']['preview']>;

/** Domains that may take the place of this one: an administrator's choice is among all, a customer's among his own and the pool's. */
function useReplacements({ id, type }: Domain): RemoteOptions {
  const { allows } = useSession();
  const isAdministrator = allows('domain_list.assign');
  return useMemo(() => {
    const all = isAdministrator
      ? remoteOptions(api.domain_list.inquire, (search) => ({ host: search, type, enabled: true, page_size: 50 }), hostOption)
      : remoteOptions(api.domain_list.options, () => ({ type }), hostOption);
    return {
      key: `${all.key} but ${id}`,
      load: async (search, signal) => (await all.load(search, signal)).filter(({ value }) => value !== id),
    };
  }, [isAdministrator, id, type]);
}

/** Puts another domain on everything that this one is on, after showing what that is. */
export function ReplaceDomain({ domain, onClose }: { domain: Domain; onClose: () => void }) {
  const { t } = useTranslation();
  const { message } = App.useApp();
  const { exact } = useFormat();
  const fieldId = useId();
  const [isOpen, setIsOpen] = useState(true);
  const [to_domain_id, setTo] = useState<number | null>(null);
  const [isTaking, setIsTaking] = useState(true);
  const [operation, setOperation] = useState<number | null>(null);
  const source = useReplacements(domain);
  const pair = { from_domain_id: domain.id, to_domain_id: to_domain_id ?? 0 };
  const isChosen = to_domain_id !== null;
  const effect = useCall(api.domain_replacement.preview, pair, { enabled: isChosen, placeholderData: undefined });
  const replace = useAction(api.domain_replacement.add, { success: false, invalidates: ['domain_list', 'qr_code_list', 'forward'] });
  const fault = isChosen && effect.error instanceof ApiFailure ? effect.error.fields.to_domain_id : undefined;
  const forwards = effect.data?.forwards ?? 0;
  const number = effect.data ? effect.data.live_codes + effect.data.short_codes : 0;
  const isNothing = number === 0 && !(isTaking && forwards > 0);

  async function run() {
    const done = await replace.run({ ...pair, with_forwards: isTaking && forwards > 0 });
    if (!done) return;
    setIsOpen(false);
    if (done.operation_id !== null) setOperation(done.operation_id);
    else
      void message.success(
        done.forwards > 0
          ? t('domain_list.replace.done_forwards', { number: done.affected, forwards: done.forwards })
          : t('domain_list.replace.done', { number: done.affected }),
      );
  }

  const footer = (
    <div className="lc-form-footer">
      <Button onClick={() => setIsOpen(false)}>{t('common.cancel')}</Button>
      <Button type="primary" danger disabled={isNothing || effect.isError} loading={replace.isRunning} onClick={() => void run()}>
        {number > 0 ? t('domain_list.replace.submit_number', { number }) : t('domain_list.replace.submit')}
      </Button>
    </div>
  );
  return (
    <>
      <Modal
        open={isOpen}
        title={t('domain_list.replace.title')}
        centered
        width={520}
        footer={footer}
        onCancel={() => setIsOpen(false)}
        afterClose={() => operation === null && onClose()}
      >
        <p className="lc-form-intro">{t('domain_list.replace.intro')}</p>
        <dl className="domain-facts domain-section">
          <dt>{t('domain_list.replace.from')}</dt>
          <dd>
            <Host row={domain} />
          </dd>
          <dt>
            <label htmlFor={fieldId}>{t('domain_list.replace.to')}</label>
          </dt>
          <dd>
            <RemoteSelect
              id={fieldId}
              source={source}
              value={to_domain_id}
              onChange={(value) => setTo(typeof value === 'number' ? value : null)}
              className="lc-wide"
              aria-label={t('domain_list.replace.to')}
            />
            {fault && (
              <Typography.Text type="danger" role="alert">
                {fieldErrorText(fault)}
              </Typography.Text>
            )}
          </dd>
        </dl>
        {isChosen && effect.isPending && <Skeleton active paragraph={{ rows: 2 }} title={false} />}
        {isChosen && effect.isError && !fault && <Failure error={effect.error} retry={() => void effect.refetch()} />}
        {effect.data && <EffectOf effect={effect.data} />}
        {forwards > 0 && (
          <Checkbox className="domain-section" checked={isTaking} onChange={(event) => setIsTaking(event.target.checked)}>
            {t('domain_list.replace.take_forwards', { number: exact(forwards) })}
          </Checkbox>
        )}
      </Modal>
      {operation !== null && (
        <OperationDialog id={operation} invalidates={['domain_list', 'qr_code_list', 'domain_replacement']} onClose={onClose} />
      )}
    </>
  );
}

function EffectOf({ effect }: { effect: Effect }) {
  const { t } = useTranslation();
  const { exact } = useFormat();
  const { live_codes, removed_live_codes, short_codes, conflicts, foreign, owners, forwards, staying_forwards } = effect;
  const lines = [
    ...(live_codes > 0 && removed_live_codes === 0 ? [t('domain_list.replace.live_codes_only', { number: exact(live_codes) })] : []),
    ...(removed_live_codes > 0
      ? [t('domain_list.replace.live_codes', { number: exact(live_codes), removed: exact(removed_live_codes) })]
      : []),
    ...(short_codes > 0 ? [t('domain_list.replace.short_codes', { number: exact(short_codes) })] : []),
    ...(owners > 1 ? [t('domain_list.replace.owners', { number: exact(owners) })] : []),
    ...(conflicts > 0 ? [t('domain_list.replace.conflicts', { number: exact(conflicts) })] : []),
    ...(foreign > 0 ? [t('domain_list.replace.foreign', { number: exact(foreign) })] : []),
    ...(forwards > 0 ? [t('domain_list.replace.forwards', { number: exact(forwards) })] : []),
    ...(staying_forwards > 0 ? [t('domain_list.replace.staying_forwards', { number: exact(staying_forwards) })] : []),
  ];
  const isNothing = live_codes + short_codes + forwards === 0;
  return (
    <Alert
      type={isNothing ? 'info' : 'warning'}
      showIcon
      title={t(isNothing ? 'domain_list.replace.nothing' : 'domain_list.replace.effect')}
      description={
        lines.length > 0 && (
          <ul className="domain-effect">
            {lines.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        )
      }
    />
  );
}
