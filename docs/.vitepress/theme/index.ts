import { inBrowser, type Theme } from 'vitepress';
// Without the fonts that come with the theme: those of the system need no request.
import DefaultTheme from 'vitepress/theme-without-fonts';
import { h } from 'vue';
import { Demo } from './demo.js';
import { MissingPage } from './missing-page.js';
import { PauseButton } from './pause-button.js';
import { SiteHeader } from './site-header.js';
import './style.css';

/** The theme itself reads it once. */
function followSystem(): void {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  dark.addEventListener('change', () => {
    document.documentElement.classList.toggle('dark', dark.matches);
  });
}

export default {
  extends: DefaultTheme,
  Layout: () =>
    h(DefaultTheme.Layout, null, {
      // After the link that skips it.
      'nav-bar-content-before': () => h(SiteHeader),
      'not-found': () => h(MissingPage),
    }),
  enhanceApp({ app }) {
    app.component('Demo', Demo);
    app.component('PauseButton', PauseButton);
    if (inBrowser) followSystem();
  },
} satisfies Theme;
