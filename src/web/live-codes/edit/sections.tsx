import { Button, ColorPicker, Form } from 'antd';
import { useTranslation } from 'react-i18next';
import type { LiveCodeDetails } from '../../../contract/codes/live-code.ts';
import type { TargetKind } from '../../../contract/enums.ts';
import { useSession } from '../../kit/calls/session.tsx';
import { Field, Fields } from '../../kit/dialogs/FormModal.tsx';
import type { ControlProps } from '../../kit/form/controls.tsx';
import { useSite } from '../../kit/site.tsx';
import { accessChoices, jumpChoices, pageStyleChoices, presentDomain, restrictionChoices } from '../choices.ts';
import { GroupSelect } from '../groups/GroupSelect.tsx';
import { ChoiceField } from './ChoiceField.tsx';
import { DomainSelect } from './DomainSelect.tsx';
import { ForwardWarning } from './ForwardWarning.tsx';
import { PasswordFields } from './PasswordFields.tsx';
import { Section } from './Section.tsx';
import { SnippetSelect } from './SnippetSelect.tsx';
import { UrlInput } from './targets/TargetContent.tsx';

type WithCode = { code: LiveCodeDetails | undefined };

/** What a code is named by where nothing is typed: a link by its host, anything else by its suffix. */
function useNamePlaceholder(code: LiveCodeDetails | undefined): string {
  const kind: TargetKind | undefined = Form.useWatch(['targets', 0, 'kind'], { preserve: true });
  if (code) return 'set_qr_code.name_placeholder';
  return kind === undefined || kind === 'url' ? 'set_qr_code.name_from_link' : 'set_qr_code.name_from_suffix';
}

export function BasicsSection({ code }: WithCode) {
  const placeholder = useNamePlaceholder(code);
  return (
    <Section name="basics">
      <div className="lc-code-fields">
        <Field name="name" label="qr_code_list.columns.name" kind="text" placeholder={placeholder} />
        <Field
          name="file_name"
          label="qr_code_list.columns.file_name"
          kind="text"
          code
          placeholder={code ? undefined : 'set_qr_code.file_name_placeholder'}
          help={code ? 'set_qr_code.file_name_change' : 'set_qr_code.file_name_help'}
        />
        {code && <ForwardWarning code={code} />}
        <Field name="remark" label="qr_code_list.columns.remark" kind="text" />
        <GroupField code={code} />
        <Field name="open" label="set_qr_code.open" help="set_qr_code.open_help" kind="switch" />
      </div>
    </Section>
  );
}

/** One of the groups of the code's owner. */
function GroupField({ code }: WithCode) {
  const { user } = useSession();
  return (
    <Field name="group_id" label="group.title_one">
      <GroupSelect ownerId={code?.owner_id ?? user?.id} present={code?.group ?? null} />
    </Field>
  );
}

export function DomainsSection({ code }: WithCode) {
  const { user } = useSession();
  const ownerId = code && code.owner_id !== user?.id ? code.owner_id : undefined;
  const common = { ownerId, offersAuto: code === undefined };
  return (
    <Section name="domains">
      <div className="lc-code-fields">
        <Field name="entry_domain_id" label="qr_code_list.columns.entry" help="set_qr_code.domain.entry_help">
          <DomainSelect type="entry" present={presentDomain(code, 'entry')} {...common} />
        </Field>
        <Field name="landing_domain_id" label="qr_code_list.columns.landing" help="set_qr_code.domain.landing_help">
          <DomainSelect type="landing" present={presentDomain(code, 'landing')} {...common} />
        </Field>
        <ChoiceField name="jump_type" label="qr_code_list.columns.jump_type" choices={jumpChoices} kind="select" />
      </div>
    </Section>
  );
}

export const LimitsSection = () => (
  <Section name="limits">
    <div className="lc-code-fields">
      <ChoiceField name="access_mode" label="qr_code_list.columns.access_mode" choices={accessChoices} />
      <ChoiceField name="restriction_visit" label="qr_code_list.columns.restriction_visit" choices={restrictionChoices} />
      <Field
        name="fallback_url"
        label="qr_code_list.columns.fallback_url"
        help="set_qr_code.fallback_help"
        kind="custom"
        render={(props) => <UrlInput {...(props as ControlProps<string>)} />}
      />
      <Field
        name="expires_at"
        label="qr_code_list.columns.expires_at"
        help="set_qr_code.expires_help"
        kind="time"
        placeholder="set_qr_code.target.never"
      />
    </div>
  </Section>
);

export const PageSection = ({ code }: WithCode) => (
  <Section name="page">
    <Fields
      fields={[
        { name: 'page_title', label: 'set_qr_code.page.title', kind: 'text', placeholder: 'set_qr_code.page.title_placeholder' },
        { name: 'page_text', label: 'set_qr_code.page.text', kind: 'textarea', rows: 2, placeholder: 'set_qr_code.page.text_placeholder' },
      ]}
    />
    <div className="lc-code-fields">
      <ChoiceField name="page_style" label="set_qr_code.page.style" choices={pageStyleChoices} kind="buttons" />
      <Field
        name="page_color"
        label="set_qr_code.page.color"
        help="set_qr_code.page.color_help"
        kind="custom"
        render={(props) => <PageColor {...(props as ControlProps<string | null>)} />}
      />
    </div>
    <Field name="js_config_ids" label="set_qr_code.snippets.title" help="set_qr_code.snippets.help">
      <SnippetSelect ownerId={code?.owner_id} />
    </Field>
  </Section>
);

/** The code's own colour, or the site's. */
function PageColor({ id, value, onChange }: ControlProps<string | null>) {
  const { t } = useTranslation();
  const site = useSite();
  return (
    <span className="lc-code-color" id={id}>
      <ColorPicker
        value={value ?? site.color}
        disabledAlpha
        format="hex"
        showText={() => value ?? t('set_qr_code.page.site_color')}
        onChange={(picked) => onChange?.(picked.toHexString())}
      />
      {value && (
        <Button type="link" size="small" onClick={() => onChange?.(null)}>
          {t('set_qr_code.page.use_site_color')}
        </Button>
      )}
    </span>
  );
}

export const RecordSection = ({ code }: WithCode) => (
  <Section name="record">
    <div className="lc-code-fields">
      <PasswordFields hasPassword={code?.has_password ?? false} />
      <Field name="open_log" label="qr_code_list.columns.open_log" help="set_qr_code.open_log_help" kind="switch" />
    </div>
  </Section>
);
