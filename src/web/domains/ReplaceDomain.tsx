import { Alert, App, Button, Checkbox, Select, Skeleton, Typography } from 'antd';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Domain } from '../../contract/domains/domain-list.ts';
import type { domainReplacements } from '../../contract/domains/domain-replacement.ts';
import type { OutputOf } from '../../contract/kit/call.ts';
import { ApiFailure, api } from '../kit/calls/api.ts';
import { failureText, fieldErrorText } from '../kit/calls/failure.ts';
import { useAction, useCall } from '../kit/calls/query.ts';
import { Modal } from '../kit/dialogs/dialogs.tsx';
import { DomainLine, DomainRisk, useDomainOptions } from '../kit/domainChoice.tsx';
import { Failure } from '../kit/feedback.ts';
import { hostLabel } from '../kit/host.ts';
import { OperationDialog } from '../kit/operations/OperationDialog.tsx';
import { holdsTyped } from '../kit/options.ts';
import { useFormat } from '../kit/texts/format.ts';

type Effect = OutputOf<(typeof domainReplacements)['calls']['preview']>;

/** The domains that may take the place of this one on its holder's codes, and the one that is proposed: the first without a known risk. */
function useReplacements({ id, type, holder_id }: Domain) {
  const found = useDomainOptions(type, holder_id ?? undefined);
  const options = (found.data?.content ?? []).filter((option) => option.id !== id);
  return { found, options, proposed: options.find((option) => option.risk === null) };
}

