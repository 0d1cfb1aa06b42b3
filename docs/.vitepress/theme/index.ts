import type { Theme } from 'vitepress';
// Without the fonts that come with the theme: those of the system need no request.
import DefaultTheme from 'vitepress/theme-without-fonts';
import { Demo } from './demo.js';
import { PauseButton } from './pause-button.js';
import './style.css';

export default {
  extends: DefaultTheme,
  enhanceApp({ app }) {
    app.component('Demo', Demo);
    app.component('PauseButton', PauseButton);
  },
} satisfies Theme;
