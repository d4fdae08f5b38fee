import { Button, Skeleton } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { otherwises, type ShieldRule } from '../../contract/detection/shield-configuration.ts';
import { domainType } from '../../contract/enums.ts';
import { api } from '../kit/calls/api.ts';
import { useAction, useCall } from '../kit/calls/query.ts';
import { Allowed } from '../kit/calls/session.tsx';
import { useConfirm } from '../kit/dialogs/confirm.tsx';
import { type FieldData, FormModal } from '../kit/dialogs/FormModal.tsx';
import { Failure, Status } from '../kit/feedback.ts';
import { useFormat } from '../kit/texts/format.ts';

const stale = ['home'] as const;

/** The rules by type of domain: what the caller may change of them. */
export function ShieldRules() {
  const { t } = useTranslation();
  const rules = useCall(api.shield_configuration.rules, {});
  const [edited, setEdited] = useState<ShieldRule | null>(null);
  if (!rules.data) {
    return rules.error ? (
      <section className="lc-panel">
        <Failure error={rules.error} retry={() => void rules.refetch()} isRetrying={rules.isFetching} />
      </section>
    ) : (
      <section className="lc-panel lc-shield-loading" aria-busy>
        <Skeleton active paragraph={{ rows: 4 }} />
      </section>
    );
  }
  const byScope = Map.groupBy(rules.data.content, ({ scope }) => scope);
  return (
    <>
      {[...byScope].map(([scope, own]) => (
        <section key={scope} aria-labelledby={`shield-${scope}`}>
          <header className="lc-shield-head">
            <h2 id={`shield-${scope}`}>{t(`shield_configuration.scope.${scope}`)}</h2>
            <p className="lc-soft">{t(`shield_configuration.scope.${scope}_help`)}</p>
          </header>
          <div className="lc-shield-rules">
            {own.map((rule) => (
              <Rule key={rule.type} rule={rule} onEdit={() => setEdited(rule)} />
            ))}
          </div>
        </section>
      ))}
      {edited && <EditRule rule={edited} onClose={() => setEdited(null)} />}
    </>
  );
}

/** What a rule does, in one sentence. */
function useSentence() {
  const { t } = useTranslation();
  return ({
    enabled,
    scope,
    replace_own,
    replace_pool,
    otherwise,
    type,
  }: Omit<ShieldRule, 'domains' | 'healthy' | 'used' | 'blocks' | 'lasts_days' | 'inherited'>) => {
    if (!enabled) return t('shield_configuration.sentence.off');
    const canOwn = replace_own && scope !== 'pool';
    const places = canOwn && replace_pool ? 'own_pool' : canOwn ? 'own' : replace_pool ? 'pool' : 'none';
    const rest = otherwise === 'pause' && type !== domainType.short ? 'pause' : 'wait';
    return `${t(`shield_configuration.sentence.${places}`)}${t(`shield_configuration.sentence.${rest}`)}`;
  };
}

/** What lasts no longer should be added to now. */
const soonDays = 14;

