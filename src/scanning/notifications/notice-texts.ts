import type { NotificationKind } from './notification-kinds.js';
import { type DiscordMessage, emoji, type SlackMessage, type TeamsMessage } from './notice-formats.js';

const shownEmoji = new Map(
  Object.entries({ CRITICAL: '🔴', HIGH: '🟠', MEDIUM: '🟡', LOW: '🔵', INFO: '⚪' }).map(([severity, sign]) => [
    emoji[severity as keyof typeof emoji],
    sign,
  ]),
);

/** Slack's markup as it is read: links by their names, and signs in place of their names. */
function ofMrkdwn(text: string): string {
  return text
    .replace(/<[^<>|]*\|([^<>|]*)>/g, '$1')
    .replace(/^:\w+:/gm, (name) => shownEmoji.get(name) ?? name)
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}

/** The Markdown of our messages as it is read. */
function ofMarkdown(text: string): string {
  return text
    .replace(/^- /gm, '• ')
    .replace(/\*\*([A-Z]+)\*\* /g, '$1 ')
    .replace(/(?<!\\)\[((?:\\.|[^\\[\]])*)\]\([^()]*\)/g, '$1')
    .replace(/\\([\\`*_[\]|~<>])/g, '$1');
}

function slackText({ blocks }: SlackMessage): string {
  const lines = blocks.flatMap(({ text, elements = [] }) => {
    const own = text && (text.type === 'mrkdwn' ? ofMrkdwn(text.text) : text.text);
    return [...(own === undefined ? [] : [own]), ...elements.map((element) => ofMrkdwn(element.text))];
  });
  return lines.join('\n');
}

function teamsText({ attachments: [{ content }] }: TeamsMessage): string {
  const lines = content.body.flatMap(({ text, facts = [] }) =>
    text === undefined ? facts.map(({ title, value }) => `${title} ${value}`) : [ofMarkdown(text)],
  );
  return [...lines, ...content.actions.map(({ title }) => title)].join('\n');
}

function discordText({ embeds: [{ title, description, footer }] }: DiscordMessage): string {
  return [title, ...(description === undefined ? [] : [ofMarkdown(description)]), footer.text].join('\n');
}

/** The texts of these messages as their readers see them; of a body of one's own, its JSON. */
export const readTexts: Record<Exclude<NotificationKind, 'EMAIL'>, (body: object) => string> = {
  SLACK: (body) => slackText(body as SlackMessage),
  TEAMS: (body) => teamsText(body as TeamsMessage),
  DISCORD: (body) => discordText(body as DiscordMessage),
  TEMPLATE: (body) => JSON.stringify(body, null, 2),
};
