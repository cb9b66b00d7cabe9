-- Lists are read in the order of an index, as far as their page goes.
create index music_generations_status on music_generations (account_id, status, created_at desc, id desc);
create index agent_templates_public on agent_templates (title collate "und-x-icu", id) where not is_private;
create index agent_templates_private on agent_templates (creator, title collate "und-x-icu", id) where is_private;

-- How many public templates there are: counting them takes a scan of all.
create table public_template_count (
  only_row boolean primary key default true check (only_row),
  count bigint not null
);
insert into public_template_count (count) select count(*) from agent_templates where not is_private;

create function count_public_templates() returns trigger language plpgsql as $$
declare
  change bigint := 0;
begin
  if tg_op <> 'INSERT' then
    change := change - (select count(*) from old_rows where not is_private);
  end if;
  if tg_op <> 'DELETE' then
    change := change + (select count(*) from new_rows where not is_private);
  end if;
  if change <> 0 then
    update public_template_count set count = count + change;
  end if;
  return null;
end
$$;
create trigger count_inserted_templates after insert on agent_templates
  referencing new table as new_rows for each statement execute function count_public_templates();
create trigger count_updated_templates after update on agent_templates
  referencing old table as old_rows new table as new_rows for each statement execute function count_public_templates();
create trigger count_deleted_templates after delete on agent_templates
  referencing old table as old_rows for each statement execute function count_public_templates();
