import { mount } from 'svelte';
import './texts/locale.js';
import App from './app.svelte';
import './app.css';
import { whenAnswered } from './api/service.js';
import { keepFocus } from './parts/focus.js';
import { titleWhatIsCut } from './parts/titles.js';
import { sayAnswered } from './parts/toasts.svelte.js';
import { followSystemTheme } from './parts/theme.svelte.js';
import { place } from './router.svelte.js';
import { language } from './texts/language.js';
import { loadTexts } from './texts/texts.js';

document.documentElement.lang = language;
followSystemTheme();
keepFocus();
titleWhatIsCut();
whenAnswered(sayAnswered);

loadTexts(language, place.path).then(
  () => mount(App, { target: document.getElementById('app') as HTMLElement }),
  () => document.getElementById('unloaded')?.removeAttribute('hidden'),
);
