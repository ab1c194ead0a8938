import { Migration } from '@mikro-orm/migrations';

/** The audit log, which only ever grows. */
export class Audit extends Migration {
  override up(): void {
    this.addSql(`create table audit_entries (
        id varchar(36) not null,
        business_id uuid null,
        created_at timestamptz not null,
        actor_kind varchar(10) not null,
        actor_id varchar(120) null,
        actor_name text null,
        credential_id uuid null,
        operation varchar(100) not null,
        record_kind varchar(40) null,
        record_id varchar(120) null,
        record_ids jsonb not null,
        request_id varchar(200) not null,
        address varchar(60) not null,
        changes jsonb not null,
        changes_omitted int not null,
        primary key (id),
        foreign key (business_id) references businesses (id)
      )`);
    this.addSql(`create index audit_entries_time on audit_entries (business_id, created_at, id)`);
    this.addSql(`create index audit_entries_actor on audit_entries (business_id, actor_id, created_at)`);
    this.addSql(`create index audit_entries_records on audit_entries using gin (record_ids jsonb_path_ops)`);
    this.addSql(`create function refuse_to_change_audit_entries() returns trigger language plpgsql as 'begin raise exception ''the audit log is append-only''; end'`);
    this.addSql(`create trigger audit_entries_stay before update or delete on audit_entries for each row execute function refuse_to_change_audit_entries()`);
    this.addSql(`create trigger audit_entries_stay_all before truncate on audit_entries for each statement execute function refuse_to_change_audit_entries()`);
  }
}
