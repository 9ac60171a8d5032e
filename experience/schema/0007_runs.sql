-- Runs: one piece of an agent's work in a session, from its start to its end. One that is over is put aside with its log.
create table runs (
    key integer primary key autoincrement,
    id text not null unique,
    project text not null,
    session text not null,
    -- where the agent runs: claude-code, codex, … or nothing
    host text not null default '',
    started_at text not null,
    archived_at text,
    -- what was learned from it
    experience text
) strict;
create index runs_by_session on runs (project, session, key);
create index runs_open on runs (project, key) where archived_at is null;

-- A turn may belong to a run, and be a call of a tool or its result.
alter table turns add column run text;
alter table turns add column kind text not null default 'message' check (
    kind in ('user_message', 'model_response', 'tool_call', 'tool_result', 'message')
);
alter table turns add column tool text;
alter table turns add column ok integer check (ok in (0, 1));
update turns set kind = case role
    when 'user' then 'user_message' when 'assistant' then 'model_response' when 'tool' then 'tool_result'
    else 'message' end;
create index turns_by_run on turns (run, key) where run is not null;
