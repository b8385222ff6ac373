import { issueSeverities, type IssueSeverity } from '../vocabulary.js';
import { lineOf, type Notice, type NoticeItem } from './notice.js';

/** The longest texts that the chats take, with room for what stands around them. */
const longest = { slackHeader: 150, slackSection: 2_900, discordTitle: 250, discordDescription: 3_900 };

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1).toWellFormed()}…`;
}

/** As many of the lines as fit, and how many more there are. */
function listed(lines: string[], more: number, most: number): string {
  const kept: string[] = [];
  let length = 0;
  for (const line of lines) {
    if (length + line.length + 1 > most) break;
    kept.push(line);
    length += line.length + 1;
  }
  const rest = more + lines.length - kept.length;
  return [...kept, ...(rest > 0 ? [`and ${rest} more`] : [])].join('\n');
}

/** The names of the signs that Slack shows for severities. */
export const emoji: Record<IssueSeverity, string> = {
  CRITICAL: ':red_circle:',
  HIGH: ':large_orange_circle:',
  MEDIUM: ':large_yellow_circle:',
  LOW: ':large_blue_circle:',
  INFO: ':white_circle:',
};

/** Slack's three control characters (https://docs.slack.dev/messaging/formatting-message-text). */
const slackText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

function slackLine(item: NoticeItem): string {
  const where = [item.asset, item.place].filter((one) => one !== '').map(slackText);
  const mark = item.severity === null ? '•' : emoji[item.severity];
  const link = `<${item.url}|${slackText(item.name).replaceAll('|', '¦')}>`;
  return `${mark} ${link}${where.length === 0 ? '' : ` – ${where.join(', ')}`}`;
}

interface SlackText {
  type: string;
  text: string;
}

export interface SlackMessage {
  text: string;
  blocks: { type: string; text?: SlackText; elements?: SlackText[] }[];
}

/** A message of a Slack incoming webhook: blocks, and a text for notifications. */
export function slackMessage(notice: Notice): SlackMessage {
  const { title, workflow, organization, url, items, more } = notice;
  const lines = listed(items.map(slackLine), more, longest.slackSection);
  const section = (text: string) => ({ type: 'section', text: { type: 'mrkdwn', text } });
  const context = `${slackText(workflow)} · ${slackText(organization)} · <${url}|Open in the console>`;
  return {
    text: slackText(title),
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: cut(title, longest.slackHeader) } },
      ...(lines === '' ? [] : [section(lines)]),
      { type: 'context', elements: [{ type: 'mrkdwn', text: context }] },
    ],
  };
}

/** The characters of Markdown that Teams and Discord read. */
const markdownText = (text: string): string => text.replace(/[\\`*_[\]|~<>]/g, String.raw`\$&`);

function markdownLine(item: NoticeItem): string {
  const where = [item.asset, item.place].filter((one) => one !== '').map(markdownText);
  const severity = item.severity === null ? '' : `**${item.severity}** `;
  return `- ${severity}[${markdownText(item.name)}](${item.url})${where.length === 0 ? '' : ` – ${where.join(', ')}`}`;
}

interface CardElement {
  type: string;
  text?: string;
  facts?: { title: string; value: string }[];
}

interface Card {
  body: CardElement[];
  actions: { type: string; title: string; url: string }[];
}

export interface TeamsMessage {
  type: string;
  attachments: [{ contentType: string; contentUrl: null; content: Card }];
}

/** An Adaptive Card, as an incoming webhook of Teams' Workflows takes it; a message has at most 28 KB. */
export function teamsMessage(notice: Notice): TeamsMessage {
  const { title, workflow, organization, url, items, more, issues } = notice;
  const facts = issueSeverities
    .filter((severity) => issues[severity] > 0)
    .map((severity) => ({ title: severity, value: String(issues[severity]) }));
  const lines = items.map((item) => ({ type: 'TextBlock', text: markdownLine(item), wrap: true, spacing: 'Small' }));
  const rest = more > 0 ? [{ type: 'TextBlock', text: `and ${more} more`, isSubtle: true, spacing: 'Small' }] : [];
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    msteams: { width: 'Full' },
    body: [
      { type: 'TextBlock', text: markdownText(title), size: 'Large', weight: 'Bolder', wrap: true },
      {
        type: 'TextBlock',
        text: markdownText(`${workflow} · ${organization}`),
        isSubtle: true,
        wrap: true,
        spacing: 'None',
      },
      ...(facts.length === 0 ? [] : [{ type: 'FactSet', facts }]),
      ...lines,
      ...rest,
    ],
    actions: [{ type: 'Action.OpenUrl', title: 'Open in the console', url }],
  };
  const contentType = 'application/vnd.microsoft.card.adaptive';
  return { type: 'message', attachments: [{ contentType, contentUrl: null, content }] };
}

const colors: Record<IssueSeverity, number> = {
  CRITICAL: 0xb91c1c,
  HIGH: 0xea580c,
  MEDIUM: 0xca8a04,
  LOW: 0x2563eb,
  INFO: 0x6b7280,
};

export interface DiscordMessage {
  embeds: [{ title: string; url: string; description?: string; color: number; footer: { text: string } }];
  allowed_mentions: { parse: string[] };
}

/** A message of a Discord webhook: one embed, and nobody is mentioned, whatever the texts say. */
export function discordMessage(notice: Notice): DiscordMessage {
  const { title, workflow, organization, url, items, more, issues } = notice;
  const worst = issueSeverities.find((severity) => issues[severity] > 0);
  const description = listed(items.map(markdownLine), more, longest.discordDescription);
  return {
    embeds: [
      {
        title: cut(title, longest.discordTitle),
        url,
        ...(description === '' ? {} : { description }),
        color: worst === undefined ? colors.INFO : colors[worst],
        footer: { text: cut(`${workflow} · ${organization}`, longest.discordTitle) },
      },
    ],
    allowed_mentions: { parse: [] },
  };
}

/** The items as plain lines. */
export function plainLines({ items, more }: Notice): string {
  return listed(
    items.map((item) => `${lineOf(item)} ${item.url}`),
    more,
    10_000,
  );
}
