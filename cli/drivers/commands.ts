import type { Command } from '../command.ts';

const signIn: Command = {
  words: ['drivers', 'sign-in'],
  summary: 'Sign a driver in with an activation code',
  description: 'The session is kept in a context of its own, driver:<id>, which the `driver` commands use. With --json the token is printed and nothing is kept.',
  options: [{ flags: '--code <text>', summary: 'the activation code; it works once', isRequired: true }],
  async run(input, context) {
    const { signDriverIn } = await import('./sign-driver-in.ts');
    return signDriverIn(input, context);
  },
};

export const driverCommands: readonly Command[] = [
  signIn,
  {
    words: ['driver', 'refresh'], isDriver: true,
    summary: 'Show the published stops of the signed-in driver',
    async run(input, context) {
      const { showPublishedWork } = await import('./show-published-work.ts');
      return showPublishedWork(input, context);
    },
  },
  { words: ['driver', 'sign-out'], isDriver: true, summary: 'End the session of the driver and forget it', run: async (input, context) => (await import('../accounts/sign-out.ts')).signOut(input, context) },
];
