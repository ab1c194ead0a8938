import type { Command } from '../command.ts';

const kind = { flags: '--kind <kind>', summary: 'what the image proves', choices: ['photo', 'signature'], isRequired: true } as const;
const contentType = { flags: '--content-type <type>', summary: 'the type of the image; as a rule the name of the file says it', choices: ['image/png', 'image/jpeg', 'image/webp'] } as const;
const operands = [{ name: 'order-id', summary: 'id of the order' }, { name: 'file', summary: 'the image: PNG, JPEG or WebP' }];

export const evidenceCommands: readonly Command[] = [
  {
    words: ['evidence', 'upload'], operands, options: [kind, contentType],
    summary: 'Add an image to an order',
    examples: ['milkrun evidence upload order-1 door.jpg --kind photo'],
    async run(input, context) {
      const { uploadEvidence } = await import('./upload-evidence.ts');
      return uploadEvidence('/api/v1/businesses/{id}/orders/{order}/evidence', input, context);
    },
  },
  {
    words: ['evidence', 'download'],
    summary: 'Save the image of a piece of evidence',
    operands: [{ name: 'evidence-id', summary: 'id of the evidence' }],
    options: [{ flags: '-o, --output <file>', summary: 'where to; without it the image goes to standard output' }],
    async run(input, context) {
      const { downloadEvidence } = await import('./download-evidence.ts');
      return downloadEvidence(input, context);
    },
  },
  {
    words: ['driver', 'upload'], operands, options: [kind, contentType], isDriver: true,
    summary: 'Add an image to an order of the signed-in driver',
    async run(input, context) {
      const { uploadEvidence } = await import('./upload-evidence.ts');
      return uploadEvidence('/api/v1/driver/orders/{order}/evidence', input, context);
    },
  },
];
