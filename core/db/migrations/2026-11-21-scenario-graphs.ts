import { Migration } from '@mikro-orm/migrations';

/** The roads of scenarios lie apart from them, in pieces, found by their content. */
export class ScenarioGraphs extends Migration {
  override up(): void {
    this.addSql(`create table scenario_graphs (
        business_id uuid not null,
        digest varchar(64) not null,
        used_at timestamptz not null,
        primary key (business_id, digest),
        foreign key (business_id) references businesses (id)
      )`);
    this.addSql(`create table scenario_graph_texts (
        business_id uuid not null,
        digest varchar(64) not null,
        field varchar(5) not null,
        piece int not null,
        text bytea not null,
        primary key (business_id, digest, field, piece),
        foreign key (business_id, digest) references scenario_graphs (business_id, digest) on delete cascade
      )`);
    // Compressing tens of megabytes would cost more time than it saves room.
    this.addSql(`alter table scenario_graph_texts alter column text set storage external`);
    this.addSql(`insert into scenario_graphs (business_id, digest, used_at) select distinct business_id, graph_hash, now() from scenarios`);
    for (const field of ['nodes', 'edges']) {
      this.addSql(`insert into scenario_graph_texts (business_id, digest, field, piece, text)
        select business_id, graph_hash, '${field}', start / 262144, substring(json from start + 1 for 262144)
        from (select distinct on (business_id, graph_hash) business_id, graph_hash, convert_to(${field}::text, 'UTF8') as json from scenarios) as scenario, generate_series(0, length(json) - 1, 262144) as start`);
    }
    this.addSql(`alter table scenarios rename column graph_hash to graph_digest`);
    this.addSql(`alter table scenarios drop column nodes, drop column edges, add foreign key (business_id, graph_digest) references scenario_graphs (business_id, digest)`);
    this.addSql(`create index scenarios_business_id_graph_digest_index on scenarios (business_id, graph_digest)`);
  }
}