/** Puts another domain on everything that this one is on, after showing what that is. */
export function ReplaceDomain({ domain, onClose }: { domain: Domain; onClose: () => void }) {
  const { t } = useTranslation();
  const { message } = App.useApp();
  const { exact } = useFormat();
  const replacements = useReplacements(domain);
  const [chosen, setChosen] = useState<number | null>(null);
  const [isAccepted, setIsAccepted] = useState(false);
  const to_domain_id = chosen ?? replacements.proposed?.id ?? null;
  const to = replacements.options.find((option) => option.id === to_domain_id);
  const [isTaking, setIsTaking] = useState(true);
  const [operation, setOperation] = useState<number | null>(null);
  const pair = { from_domain_id: domain.id, to_domain_id: to_domain_id ?? 0 };
  const isChosen = to_domain_id !== null;
  const effect = useCall(api.domain_replacement.preview, pair, { enabled: isChosen, placeholderData: undefined });
  const replace = useAction(api.domain_replacement.add, { success: false, invalidates: ['domain_list', 'qr_code_list', 'forward'] });
  const fault = isChosen && effect.error instanceof ApiFailure ? effect.error.fields.to_domain_id : undefined;
  const forwards = effect.data?.forwards ?? 0;
  const number = effect.data ? effect.data.live_codes + effect.data.short_codes : 0;
  const isNothing = number === 0 && !(isTaking && forwards > 0);
  const isRefused = to !== undefined && to.risk !== null && !isAccepted;

  async function run() {
    const done = await replace.run({ ...pair, with_forwards: isTaking && forwards > 0, accept_risk: isAccepted });
    if (!done) return;
    if (done.operation_id !== null) return setOperation(done.operation_id);
    onClose();
    void message.success(
      done.forwards > 0
        ? t('domain_list.replace.done_forwards', { number: done.affected, forwards: done.forwards })
        : t('domain_list.replace.done', { number: done.affected }),
    );
  }

  const footer = (
    <div className="lc-form-footer">
      <Button onClick={onClose}>{t('common.cancel')}</Button>
      <Button
        type="primary"
        danger
        disabled={isNothing || isRefused || effect.isError}
        loading={replace.isRunning}
        onClick={() => void run()}
      >
        {number > 0 ? t('domain_list.replace.submit_number', { number }) : t('menu.button.replace')}
      </Button>
    </div>
  );
  return (
    <>
      <Modal open={operation === null} title={t('domain_list.replace.title')} centered footer={footer} onCancel={onClose}>
        <p className="lc-form-intro">{t('domain_list.replace.intro')}</p>
        <Pair
          {...replacements}
          from={domain}
          to={to_domain_id}
          fault={fault}
          onChange={(id) => {
            setChosen(id);
            setIsAccepted(false);
          }}
        />
        <DomainRisk option={to} value={isAccepted} onChange={setIsAccepted} />
        {isChosen && effect.isPending && <Skeleton active paragraph={{ rows: 2 }} title={false} />}
        {isChosen && effect.isError && !fault && <Failure error={effect.error} retry={() => void effect.refetch()} />}
        {effect.data && <EffectOf effect={effect.data} />}
        {forwards > 0 && (
          <Checkbox className="lc-domain-section" checked={isTaking} onChange={(event) => setIsTaking(event.target.checked)}>
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

type PairProps = ReturnType<typeof useReplacements> & {
  from: Domain;
  to: number | null;
  onChange: (to: number) => void;
  fault: string | undefined;
};

function Pair({ from, to, found, options, proposed, onChange, fault }: PairProps) {
  const { t } = useTranslation();
  const fieldId = useId();
  const entries = options.map((option) => ({ value: option.id, label: hostLabel(option), option }));
  return (
    <dl className="lc-domain-facts lc-domain-pair lc-domain-section">
      <dt>{t('domain_list.replace.from')}</dt>
      <dd>
        <DomainLine option={from} />
      </dd>
      <dt>
        <label htmlFor={fieldId}>{t('domain_list.replace.to')}</label>
      </dt>
      <dd>
        <Select<number, (typeof entries)[number]>
          id={fieldId}
          className="lc-wide"
          value={to}
          options={entries}
          loading={found.isFetching}
          showSearch={{ filterOption: holdsTyped }}
          placeholder={t('common.choose')}
          onChange={onChange}
          optionRender={({ data }) => <DomainLine option={data.option} proposed={data.option === proposed} />}
          labelRender={({ label, value }) => <DomainLine label={String(label)} option={options.find(({ id }) => id === value)} />}
          notFoundContent={found.isError ? failureText(found.error) : t('domain_list.replace.no_other')}
        />
        {to !== null && to === proposed?.id && <p className="lc-soft">{t('domain_list.replace.proposed')}</p>}
        {found.data && !proposed && <p className="lc-soft">{t('domain_list.replace.none_healthy')}</p>}
        {fault && (
          <Typography.Text type="danger" role="alert">
            {fieldErrorText(fault)}
          </Typography.Text>
        )}
      </dd>
    </dl>
  );
}

function EffectOf({ effect }: { effect: Effect }) {
  const { t } = useTranslation();
  const { exact } = useFormat();
  const { live_codes, removed_live_codes, short_codes, conflicts, foreign, owners, forwards, staying_forwards } = effect;
  const numbers = { owners: owners > 1 ? owners : 0, conflicts, foreign, forwards, staying_forwards };
  const lines = [
    ...(removed_live_codes > 0
      ? [t('domain_list.replace.live_codes', { number: exact(live_codes), removed: exact(removed_live_codes) })]
      : live_codes > 0
        ? [t('domain_list.replace.live_codes_only', { number: exact(live_codes) })]
        : []),
    ...Object.entries({ short_codes, ...numbers }).flatMap(([words, number]) =>
      number > 0 ? t(`domain_list.replace.${words}`, { number: exact(number) }) : [],
    ),
  ];
  const isNothing = live_codes + short_codes + forwards === 0;
  return (
    <Alert
      type={isNothing ? 'info' : 'warning'}
      showIcon
      title={t(isNothing ? 'domain_list.replace.nothing' : 'domain_list.replace.effect')}
      description={
        lines.length > 0 && (
          <ul className="lc-domain-effect">
            {lines.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        )
      }
    />
  );
}
