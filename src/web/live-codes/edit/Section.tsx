import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

export const sectionNames = ['basics', 'targets', 'domains', 'limits', 'page', 'record'] as const;
export type SectionName = (typeof sectionNames)[number];

/** The element of a section, which the index brings into sight. */
export const sectionId = (name: SectionName) => `section-${name}`;

export function Section({ name, children }: { name: SectionName; children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <section id={sectionId(name)} className="lc-code-section" aria-labelledby={`${sectionId(name)}-title`} tabIndex={-1}>
      <header className="lc-code-section-head">
        <h2 className="lc-code-section-title" id={`${sectionId(name)}-title`}>
          {t(`set_qr_code.sections.${name}.title`)}
        </h2>
        <p className="lc-code-section-help">{t(`set_qr_code.sections.${name}.help`)}</p>
      </header>
      {children}
    </section>
  );
}
