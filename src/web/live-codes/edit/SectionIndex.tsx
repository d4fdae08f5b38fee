import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type SectionName, sectionId, sectionNames } from './Section.tsx';

/** Follows which section stands at the top of the window. */
function useCurrentSection(): SectionName {
  const [current, setCurrent] = useState<SectionName>('basics');
  useEffect(() => {
    const inSight = new Set<SectionName>();
    const observer = new IntersectionObserver(
      (entries) => {
        for (const entry of entries) {
          const name = sectionNames.find((candidate) => sectionId(candidate) === entry.target.id);
          if (!name) continue;
          if (entry.isIntersecting) inSight.add(name);
          else inSight.delete(name);
        }
        const first = sectionNames.find((name) => inSight.has(name));
        if (first) setCurrent(first);
      },
      { rootMargin: '-15% 0px -55% 0px' },
    );
    for (const name of sectionNames) {
      const element = document.getElementById(sectionId(name));
      if (element) observer.observe(element);
    }
    return () => observer.disconnect();
  }, []);
  return current;
}

/** The page's sections: a click brings one into sight. */
export function SectionIndex() {
  const { t } = useTranslation();
  const current = useCurrentSection();
  return (
    <nav className="code-index" aria-label={t('set_qr_code.index')}>
      {sectionNames.map((name) => (
        <button
          key={name}
          type="button"
          className="code-index-entry"
          aria-current={name === current ? 'true' : undefined}
          onClick={() => {
            const section = document.getElementById(sectionId(name));
            section?.scrollIntoView({ behavior: 'smooth', block: 'start' });
            section?.focus({ preventScroll: true });
          }}
        >
          {t(`set_qr_code.sections.${name}.title`)}
        </button>
      ))}
    </nav>
  );
}
