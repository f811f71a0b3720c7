import DefaultTheme from 'vitepress/theme-without-fonts'
import ProtocolStory from './ProtocolStory.vue'
import './style.css'

export default {
  extends: DefaultTheme,
  enhanceApp: ({ app }) => app.component('ProtocolStory', ProtocolStory),
}
