import { exitCodeMeanings } from './exit-codes.ts';

/** The variables that the command line reads. Those of the service are told by `milkrun up --help`. */
export const environment: Record<string, string> = {
  MILKRUN_URL: 'where the service is; http://127.0.0.1:8080 where nothing says otherwise',
  MILKRUN_TOKEN: 'a session token or API key',
  MILKRUN_BUSINESS: 'id of the business',
  MILKRUN_CONTEXT: 'name of the stored context to use',
  MILKRUN_CONFIG: 'the file that holds the contexts; $XDG_CONFIG_HOME/milkrun/config.json where absent',
  NO_COLOR: 'no colour, whatever it is set to',
};

const topics: Record<string, () => string> = {
  'exit-codes': () => `Exit codes:\n${rows(exitCodeMeanings)}`,
  environment: () => `Environment (flags win over it, and it wins over the current context):\n${rows(environment)}`,
};

export const helpTopic = (name: string | undefined): string | undefined => (name !== undefined && Object.hasOwn(topics, name) ? topics[name]() : undefined);

function rows(entries: Record<string, string>): string {
  const width = Math.max(...Object.keys(entries).map((name) => name.length));
  return Object.entries(entries).map(([name, meaning]) => `  ${name.padEnd(width)}  ${meaning}\n`).join('');
}
