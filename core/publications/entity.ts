import { p } from '@mikro-orm/postgresql';
import { recordEntity } from '../records/entity.ts';

const schema = recordEntity('Publication', 'publications', {
  planIds: p.json<string[]>(),
  orderIds: p.json<string[]>(),
  acknowledgedWarnings: p.json<string[]>(),
});
export class Publication extends schema.class {}
schema.setClass(Publication);