function Rule({ rule, onEdit }: { rule: ShieldRule; onEdit: () => void }) {
  const { t } = useTranslation();
  const { exact } = useFormat();
  const sentence = useSentence();
  const { scope, type, enabled, inherited, max_per_hour, checked_minutes, low_water, domains, healthy, used, blocks, lasts_days } = rule;
  const name = t(`domain_list.type_${type}`);
  return (
    <article className="lc-panel lc-shield-rule" aria-label={name}>
      <header>
        <h3>{name}</h3>
        <Status kind={enabled ? 'success' : 'neutral'} label={enabled ? 'common.enabled' : 'common.disabled'} />
      </header>
      <p>{sentence(rule)}</p>
      {enabled && (
        <p className="lc-soft lc-shield-bounds">
          <span>{t('shield_configuration.bounds', { number: exact(max_per_hour), minutes: exact(checked_minutes) })}</span>
          <span>
            {t(low_water > 0 ? 'shield_configuration.low_water_at' : 'shield_configuration.low_water_off', {
              number: exact(low_water),
              count: low_water,
            })}
          </span>
        </p>
      )}
      {lasts_days !== null && (
        <p className={lasts_days < soonDays ? 'lc-shield-soon' : 'lc-soft'}>
          {t('shield_configuration.lasts', { blocks: exact(blocks), days: exact(lasts_days), count: lasts_days })}
        </p>
      )}
      <footer>
        <span className="lc-soft">
          {scope === 'default'
            ? ''
            : t('shield_configuration.standing', { healthy: exact(healthy), domains: exact(domains), used: exact(used) })}
          {inherited && ` ${t('shield_configuration.inherited')}`}
        </span>
        <Allowed node="shield_configuration.update">
          <span className="lc-shield-acts">
            {scope === 'own' && !inherited && <Reset rule={rule} name={name} />}
            <Button aria-label={t('shield_configuration.edit', { type: name })} onClick={onEdit}>
              {t('common.edit')}
            </Button>
          </span>
        </Allowed>
      </footer>
    </article>
  );
}

/** Back to what the platform says, after asking. */
function Reset({ rule, name }: { rule: ShieldRule; name: string }) {
  const { t } = useTranslation();
  const confirm = useConfirm();
  const reset = useAction(api.shield_configuration.reset, { success: 'shield_configuration.reset_done', invalidates: stale });
  const label = t('shield_configuration.reset');
  async function ask() {
    const title = t('shield_configuration.reset_title', { type: name });
    if (await confirm({ title, content: 'shield_configuration.reset_content', confirm: label })) await reset.run({ type: rule.type });
  }
  return (
    <Button type="text" loading={reset.isRunning} onClick={() => void ask()}>
      {label}
    </Button>
  );
}

const fieldsOf = ({ scope, type }: ShieldRule): FieldData[] => {
  const isOn = ({ enabled }: Record<string, unknown>) => enabled === true;
  // Every field holds something from the beginning: a mark would say nothing.
  const label = (name: string) => ({ name, label: `shield_configuration.field.${name}`, visible: isOn, required: false }) as const;
  const help = (name: string) => ({ ...label(name), help: `shield_configuration.field.${name}_help` }) as const;
  return [
    { kind: 'switch', ...help('enabled'), visible: () => true },
    ...(scope === 'pool' ? [] : [{ kind: 'switch', ...label('replace_own') } as const]),
    { kind: 'switch', ...label('replace_pool'), ...(scope === 'pool' ? { label: 'shield_configuration.field.replace_next' } : {}) },
    ...(type === domainType.short
      ? []
      : [
          {
            kind: 'radio',
            ...label('otherwise'),
            options: otherwises.map((value) => ({
              value,
              label: `shield_configuration.otherwise.${value}`,
              help: `shield_configuration.otherwise.${value}_help`,
            })),
          } as const,
        ]),
    { kind: 'number', ...help('max_per_hour'), minimum: 1, maximum: 1000 },
    { kind: 'number', ...help('checked_minutes'), minimum: 1, maximum: 1440 },
    { kind: 'number', ...help('low_water'), minimum: 0, maximum: 1000 },
  ];
};

function EditRule({ rule, onClose }: { rule: ShieldRule; onClose: () => void }) {
  const { t } = useTranslation();
  const { scope, type, enabled, replace_own, replace_pool, otherwise, max_per_hour, checked_minutes, low_water } = rule;
  const name = `${t(`shield_configuration.scope.${scope}`)} · ${t(`domain_list.type_${type}`)}`;
  const initial = { enabled, replace_own, replace_pool, otherwise, max_per_hour, checked_minutes, low_water };
  return (
    <FormModal
      action={api.shield_configuration.update}
      title={t('shield_configuration.edit', { type: name })}
      name={name}
      submit="common.save"
      initial={initial}
      toInput={(values) => ({ ...initial, ...values, scope, type })}
      invalidates={stale}
      fields={fieldsOf(rule)}
      onClose={onClose}
    />
  );
}
